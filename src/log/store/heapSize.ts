/** A string's header in V8, with the reference to it. */
const textHeader = 24;
/** A longer name of a member is counted: shorter ones are mostly the same in many records, and V8 keeps one of each. */
const sharedName = 16;

/** About how much memory a string takes, in bytes: V8 keeps one byte for each character of Latin 1, two for others. */
export function textBytes(text: string): number {
  return textHeader + Buffer.byteLength(text);
}

/** About how much memory a JSON value takes as objects of V8, in bytes. */
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
