import type { ByteChunk } from './byteChunk';
import { ByteText } from './byteText';

/** Of `2026-01-05T09:00:00.000Z`, which `Date.prototype.toISOString` writes of years with four digits (ECMA-262, "Date Time String Format"). */
const isoTimeLength = 24;
const dayLength = 10;
const isoDay = /^\d{4}-\d\d-\d\d$/;
const [zero, colon, dot] = [48, 58, 46];
const [letterT, letterZ] = [84, 90];

/** Reads times from bytes. Those of one day share the work: `Date.parse` of each takes longer than all else that is done with a message. */
export class ByteTime {
  private day: ByteText | undefined;
  private midnight = NaN;

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
      bytes[start + 10] === letterT &&
      bytes[start + 13] === colon &&
      bytes[start + 16] === colon &&
      bytes[start + 19] === dot &&
      bytes[start + 23] === letterZ;
    return isUsual ? this.dayOf(chunk, start) + timeOfDay(bytes, start + 11) : NaN;
  }

  private dayOf(chunk: ByteChunk, start: number): number {
    const end = start + dayLength;
    if (this.day?.isAt(chunk, start, end) !== true) {
      const day = chunk.bytes.toString('latin1', start, end);
      this.day = new ByteText(day);
      this.midnight = isoDay.test(day) ? Date.parse(`${day}T00:00:00.000Z`) : NaN;
    }
    return this.midnight;
  }
}

/** `09:00:00.000` in milliseconds; NaN for what is none. */
function timeOfDay(bytes: Buffer, at: number): number {
  const hours = twoDigits(bytes, at);
  const minutes = twoDigits(bytes, at + 3);
  const seconds = twoDigits(bytes, at + 6);
  const hundredths = twoDigits(bytes, at + 9);
  const last = (bytes[at + 11] ?? 0) - zero;
  if (!(hours < 24 && minutes < 60 && seconds < 60 && hundredths < 100 && last >= 0 && last < 10)) return NaN;
  return ((hours * 60 + minutes) * 60 + seconds) * 1000 + hundredths * 10 + last;
}

/** NaN for what is no number. */
function twoDigits(bytes: Buffer, at: number): number {
  const [tens, units] = [(bytes[at] ?? 0) - zero, (bytes[at + 1] ?? 0) - zero];
  return tens >= 0 && tens < 10 && units >= 0 && units < 10 ? tens * 10 + units : NaN;
}
