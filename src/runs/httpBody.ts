/** The beginning of a body, up to `maxBytes`: what came of it, also where it breaks off. The rest is not waited for, and none for longer than `maxMs` milliseconds. */
export async function readBeginning(body: ReadableStream<Uint8Array>, maxBytes: number, maxMs = 3000): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    const signal = AbortSignal.timeout(maxMs);
    for await (const chunk of body.pipeThrough(new TransformStream<Uint8Array, Uint8Array>(), { signal })) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= maxBytes) break; // which cancels it
    }
  } catch {
    // it says what it says
  }
  return Buffer.concat(chunks).toString('utf8', 0, maxBytes);
}

/**
 * The text of a body; where it is longer than `maxBytes`, its beginning and the length of all of it.
 * @throws where it breaks off
 */
export async function readBounded(
  body: ReadableStream<Uint8Array>,
  maxBytes: number,
): Promise<{ text: string; bytes?: number }> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    if (bytes < maxBytes) chunks.push(chunk);
    bytes += chunk.length;
  }
  const text = Buffer.concat(chunks).toString('utf8', 0, maxBytes);
  return bytes > maxBytes ? { text, bytes } : { text };
}

/** The response with another body. One without status (a redirect that is not followed) or that can have no body stays as it is. */
export function withBody(response: Response, body: ReadableStream<Uint8Array> | string): Response {
  const { status, statusText, headers } = response;
  if (status < 200 || status === 204 || status === 205 || status === 304) return response;
  return new Response(body, { status, statusText, headers });
}
