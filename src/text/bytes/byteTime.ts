import type { ByteChunk } from './byteChunk';
import { ByteText } from './byteText';

/** Of `2026-01-05T09:00:00.000Z`, which `Date.prototype.toISOString` writes of years with four digits (ECMA-262, "Date Time String Format"). */
const isoTimeLength = 24;
const minuteLength = 16;
const isoMinute = /^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d$/;
const [zero, colon, dot] = [48, 58, 46];
const letterZ = 90;

/** Reads times from bytes. Those of one minute share the work: `Date.parse` of each takes longer than all else that is done with a message. */
export class ByteTime {
  private minute: ByteText | undefined;
  private minuteStart = NaN;

  /** In milliseconds since the epoch; NaN for what is no time. */
  read(chunk: ByteChunk, start: number, end: number): number {
    const time = this.readIso(chunk, start, end);
    return Number.isNaN(time) ? Date.parse(chunk.bytes.toString('utf8', start, end)) : time;
  }

  /** Likewise, of those that `toISOString` writes; NaN for all others. */
  readIso(chunk: ByteChunk, start: number, end: number): number {
    const { bytes } = chunk;
    const isUsual =
      end - start === isoTimeLength &&
      bytes[start + 16] === colon &&
      bytes[start + 19] === dot &&
      bytes[start + 23] === letterZ;
    return isUsual ? this.minuteOf(chunk, start) + timeInMinute(bytes, start + 17) : NaN;
  }

  private minuteOf(chunk: ByteChunk, start: number): number {
    const end = start + minuteLength;
    if (this.minute?.isAt(chunk, start, end) !== true) {
      const minute = chunk.bytes.toString('latin1', start, end);
      this.minute = new ByteText(minute);
      this.minuteStart = isoMinute.test(minute) ? Date.parse(`${minute}:00.000Z`) : NaN;
    }
    return this.minuteStart;
  }
}

/** `00.000` in milliseconds; NaN for what is none. */
function timeInMinute(bytes: Buffer, at: number): number {
  const seconds = twoDigits(bytes, at);
  const hundredths = twoDigits(bytes, at + 3);
  const last = (bytes[at + 5] ?? 0) - zero;
  if (!(seconds < 60 && hundredths < 100 && last >= 0 && last < 10)) return NaN;
  return seconds * 1000 + hundredths * 10 + last;
}

/** NaN for what is no number. */
function twoDigits(bytes: Buffer, at: number): number {
  const [tens, units] = [(bytes[at] ?? 0) - zero, (bytes[at + 1] ?? 0) - zero];
  return tens >= 0 && tens < 10 && units >= 0 && units < 10 ? tens * 10 + units : NaN;
}
