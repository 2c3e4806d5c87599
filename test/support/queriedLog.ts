import { parseQuery } from '../../src/query/parseQuery';
import type { RecordDraft } from '../../src/text/record';
import type { PageFile } from '../../src/store/pageReader';
import { RecordStore } from '../../src/store/store';
import { RecordResult } from '../../src/matches/recordResult';
import type { RegexRunner } from '../../src/store/regexRunner';
import { RunLog } from '../../src/runLog/runLog';

/** Runs regular expressions on this thread, because those in tests are fast. */
export const plainRegex: RegexRunner = {
  matches: (source, ignoresCase, { bytes, ends }) => {
    const expression = new RegExp(source, ignoresCase ? 'i' : '');
    const text = (start: number, end: number): string => Buffer.from(bytes.subarray(start, end)).toString();
    return Promise.resolve([...ends.keys()].filter((n) => expression.test(text(ends[n - 1] ?? 0, ends[n] ?? 0))));
  },
};

export const now = Date.UTC(2026, 10, 22, 12);

/** A result like the explorer's, which yields after each slice. */
export function resultOf(log: RunLog, query: string, regex = plainRegex): RecordResult {
  return new RecordResult(log, parseQuery(query), { now: () => now, regex });
}

/** Settles when a result is complete. */
export async function whenDone(result: RecordResult): Promise<void> {
  if (result.state.isDone) return;
  await new Promise<void>((resolve) => {
    const subscription = result.onDidChange(({ isDone }) => {
      if (!isDone) return;
      subscription.dispose();
      resolve();
    });
  });
}

export function emptyLog(maxBytes = 1e8, createFile?: () => PageFile): RunLog {
  return new RunLog(new RecordStore(maxBytes, createFile), now);
}

/** A typical record. Every field depends on its number. */
export function draftOf(n: number, sessions = 3): RecordDraft {
  const level = (['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const)[n % 8]!;
  const kind = (['log', 'stderr', 'activity', 'diagnosis'] as const)[n % 4]!;
  const message = `${['compiled', 'linked needle', 'tested Größe', 'needlework'][n % 4]} module ${n}`;
  const raw = JSON.stringify({ message, data: { n } });
  return {
    receivedAt: now + n * 1000 - (n % 5) * 700,
    level,
    kind,
    message,
    ...(n % sessions !== 0 && { sessionId: `5e551017-0000-4000-8000-00000000000${n % sessions}` }),
    ...(n % 2 === 0 && { logger: ['http.client', 'db', 'needle'][n % 3]! }),
    ...(n % 3 === 0 && { raw, data: { n }, dataAt: ['data'] }),
    ...(n % 7 === 1 && { data: [n] }),
  };
}
