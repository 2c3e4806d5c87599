import { Line } from '../../../text/bytes/line';
import { wholeWordsOf } from '../../../text/wholeWords';
import { LongLine } from '../../../wire/lines/longLine';

/** Reads up to `maxBytes` of a body, for at most `maxMs` milliseconds. If the body breaks off, returns what was read. */
export async function readBeginning(body: ReadableStream<Uint8Array>, maxBytes: number, maxMs = 3000): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    const signal = AbortSignal.timeout(maxMs);
    for await (const chunk of body.pipeThrough(new TransformStream<Uint8Array, Uint8Array>(), { signal })) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= maxBytes) break; // Cancels the body.
    }
  } catch {
    // Return what came before the error.
  }
  const read = Buffer.concat(chunks);
  // What is shown of it is redacted later.
  return bytes > maxBytes ? wholeWordsOf(read.subarray(0, maxBytes)) : read.toString();
}

/**
 * Reads a body as a single line, even if it has several.
 * @param maxLineBytes longer bodies become a line over the limit
 * @throws if it breaks off
 */
export async function readLine(
  body: ReadableStream<Uint8Array>,
  maxLineBytes: number,
  maxWholeBytes: number,
): Promise<Line> {
  let chunks: Buffer[] = [];
  let bytes = 0;
  let long: LongLine | undefined;
  for await (const { buffer, byteOffset, byteLength } of body) {
    chunks.push(Buffer.from(buffer, byteOffset, byteLength));
    bytes += byteLength;
    if (bytes <= maxLineBytes) continue;
    long ??= new LongLine(maxLineBytes, { maxWholeBytes });
    for (const chunk of chunks) long.add(chunk);
    chunks = [];
  }
  return long ? long.end() : Line.of(Buffer.concat(chunks).toString());
}

/** Replaces the body of a response, unless it has no status (an unfollowed redirect) or can't have a body. */
export function withBody(response: Response, body: ReadableStream<Uint8Array> | string): Response {
  const { status, statusText, headers } = response;
  if (status < 200 || status === 204 || status === 205 || status === 304) return response;
  return new Response(body, { status, statusText, headers });
}
