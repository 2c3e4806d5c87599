import type { Query, Term } from '../query/query';
import type { LogRecord } from '../text/record';
import { queryRun } from '../runs/runQuery';
import { redactorOf } from '../past/files/runLines';
import { redactedLine } from '../runLog/reading/redactEvent';
import type { RunView } from '../runLog/runView';
import { lineAt } from './hitText';
import { byLength } from './searchQuery';
import type { Hit } from './sessionSearch';

/** Maximum number of records with the same time and word to compare with a hit. */
const maxCompared = 200;
const range = { start: 0, end: 0 } as const;

/**
 * The number of the record that contains a hit, in a run that was read.
 * @param words search words, in lower case
 * @returns `undefined` if there is none, because it was redacted, or its line was too long to read
 */
export async function recordOfHit(run: RunView, hit: Hit, words: readonly string[]): Promise<number | undefined> {
  if (hit.place.type === 'record') return hit.place.seq;
  const text = await lineOf(hit);
  const [word = ''] = byLength(words);
  const byWord: Term = { key: 'raw', values: [JSON.stringify(word).slice(1, -1)], negated: false, range };
  const times = (['since', 'until'] as const).map((key): Term => {
    const at = key === 'since' ? (hit.at ?? 0) : (hit.at ?? 0) + 1;
    return { key, values: [{ type: 'date', ms: at }], negated: false, range };
  });
  const exact = hit.at === undefined ? undefined : await find(run, [byWord, ...times], text, words);
  return exact ?? find(run, [byWord], text, words);
}

async function lineOf({ place }: Hit): Promise<string> {
  if (place.type === 'row') return place.text;
  if (place.type === 'record') return '';
  const line = await lineAt(place.path, place.offset).catch(() => undefined);
  return line?.isWhole === true ? line.text : '';
}

/** The record whose line is in this text; if there are several, the one whose message has the words. */
function find(
  run: RunView,
  terms: readonly Term[],
  text: string,
  words: readonly string[],
): Promise<number | undefined> {
  const query: Query = { terms, hints: [] };
  // The records have no secrets.
  const shown = redactedLine(text, redactorOf(run.redaction));
  return queryRun(run, query, async (result) => {
    const records = await result.rows(0, maxCompared);
    const own = records.filter(({ seq }) => {
      const raw = run.log.store.raw(seq);
      return raw !== undefined && raw !== '' && (text.includes(raw) || shown.includes(raw));
    });
    const candidates = own.length > 0 ? own : records;
    const says = ({ message }: LogRecord): boolean => words.every((word) => message.toLowerCase().includes(word));
    return (candidates.find(says) ?? candidates[0])?.seq;
  });
}
