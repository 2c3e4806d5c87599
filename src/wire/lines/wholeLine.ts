import { kernel } from '../../redact/sought';
import { ByteChunk } from '../../text/bytes/byteChunk';
import { Line } from '../../text/bytes/line';

/** Bytes that are one line, whatever line feeds they have. */
export function wholeLine(bytes: Buffer): Line {
  return new Line(new ByteChunk(bytes), 0, bytes.length, kernel.contents(bytes));
}
