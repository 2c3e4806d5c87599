import type { KeyedLine } from '../reading/saved/keyedLine';
import { numberOf } from '../../text/json';
import type { Database } from '../database';
import { allRows } from '../database';
import type { SavedMatch, SessionRows } from '../savedDatabase';
import type { SavedDetails } from '../savedDetails';
import { dataColumns, jsonIn } from './columns';
import { matchesIn, outcomeIn } from './generation';
import { stepsUsed } from './generation1';
import { OpencodeRows } from './rows';

/**
 * When version 1 began to continue a session that version 2 has copied: at the first prompt after all that was copied. Copied messages keep
 * their IDs; if none did, nothing that is older than version 2's newest message counts. @param session an expression
 */
const laterStart = (
  session: string,
): string => `(select min(p.time_created) from message as p where p.session_id = ${session}
  and p.time_created > coalesce(
    (select max(o.time_created) from message as o join session_message as c on c.id = o.id and c.session_id = o.session_id where o.session_id = ${session}),
    (select max(time_created) from session_message where session_id = ${session}),
    -1)
  and case when json_valid(p.data) then json_extract(p.data, '$.role') end = 'user')`;

/** True if version 1 could have continued a session of version 2. */
export function hasLater({ columns }: Database): boolean {
  return ['session_v2', 'session_message', 'session', 'message', 'part'].every((table) => columns.has(table));
}

/** Milliseconds since the epoch; `undefined` if version 1 hasn't continued the session. */
async function laterSince(of: Database, id: string): Promise<number | undefined> {
  if (!hasLater(of)) return undefined;
  const [row] = await allRows(of, `select ${laterStart('s.id')} as at from (select ? as id) as s`, id);
  return numberOf(row?.['at']);
}

/** How a session's newest turn ended, if version 1 continued it. @param known what version 2 says */
export async function laterOutcome(of: Database, id: string, known: SavedDetails): Promise<SavedDetails> {
  if ((await laterSince(of, id)) === undefined) return known;
  const sql = `select ${dataColumns}, time_created, time_updated from message where session_id = ? order by time_created desc limit 1`;
  const [row] = await allRows(of, sql, id);
  const { lastAt = 0, outcome: _outcome, problem: _problem, isBusy: _isBusy, ...rest } = known;
  if ((numberOf(row?.['time_created']) ?? 0) <= lastAt) return known;
  return { ...rest, ...outcomeIn(jsonIn(row, 'data')), lastAt: numberOf(row?.['time_updated']) ?? lastAt };
}

/** The rows with all words that version 1 added to a session of version 2, and those of its subagents there. */
export async function laterMatches(
  of: Database,
  id: string,
  words: readonly string[],
  limit: number,
): Promise<readonly SavedMatch[]> {
  const since = await laterSince(of, id);
  return since === undefined ? [] : matchesIn(of, ['part', 'session'], id, words, limit, since);
}

/** A query like `Generation.usages` of what version 1 used in sessions of version 2. */
export const laterUsages = stepsUsed(
  `join message as m on m.id = message_id join (select id, ${laterStart('l.id')} as later from session as l
     where time_updated >= ? and id in (select id from session_v2)) as s on s.id = part.session_id`,
  'm.time_created >= s.later',
);

/** A session of version 2, and what version 1 added to it afterwards, by time. */
export class ContinuedRows implements SessionRows {
  private readonly sources: readonly [PendingLines, PendingLines];

  constructor(id: string, rows: SessionRows) {
    this.sources = [new PendingLines(rows), new PendingLines(new LaterRows(id))];
  }

  get isAtEnd(): boolean {
    return this.sources.every(({ isAtEnd }) => isAtEnd);
  }

  get bytes(): number {
    const [copy, later] = this.sources;
    return copy.bytes + later.bytes;
  }

  async read(of: Database): Promise<readonly KeyedLine[] | undefined> {
    const [copy, later] = this.sources;
    await copy.fill(of);
    await later.fill(of);
    if (!copy.hasLines() && !later.hasLines()) return undefined;
    // The other one has no more lines.
    if (!copy.hasLines() || !later.hasLines()) return [...copy.take(), ...later.take()];
    const found: KeyedLine[] = [];
    while (copy.hasLines() && later.hasLines()) found.push(...(later.nextAt < copy.nextAt ? later : copy).take(1));
    return found;
  }

  async isChanged(of: Database): Promise<boolean> {
    const [copy, later] = this.sources;
    const isCopyChanged = await copy.rows.isChanged(of);
    return (await later.rows.isChanged(of)) || isCopyChanged;
  }
}

/** Lines that were read and wait for those of another source. */
class PendingLines {
  private lines: readonly KeyedLine[] = [];
  private at = 0;

  constructor(readonly rows: SessionRows) {}

  hasLines(): boolean {
    return this.at < this.lines.length;
  }

  get isAtEnd(): boolean {
    return !this.hasLines() && this.rows.isAtEnd;
  }

  get bytes(): number {
    return this.rows.bytes;
  }

  /** Milliseconds since the epoch. */
  get nextAt(): number {
    return numberOf(this.lines[this.at]?.line['ts']) ?? 0;
  }

  /** Reads until there are lines, or the current end. */
  async fill(of: Database): Promise<void> {
    while (!this.hasLines()) {
      const lines = await this.rows.read(of);
      if (!lines) return;
      [this.lines, this.at] = [lines, 0];
    }
  }

  take(count = Infinity): readonly KeyedLine[] {
    const taken = this.lines.slice(this.at, this.at + count);
    this.at += taken.length;
    return taken;
  }
}

/** What version 1 added to a session of version 2. */
class LaterRows implements SessionRows {
  private rows: OpencodeRows | undefined;
  private isLookedFor = false;

  constructor(private readonly id: string) {}

  get isAtEnd(): boolean {
    return this.rows?.isAtEnd ?? this.isLookedFor;
  }

  get bytes(): number {
    return this.rows?.bytes ?? 0;
  }

  async read(of: Database): Promise<readonly KeyedLine[] | undefined> {
    if (!this.isLookedFor) await this.lookFor(of);
    return this.rows?.read(of);
  }

  async isChanged(of: Database): Promise<boolean> {
    if (this.rows) return this.rows.isChanged(of);
    await this.lookFor(of);
    return !this.isAtEnd;
  }

  private async lookFor(of: Database): Promise<void> {
    const since = await laterSince(of, this.id);
    this.isLookedFor = true;
    if (since !== undefined) this.rows = new OpencodeRows(this.id, since);
  }
}
