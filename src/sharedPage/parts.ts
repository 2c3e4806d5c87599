/** Reads a part of the file. @throws if it is missing or damaged */
export async function readPart<Part>(id: string): Promise<Part> {
  const block = document.getElementById(id);
  const bytes = bytesOf(block?.textContent ?? '');
  block?.remove(); // frees its memory
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return JSON.parse(await new Response(stream).text()) as Part;
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}
