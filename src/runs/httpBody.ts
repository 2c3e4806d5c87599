/** The text of a body; where it is longer than `maxBytes`, its beginning and the length of all of it. */
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
