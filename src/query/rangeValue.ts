import { unitMs } from './timeValue';

/** Integers, inclusive. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Factors by lower-case unit; '' for numbers without one. */
export type Units = Readonly<Record<string, number>>;

export const timeUnits: Units = { '': 1, ...unitMs };

export function isWithin(value: number, ranges: readonly Range[]): boolean {
  return ranges.some(({ from, to }) => value >= from && value <= to);
}

/** Reads ranges with these units, in upper or lower case. */
export function rangeIn(units: Units): (text: string) => Range | undefined {
  return (text) => parseRange(text.toLowerCase(), units);
}

/** `>1s`, `>=1s`, `<5s`, `1s..5s`, or `1s` for at least that. Integers, inclusive. */
function parseRange(text: string, units: Units): Range | undefined {
  const [low, high] = text.split('..');
  if (high !== undefined) {
    const from = parseRange(`>=${low}`, units)?.from;
    const to = parseRange(`<=${high}`, units)?.to;
    return from === undefined || to === undefined ? undefined : filled({ from, to });
  }
  const [, sign = '>=', number = '', unit = ''] = /^([<>]=?)?(\d{1,12}(?:\.\d{1,6})?)([a-z]*)$/.exec(text) ?? [];
  const factor = units[unit];
  if (factor === undefined || number === '') return undefined;
  const value = Number(number) * factor;
  switch (sign) {
    case '>':
      return { from: Math.floor(value) + 1, to: Infinity };
    case '<':
      return filled({ from: 0, to: Math.ceil(value) - 1 });
    case '<=':
      return { from: 0, to: Math.floor(value) };
    default:
      return { from: Math.ceil(value), to: Infinity };
  }
}

/** Nothing is in `10s..1s` or `<0`. */
function filled(range: Range): Range | undefined {
  return range.from <= range.to ? range : undefined;
}
