import fc from 'fast-check';

const bytesOf = (text: string): Buffer => Buffer.from(text, 'utf8');

/** Anything that can come out of a pipe: all kinds of line breaks, NUL, text in any script, invalid UTF-8, empty and long lines. */
export const anyBytes: fc.Arbitrary<Buffer> = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom('\n', '\r\n', '\r', '\n\n', '\u0000', '€', '👩‍👩‍👧', '\ufeff').map(bytesOf) },
      { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }).map(bytesOf) },
      {
        weight: 2,
        arbitrary: fc
          .constantFrom([0xff], [0x80], [0xc3], [0xf0, 0x9f], [0xed, 0xa0, 0x80])
          .map((bytes) => Buffer.from(bytes)),
      },
      { weight: 1, arbitrary: fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes)) },
      {
        weight: 1,
        arbitrary: fc
          .oneof(fc.integer({ min: 1, max: 200 }), fc.constantFrom(4999, 5000, 5001))
          .map((length) => Buffer.alloc(length, 120)),
      },
    ),
    { maxLength: 40, size: 'max' },
  )
  .map((pieces) => Buffer.concat(pieces));

/** Sizes of chunks, repeated from the start when used up. */
export const cuts: fc.Arbitrary<readonly number[]> = fc.oneof(
  fc.constant([1]),
  fc
    .array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 20, size: 'max' })
    .filter((sizes) => sizes.some((size) => size > 0)),
  fc.constant([65_536]),
);

/** Splits bytes into chunks of these sizes; some may be empty. */
export function inPieces(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const pieces: Buffer[] = [];
  let at = 0;
  for (let i = 0; at < bytes.length; i++) {
    const size = sizes[i % sizes.length] ?? 1;
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  return pieces;
}
