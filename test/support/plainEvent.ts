import type { Line } from '../../src/text/bytes/line';
import { CutLine } from '../../src/wire/lines/longLine';
import type { WireEvent } from '../../src/wire/wireEvent';

/** A wire event as a plain object, for comparison. */
export function plainEvent(event: WireEvent): object;
export function plainEvent(event: WireEvent | undefined): object | undefined;
export function plainEvent(event: WireEvent | undefined): object | undefined {
  if (event === undefined || event.dir === 'ev') return event;
  const { t, dir, line, bytes, kept } = event;
  return defined({ t, dir, line, msg: event.dir === 'err' ? undefined : event.msg, bytes, kept });
}

/** A line as a plain object, for comparison. */
export function plainLine(line: Line): {
  readonly text: string;
  readonly bytes?: number;
  readonly envelopes?: CutLine['envelopes'];
  readonly whole?: Buffer;
} {
  const { text, bytes } = line;
  if (!(line instanceof CutLine)) return { text };
  const { envelopes, whole } = line;
  return defined({ text, bytes, envelopes: envelopes.length > 0 ? envelopes : undefined, whole });
}

/** Without what isn't defined. */
function defined<T extends object>(object: T): { readonly [Name in keyof T]: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as never;
}
