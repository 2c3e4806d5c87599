// Only for `npm start`; it is no part of the packaged extension. Plain CommonJS, so that it needs no build.
// eslint-disable-next-line @typescript-eslint/no-require-imports -- VS Code 1.93 loads no other kind of extension
const vscode = require('vscode');

async function activate() {
  await vscode.commands.executeCommand('agentLogs.startSampleAgent');
  await vscode.commands.executeCommand('agentLogs.sessions.focus');
}

module.exports = { activate };
