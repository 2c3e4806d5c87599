import type { Level } from '../text/level';
import { parseLevel } from '../text/level';
import { kinds } from '../text/record';
import type { Language, QueryOf, TermOf, ValuesOf } from './language';
import { anyText, oneOf, sessionHelp } from './language';
import { t } from '../text/translator';
import { timeHelp, timeKeys, timeSynonyms } from './timeValue';

/** A level, and everything more severe unless it is exact. */
export interface LevelValue {
  readonly level: Level;
  readonly isExact: boolean;
}

/** Record numbers, both included; absent ends are open. */
export interface SeqValue {
  readonly from?: number;
  readonly to?: number;
}

const keys = {
  level: levelValue,
  /** The last 8 characters of an id, a whole id, a title with `*` for anything, or `none`. */
  session: anyText,
  /** With `*` for anything. */
  logger: anyText,
  /** The end of a path, or a whole one with `*` for anything. */
  file: anyText,
  kind: oneOf(kinds),
  ...timeKeys,
  is: oneOf(['problem']),
  has: oneOf(['data']),
  /** Part of the line of the wire, in any case. */
  raw: anyText,
  seq: seqValue,
};

/** The language of records. */
export const recordLanguage: Language<typeof keys> = {
  keys,
  help: {
    level: { about: t('this level and above; with = only this'), example: 'level:warning' },
    session: sessionHelp,
    logger: { about: t('a logger; * for anything'), example: 'logger:http*' },
    file: { about: t('calls that changed a file; * for anything'), example: 'file:src/a.ts' },
    kind: { about: t('a kind of record'), example: 'kind:stderr' },
    ...timeHelp,
    is: { about: t('warnings and above, and diagnoses'), example: 'is:problem' },
    has: { about: t('records with data'), example: 'has:data' },
    raw: { about: t('text in the line on the wire'), example: 'raw:toolCallId' },
    seq: { about: t('records by number'), example: 'seq:100..200' },
  },
  synonyms: timeSynonyms,
};

export type KeyValues = ValuesOf<typeof keys>;
export type Term = TermOf<typeof keys>;
export type QueryKey = KeyValues['key'];
export type Query = QueryOf<typeof keys>;

/** All keys, in the order of suggestions. */
export const queryKeys = Object.keys(keys) as readonly QueryKey[];

function levelValue(text: string): LevelValue | undefined {
  const isExact = text.startsWith('=');
  const level = parseLevel(isExact ? text.slice(1) : text);
  return level && { level, isExact };
}

/** `100`, `100..200`, `100..` or `..200`; `*` is an open end as well. */
function seqValue(text: string): SeqValue | undefined {
  const one = /^\d{1,15}$/.test(text) ? Number(text) : undefined;
  if (one !== undefined) return { from: one, to: one };
  const ends = /^(\d{1,15}|\*)?\.\.(\d{1,15}|\*)?$/.exec(text);
  if (!ends) return undefined;
  const [, from = '*', to = '*'] = ends;
  if (Number(from) > Number(to)) return undefined;
  return { ...(from !== '*' && { from: Number(from) }), ...(to !== '*' && { to: Number(to) }) };
}
