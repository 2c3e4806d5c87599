/** A string's header in V8, with the reference to it. */
const textHeader = 24;
/** Only longer names of members are counted: V8 stores equal short names once. */
const sharedName = 16;

/** Approximate memory of a string, in bytes. V8 uses one byte per character for Latin 1, otherwise two. */
export function textBytes(text: string): number {
  return textHeader + Buffer.byteLength(text);
}

/** Approximate memory of a JSON value in V8, in bytes. */
export function valueBytes(value: unknown): number {
  let bytes = 0;
  const pending = [value];
  while (pending.length > 0) {
    const one = pending.pop();
    if (typeof one === 'string') bytes += textBytes(one);
    else if (Array.isArray(one)) {
      bytes += 48 + one.length * 8;
      for (const item of one) pending.push(item);
    } else if (typeof one === 'object' && one !== null) {
      bytes += 56;
      for (const [name, member] of Object.entries(one)) {
        bytes += 8 + (name.length > sharedName ? textBytes(name) : 0);
        pending.push(member);
      }
    } else if (typeof one === 'number') bytes += 8;
  }
  return bytes;
}
