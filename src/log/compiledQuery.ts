import { levels, rankOf, reaches } from './level';
import type { Level } from './level';
import type { RecordQuery } from './filter';
import type { LogRecord, RecordKind } from './record';
import { kinds } from './record';

/** So many loggers are remembered in a search. */
const maxLoggers = 1000;

const kindNumbers = Object.fromEntries(kinds.map((kind, number) => [kind, number])) as Record<RecordKind, number>;

/** A level and a kind as one number below 256, for a column of them. */
export function codeOf(level: Level, kind: RecordKind): number {
  return rankOf(level) * kinds.length + kindNumbers[kind];
}

/** The level and the kind of such a number. */
export function decoded(code: number): Pick<LogRecord, 'level' | 'kind'> {
  return {
    level: levels[Math.floor(code / kinds.length)] ?? 'info',
    kind: kinds[code % kinds.length] ?? 'log',
  };
}

/** So many codes there are. */
export const codeCount = levels.length * kinds.length;

/** What a search asks of each record, without making an object of it first. */
export interface CompiledQuery {
  /** For each level and kind, by its code, 1 where it is wanted. */
  readonly wanted: Uint8Array;
  /** Received at or after this time, in milliseconds since the epoch. */
  readonly since: number;
  readonly text: TextTest | undefined;
}

/** Whether a message or its logger has a text in it, in any case. */
export class TextTest {
  private readonly expression: RegExp;
  private readonly loggers = new Map<string, boolean>();

  constructor(text: string) {
    // An expression that ignores case makes no copy in lower case of each message.
    this.expression = new RegExp(text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'i');
  }

  has(message: string, logger: string | undefined): boolean {
    return this.expression.test(message) || (logger !== undefined && this.isIn(logger));
  }

  /** Loggers are few: each is tested once. */
  private isIn(logger: string): boolean {
    const known = this.loggers.get(logger);
    if (known !== undefined) return known;
    const found = this.expression.test(logger);
    if (this.loggers.size < maxLoggers) this.loggers.set(logger, found);
    return found;
  }
}

export function compiled(query: RecordQuery): CompiledQuery {
  const { minLevel, kinds: some, since = -Infinity, text } = query;
  return {
    wanted: wantedCodes(
      ({ level, kind }) => (minLevel === undefined || reaches(level, minLevel)) && (some?.includes(kind) ?? true),
    ),
    since,
    text: text === undefined ? undefined : new TextTest(text),
  };
}

/** The table of what a test wants that looks at the level and the kind only. */
export function wantedCodes(test: (fields: Pick<LogRecord, 'level' | 'kind'>) => boolean): Uint8Array {
  return Uint8Array.from(levels.flatMap((level) => kinds.map((kind) => (test({ level, kind }) ? 1 : 0))));
}
