import type { Event } from '../../log/emitter';
import { Emitter } from '../../log/emitter';
import { levels, rankOf } from '../../log/level';
import type { Facet } from '../../log/query/completion';
import type { Query, Term } from '../../log/query/query';
import { globTest, isProblem, passesLevel, passesSeq, passesSession, termGroups } from '../../log/query/queryTest';
import { resolveTime } from '../../log/query/timeValue';
import type { LogRecord } from '../../log/record';
import type { RunLog } from '../runLog';
import type { RegexRunner } from './regexRunner';

/** How far a result has come. */
export interface ResultState {
  /** Matches found so far; all of them once it is done. */
  readonly total: number;
  /** Records looked at, of how many. */
  readonly scanned: number;
  readonly of: number;
  readonly isDone: boolean;
  /** Why nothing more is found: an expression that is invalid or too slow. */
  readonly error?: string;
}

export interface ResultOptions {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Settles when other work had its turn. */
  yieldToHost(): Promise<void>;
  readonly regex: RegexRunner;
}

/** Counts of matches in equal stretches of time. */
export interface Histogram {
  /** Milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
  /** Of each bucket eight counts, by level from `debug` on. */
  readonly counts: Uint32Array;
}

/** Most rows at once. */
const maxRows = 200;

/** The records of a run that match a query, extended as records come. */
export class RecordResult {
  private readonly changeEmitter = new Emitter<ResultState>();
  readonly onDidChange: Event<ResultState> = this.changeEmitter.event;
  private matches: readonly LogRecord[] = [];
  private current: ResultState = { total: 0, scanned: 0, of: 0, isDone: false };
  private isDisposed = false;
  private readonly subscription: { dispose(): void };

  constructor(
    private readonly log: RunLog,
    private readonly query: Query,
    private readonly options: ResultOptions,
  ) {
    this.subscription = log.onDidChange(() => void this.update());
    void this.update();
  }

  get state(): ResultState {
    return this.current;
  }

  /** Records by position among the matches, oldest first; at most 200. */
  rows(from: number, count: number): LogRecord[] {
    return this.matches.slice(Math.max(0, from), Math.max(0, from) + Math.min(count, maxRows));
  }

  /** The position of a record among the matches, or else of the next one. */
  indexOf(seq: number): { readonly index: number; readonly isMatch: boolean } | undefined {
    const index = this.matches.findIndex((record) => record.seq >= seq);
    return index < 0 ? undefined : { index, isMatch: this.matches[index]?.seq === seq };
  }

  /** The nearest match after or before a record: any, a problem, or one of another session. */
  next(seq: number, direction: 1 | -1, what: 'problem' | 'session' | 'any'): number | undefined {
    const own = this.log.store.get(seq)?.sessionId;
    const isWanted = (record: LogRecord): boolean =>
      what === 'any' || (what === 'problem' ? isProblem(record) : record.sessionId !== own);
    return direction === 1
      ? this.matches.find((record) => record.seq > seq && isWanted(record))?.seq
      : this.matches.findLast((record) => record.seq < seq && isWanted(record))?.seq;
  }

  histogram(buckets: number): Histogram {
    const times = this.matches.map(({ receivedAt }) => receivedAt);
    const from = times.reduce((least, time) => Math.min(least, time), Infinity);
    const to = times.reduce((most, time) => Math.max(most, time), -Infinity);
    const counts = new Uint32Array(buckets * levels.length);
    for (const { receivedAt, level } of this.matches) {
      const bucket = Math.min(buckets - 1, Math.floor(((receivedAt - from) / (to - from || 1)) * buckets));
      const at = bucket * levels.length + rankOf(level);
      counts[at] = (counts[at] ?? 0) + 1;
    }
    return times.length === 0 ? { from: 0, to: 0, counts } : { from, to, counts };
  }

  /** How many matches there would be of each value if the query had no terms with that key; most first. */
  facets(key: 'level' | 'session' | 'logger' | 'kind'): readonly Facet[] {
    const terms = this.query.terms.filter((term) => term.key !== key);
    const counts = new Map<string, number>();
    for (const record of this.log.store.query().filter(this.test(terms))) {
      const value = key === 'session' ? (record.sessionId ?? 'none') : record[key];
      if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    return [...counts].map(([value, count]) => ({ value, count })).sort((a, b) => b.count - a.count);
  }

  dispose(): void {
    this.isDisposed = true;
    this.subscription.dispose();
  }

  private async update(): Promise<void> {
    await this.options.yieldToHost();
    if (this.isDisposed) return;
    const all = this.log.store.query();
    this.matches = all.filter(this.test(this.query.terms));
    const hint = this.query.hints.find(({ type }) => type === 'badRegex' || type === 'longRegex');
    const error = hint && (hint.value ?? 'The expression is too long.');
    this.current = {
      total: this.matches.length,
      scanned: all.length,
      of: all.length,
      isDone: true,
      ...(error !== undefined && { error }),
    };
    this.changeEmitter.fire(this.current);
  }

  private test(terms: readonly Term[]): (record: LogRecord) => boolean {
    const tests = termGroups(terms).map(({ terms: some, negated }) => {
      const each = some.map((term) => this.termTest(term));
      return (record: LogRecord) => each.some((test) => test(record)) !== negated;
    });
    return (record) => tests.every((test) => test(record));
  }

  private termTest(term: Term): (record: LogRecord) => boolean {
    switch (term.key) {
      case 'text': {
        const text = term.text.toLowerCase();
        return ({ message, logger }) => [message, logger].some((one) => one?.toLowerCase().includes(text));
      }
      case 'regex': {
        const bad = this.query.hints.some(({ type }) => type === 'badRegex' || type === 'longRegex');
        const expression = bad ? /(?!)/ : new RegExp(term.source, term.ignoresCase ? 'i' : '');
        return ({ message, logger }) => expression.test(message) || (logger !== undefined && expression.test(logger));
      }
      case 'level':
        return ({ level }) => passesLevel(level, term.values);
      case 'session':
        return ({ sessionId }) => {
          const title = sessionId === undefined ? undefined : this.log.find(sessionId)?.title;
          return passesSession(sessionId === undefined ? undefined : { id: sessionId, title }, term.values);
        };
      case 'logger': {
        const tests = term.values.map(globTest);
        return ({ logger }) => logger !== undefined && tests.some((test) => test(logger));
      }
      case 'kind':
        return ({ kind }) => term.values.includes(kind);
      case 'since':
      case 'until': {
        const newest = this.log.store.get(this.log.lastSeq)?.receivedAt ?? this.options.now();
        const times = term.values.map((value) => resolveTime(value, term.key, this.options.now(), newest));
        return ({ receivedAt }) =>
          times.some((time) => (term.key === 'since' ? receivedAt >= time : receivedAt <= time));
      }
      case 'is':
        return isProblem;
      case 'has':
        return ({ data }) => data !== undefined;
      case 'raw': {
        const texts = term.values.map((value) => value.toLowerCase());
        return ({ seq }) => {
          const raw = this.log.store.raw(seq)?.toLowerCase();
          return texts.some((text) => raw?.includes(text));
        };
      }
      case 'seq':
        return ({ seq }) => passesSeq(seq, term.values);
    }
  }
}
