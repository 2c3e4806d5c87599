import { objectOf, textOf } from '../../text/json';
import type { RunView } from '../../runLog/runView';
import { isFileRun } from '../../past/files/fileRuns';

/** The agent of VS Code's own chat. */
const chat = 'vscode';

/**
 * The ID of the chat session that invokes a tool, as far as VS Code's token has it. The token isn't documented: it has the session's URI,
 * `vscode-chat-session://local/ID` with the ID in Base64, or `AGENT:/ID` for another agent's, and in older versions the ID.
 */
export function askingSession(token: unknown): string | undefined {
  const { sessionResource, sessionId } = objectOf(token);
  const { scheme, path } = objectOf(sessionResource);
  const named = (textOf(path) ?? '').slice(1);
  const id = scheme === 'vscode-chat-session' ? Buffer.from(named, 'base64').toString('utf8') : named;
  return /^[\w-]{1,100}$/.test(id) ? id : textOf(sessionId);
}

/** True if a run is the session that asks; if that isn't known, any of VS Code's chat that is running. */
export function isAsking(run: RunView, asking: string | undefined): boolean {
  const saved = isFileRun(run) ? run.info.saved : undefined;
  if (!saved) return false;
  return asking === undefined ? saved.agent === chat && saved.isRunning : saved.sessionId === asking;
}
