// Searches a store of many records, compared with the same scan over plain arrays.
import { readFileSync } from 'node:fs';
import { compiled } from '../../src/query/compiledQuery';
import { RecordStore } from '../../src/store/store';
import { logRecord } from '../../src/protocols/acp/logMessage';

export interface MeasuredSearch {
  readonly records: number;
  readonly hits: number;
  readonly textMs: number;
  readonly levelHits: number;
  readonly levelMs: number;
  /** The newest page of each session at that level and the count, like the tree. */
  readonly pagesMs: number;
  /** `includes` over an array of the texts, and a comparison over an array of the levels. */
  readonly bareTextMs: number;
  readonly bareLevelMs: number;
}

const store = new RecordStore(64 * 1024 ** 3);
const texts: string[] = [];
const levels: string[] = [];
for (const line of readFileSync(process.argv[2] ?? '', 'utf8').split('\n')) {
  if (line === '') continue;
  const { params } = JSON.parse(line) as { readonly params: unknown };
  const draft = logRecord(params, Date.now(), line);
  store.append(draft);
  const { message, level } = draft;
  texts.push(message);
  levels.push(level);
}
const graveLevels = new Set(['critical', 'alert', 'emergency']);

const [textMs, hits] = timed(() => store.query({ text: 'needle' }).length);
const [levelMs, levelHits] = timed(() => store.query({ minLevel: 'critical' }).length);
const sessions = [...new Set(store.query({ limit: 1000 }).map(({ sessionId }) => sessionId))];
const grave = compiled({ minLevel: 'critical' });
const [pagesMs] = timed(() => sessions.reduce((sum, id) => sum + store.newest(id, 100, grave).older, 0));
const [bareTextMs] = timed(() => texts.filter((text) => text.includes('needle')).length);
const [bareLevelMs] = timed(() => levels.filter((level) => graveLevels.has(level)).length);
const measured: MeasuredSearch = {
  records: texts.length,
  hits,
  textMs,
  levelHits,
  levelMs,
  pagesMs,
  bareTextMs,
  bareLevelMs,
};
process.stdout.write(JSON.stringify(measured));

/** The median of seven runs, after a warm-up. */
function timed(work: () => number): readonly [ms: number, result: number] {
  let result = work();
  const times = Array.from({ length: 7 }, () => {
    const start = performance.now();
    result = work();
    return performance.now() - start;
  });
  return [times.sort((a, b) => a - b)[3] ?? NaN, result];
}
