import { dirname, join } from 'node:path';
import type { BesideRetry } from '../../../protocols/saved/besideLines';
import { copilotRetries, opencodeRetries } from '../../../protocols/saved/besideLines';
import type { SavedFs } from '../savedFs';
import type { SavedSession } from '../savedSession';
import type { LogAccess } from './codexDatabases';
import { codexRetries } from './codexDatabases';

/** How much of the end of a log to read, in bytes. */
const maxLog = 16 * 1024 * 1024;
/** Maximum number of Copilot process logs to read. */
const maxLogs = 20;
const maxRetries = 1000;
/** Tolerance for inexact clocks and file times, in milliseconds. */
const slack = 60_000;

/** The failed requests that only a log beside the session has, oldest first; empty if the log is missing or can't be read. */
export async function retriesBeside(session: SavedSession, access: LogAccess): Promise<readonly BesideRetry[]> {
  try {
    switch (session.agent) {
      case 'codex':
        return await codexRetries(session, access);
      case 'opencode':
        return await opencodeRetriesOf(session, access);
      case 'copilot':
        return await copilotRetriesOf(session, access);
      default:
        return [];
    }
  } catch {
    return []; // The session itself is still readable.
  }
}

async function opencodeRetriesOf({ id, path }: SavedSession, { fs }: LogAccess): Promise<readonly BesideRetry[]> {
  const lines = await lastLines(join(dirname(path), 'log', 'opencode.log'), fs);
  return opencodeRetries(lines, id).slice(-maxRetries);
}

async function copilotRetriesOf(
  { id, path, startedAt = 0, lastAt, modifiedAt }: SavedSession,
  { fs }: LogAccess,
): Promise<readonly BesideRetry[]> {
  const folder = join(dirname(path), '..', '..', 'logs');
  const during = (await fs.list(folder)).filter(({ name }) => {
    const began = Number(/^process-(\d{1,15})-\d+\.log$/.exec(name)?.[1] ?? NaN);
    return began <= Math.max(lastAt ?? 0, modifiedAt) + slack;
  });
  const found: BesideRetry[] = [];
  for (const { name } of during.slice(-maxLogs)) {
    const file = join(folder, name);
    const stats = await fs.stat(file);
    if (!stats || stats.modifiedAt < startedAt - slack) continue;
    found.push(...copilotRetries(await lastLines(file, fs), id));
  }
  return found.slice(-maxRetries);
}

async function lastLines(path: string, fs: SavedFs): Promise<readonly string[]> {
  const stats = await fs.stat(path);
  if (!stats) return [];
  const from = Math.max(0, stats.size - maxLog);
  const lines = (await fs.read(path, from, Math.min(stats.size, maxLog))).toString('utf8').split('\n');
  return from === 0 ? lines : lines.slice(1);
}
