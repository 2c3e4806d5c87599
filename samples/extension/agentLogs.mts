import * as vscode from 'vscode';
import type { AgentLogsApi, Span } from '../../api/agent-logs';

async function agentLogs(): Promise<AgentLogsApi> {
  const extension = vscode.extensions.getExtension<AgentLogsApi>('agent-logs.agent-logs');
  if (!extension) throw new Error('Install the extension Agent Logs.');
  return extension.activate();
}

/** Asks an agent of the settings, and returns the turns and tool calls that failed. */
export async function ask(agent: string, prompt: string): Promise<readonly Span[]> {
  const api = await agentLogs();
  const run = await api.start(agent); // resolves once initialize was answered
  const output = vscode.window.createOutputChannel(agent, { log: true });
  const appended = run.onDidAppend((records) => records.forEach(({ level, message }) => output.info(level, message)));
  try {
    await run.prompt(await run.newSession(), prompt);
    return run.spans({ kinds: ['turn', 'tool'] }).filter(({ outcome }) => outcome === 'error');
  } finally {
    appended.dispose();
    await run.stop();
  }
}

/** Opens a journal, a saved session or a log, and returns its problems of the last hour. */
export async function problemsIn(file: vscode.Uri): Promise<readonly string[]> {
  const api = await agentLogs();
  const run = await api.open(file);
  const { records } = await run.query('kind:diagnosis level:warning since:1h', { count: 50 });
  return records.map(({ message }) => message);
}

/** Shows an agent that your extension runs itself (acp, mcp or stream-json): tree, Log Explorer, journal and diagnosis. */
export async function show(name: string, lines: AsyncIterable<string>): Promise<void> {
  const api = await agentLogs();
  const publisher = api.publish({ name, protocol: 'acp' });
  for await (const line of lines) publisher.line('a2c', line); // c2a: to the agent, err: from its stderr
  publisher.end({ reason: 'completed', terminatedBy: 'agent', exitCode: 0 });
}
