import type { SavedSource } from '../past/files/fileRunInfo';
import { isFileRun } from '../past/files/fileRuns';
import type { RunView } from '../runLog/runView';
import { objectOf, textOf } from '../text/json';

/** True for a run that is, or may be, the session that asks. */
export type IsAsking = (run: RunView) => boolean;

/** The agent of VS Code's own chat. */
const chat = 'vscode';

/** The chat session that VS Code's token names; if it names none, any of VS Code's chat that is running. */
export function askingChat(token: unknown): IsAsking {
  const asking = askingSession(token);
  return (run) => {
    const saved = savedOf(run);
    if (!saved) return false;
    return asking === undefined ? saved.agent === chat && saved.isRunning : saved.sessionId === asking;
  };
}

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

/** What an MCP client tells about itself. */
export interface AskingClient {
  /** Texts that may be the ID of its session: from the environment of the server, and beside its request. */
  readonly texts: ReadonlySet<string>;
  /** What it calls itself. */
  readonly name: string;
  /** Whether a session that worked in this folder may be its own. */
  readonly isFolder: (folder: string) => boolean;
}

/**
 * The session of an MCP client: the one whose ID it gives; otherwise all that are running in its folder, of its agent if its name tells which that is.
 * @param agents the IDs of all agents that save sessions
 */
export function askingOf({ texts, name, isFolder }: AskingClient, agents: readonly string[]): IsAsking {
  const client = name.toLowerCase();
  // `pi` is no part of `copilot` or `api`.
  const own = agents.filter((agent) => new RegExp(`(?<![a-z])${agent}(?![a-z])`).test(client));
  return (run) => {
    const saved = savedOf(run);
    if (!saved) return false;
    if (texts.has(saved.sessionId)) return true;
    return saved.isRunning && isFolder(run.cwd) && (own.length === 0 || own.includes(saved.agent));
  };
}

/** What is known of a run that is a saved session. */
export function savedOf(run: RunView): SavedSource | undefined {
  return isFileRun(run) ? run.info.saved : undefined;
}
