import { dirname, join } from 'node:path';
import type { BesideRetry } from '../../../protocols/saved/besideLines';
import { copilotRetries } from '../../../agents/copilot/retries';
import { opencodeRetries } from '../../../agents/opencode/retries';
import type { SavedFs } from '../savedFs';
import type { SavedSession } from '../savedSession';
import type { LogAccess } from './codexDatabases';
import { codexRetries } from './codexDatabases';

/** How much of the end of a log to read, in bytes. */
const maxLog = 16 * 1024 * 1024;
/** Maximum number of Copilot process logs to read. */
const maxLogs = 20;
const maxRetries = 1000;
/** Maximum number of lines of one log to keep. */
const maxLines = 10_000;
/** Tolerance for inexact clocks and file times, in milliseconds. */
const slack = 60_000;

/** Reads the failed requests that only a log beside the session has, oldest first; none if the log is missing or can't be read. */
export function retriesBeside(session: SavedSession, access: LogAccess): () => Promise<readonly BesideRetry[]> {
  const logs = new GrowingLogs(access.fs);
  const read = async (): Promise<readonly BesideRetry[]> => {
    switch (session.agent) {
      case 'codex':
        return codexRetries(session, access);
      case 'opencode':
        return opencodeRetriesOf(session, logs);
      case 'copilot':
        return copilotRetriesOf(session, access.fs, logs);
      default:
        return [];
    }
  };
  return () => read().catch(() => []); // The session itself is still readable.
}

async function opencodeRetriesOf({ id, path }: SavedSession, logs: GrowingLogs): Promise<readonly BesideRetry[]> {
  const lines = await logs.lines((line) => line.includes(id), 'opencode.log', dirname(path), 'log');
  return opencodeRetries(lines, id).slice(-maxRetries);
}

async function copilotRetriesOf(
  { id, path, startedAt = 0, lastAt, modifiedAt }: SavedSession,
  fs: SavedFs,
  logs: GrowingLogs,
): Promise<readonly BesideRetry[]> {
  const root = join(dirname(path), '..', '..');
  const during = (await fs.list(root, 'logs')).filter(({ name }) => {
    const began = Number(/^process-(\d{1,15})-\d+\.log$/.exec(name)?.[1] ?? NaN);
    return began <= Math.max(lastAt ?? 0, modifiedAt) + slack;
  });
  const found: BesideRetry[] = [];
  for (const { name } of during.slice(-maxLogs)) {
    const stats = await fs.stat(join(root, 'logs', name));
    if (!stats || stats.modifiedAt < startedAt - slack) continue;
    found.push(...copilotRetries(await logs.lines(mayBeOfCopilot, name, root, 'logs'), id));
  }
  return found.slice(-maxRetries);
}

function mayBeOfCopilot(line: string): boolean {
  return line.includes('Workspace initialized') || line.includes('Model provider request failed');
}

/** Lines of logs, of which only the new part is read each time. */
class GrowingLogs {
  private readonly known = new Map<string, { readonly lines: readonly string[]; readonly end: number }>();

  constructor(private readonly fs: SavedFs) {}

  /** The newest wanted lines of the file with this name in a folder. */
  async lines(
    isWanted: (line: string) => boolean,
    name: string,
    ...place: readonly [folder: string, ...names: string[]]
  ): Promise<readonly string[]> {
    const path = join(...place, name);
    const isThere = (await this.fs.list(...place)).some((entry) => entry.name === name);
    const size = isThere ? ((await this.fs.stat(path))?.size ?? 0) : 0;
    const before = this.known.get(path);
    const { lines, end } = before && before.end <= size ? before : { lines: [], end: 0 };
    const from = Math.max(end, size - maxLog);
    if (from >= size) return lines;
    const bytes = await this.fs.read(path, from, size - from);
    const whole = bytes.lastIndexOf(10) + 1;
    const read = bytes.toString('utf8', 0, whole).split('\n');
    // The first line may be cut.
    const own = (from === end ? read : read.slice(1)).filter(isWanted);
    const all = [...lines, ...own].slice(-maxLines);
    this.known.set(path, { lines: all, end: from + whole });
    return all;
  }
}
