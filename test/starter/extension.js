// Only for `npm start`; it is no part of the packaged extension. It needs no build.
// eslint-disable-next-line @typescript-eslint/no-require-imports -- plain CommonJS
const vscode = require('vscode');

async function activate() {
  await vscode.commands.executeCommand('agentLogs.startSampleAgent');
  await vscode.commands.executeCommand('agentLogs.sessions.focus');
}

module.exports = { activate };
