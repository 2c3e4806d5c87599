import { gunzipSync } from 'node:zlib';

/** The blocks of data in a shared file, as text. */
export function sharedData(html: string): readonly string[] {
  const blocks = [...html.matchAll(/<script type="[^"]*"[^>]*id="agent-logs-[^"]*"[^>]*>([^<]*)</g)];
  return blocks.map(([, base64 = '']) => gunzipSync(Buffer.from(base64, 'base64')).toString());
}
