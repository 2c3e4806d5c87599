import type { Line } from '../../src/text/bytes/line';
import { CutLine } from '../../src/wire/lines/longLine';
import type { WireEvent } from '../../src/wire/wireEvent';

/** A wire event as a plain object, for comparison. */
export function plainEvent(event: WireEvent): object;
export function plainEvent(event: WireEvent | undefined): object | undefined;
export function plainEvent(event: WireEvent | undefined): object | undefined {
  if (event === undefined || event.dir === 'ev') return event;
  const { t, dir, line, bytes, kept } = event;
  const msg = event.dir === 'err' ? undefined : event.msg;
  return {
    t,
    dir,
    line,
    ...(msg !== undefined && { msg }),
    ...(bytes !== undefined && { bytes }),
    ...(kept !== undefined && { kept }),
  };
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
  return {
    text,
    ...(bytes !== undefined && { bytes }),
    ...(envelopes.length > 0 && { envelopes }),
    ...(whole && { whole }),
  };
}
