// AssemblyScript: a dialect of TypeScript that compiles to WebAssembly. `scripts/kernel.mjs` compiles it, `../kernel.ts` is its door, and
// `../reference.ts` says the same in plain TypeScript.
//
// It looks at each byte of a chunk once, sixteen at a time, and writes a row for each line: where it starts and ends, and what is in it.
//
// How sixteen bytes are looked at. A `v128` is a register of sixteen bytes, and an operation on it is one instruction for all of them.
// `i8x16.eq(a, b)` compares each byte of `a` with that of `b`: 0xff where they are the same, otherwise 0. `i8x16.bitmask` takes one bit
// of each byte, so that the answer is an ordinary number: bit 3 is set if byte 3 was the same. `ctz` counts the zeros below the lowest
// set bit, which is the place of the first match, and `bits & (bits - 1)` removes that bit.
//
// How many texts are looked for at once. `i8x16.swizzle(table, indexes)` looks up sixteen bytes in a table of sixteen. A byte has two
// halves of four bits, so two tables, one for each half, tell for each byte in which of eight groups of texts it may be: one bit a group,
// set in both tables. Groups of the first byte AND those of the next byte AND those of the third leave few places, at which the text is then
// compared. Hyperscan and ripgrep call this Teddy.
//
// What memory holds (the door writes the tables, once):
const groupTables = 0; // six tables of sixteen bytes: the lower and upper half of the first, second and third byte of a fragment
const moreGroupTables = 96; // the same for eight more groups
const classTables = 192; // two tables of sixteen bytes: see `tokenKinds`
const byteClasses = 256; // a byte for each of 256 bytes: the sets that it is in, as below
const fragmentHeads = 1024; // 512 numbers, by a hash of two bytes: the first fragment that begins so, times 64, plus how many there are
const prefixHeads = 3072; // the same for the prefixes of tokens
const entries = 8192; // 32 bytes for each fragment and prefix
const input = 131072; // the chunk

// The sets of bytes, as bits.
const token = 1; // may be in a token
const word = 2; // may be in a name: letters, digits, `_` and `-`
const sentence = 4; // may be between a name and its value in a sentence
const valueNext = 8; // right after a name: its value may follow
const valueAfterBlank = 16; // the same after blanks
const separator = 32; // between a name and a long value
const letter = 64;
const addressEnd = 128; // can't be in the address of a URL before its host

// An entry: eight bytes to compare, a mask for them (0xdf for letters in any case), then four numbers.
const entryBytes = 32;
const thenAt = 16;
const unlessAt = 20;
const needAt = 24;
// What has to follow.
const thenValue = 1; // what may be the value of a name
const thenLong = 2; // a separator and a long value
const thenAddress = 3; // an `@` in the same address
const thenToken = 4; // this many bytes of a token
// What must not follow it.
const unlessLetter = 1;
const unlessPlural = 2;

// What a line has in it, as bits of its row.
const beyondAscii = 1;
const control = 2;
const backslash = 4;
const candidate = 8;
const invalid = 16; // no valid UTF-8

/** Whether line feeds end lines. */
let splits = false;

/** Of a shorter run of token bytes none is a token. */
const minRun = 13;
const longValue = 16;

export function inputAt(): i32 {
  return input;
}

function is(at: i32, set: i32): bool {
  return ((<i32>load<u8>(byteClasses + <i32>load<u8>(at))) & set) != 0;
}

function isDigit(byte: u8): bool {
  return byte >= 48 && byte <= 57;
}

function hash(at: i32): i32 {
  return ((((<i32>load<u8>(at)) | 32) * 31 + ((<i32>load<u8>(at + 1)) | 32)) & 511) << 2;
}

/** Whether a token of at least this many bytes begins here. */
function isRun(at: i32, need: i32): bool {
  for (let n = 0; n < need; n++) if (!is(at + n, token)) return false;
  return true;
}

/** Whether an entry is here, and what has to follow it. */
function isEntryAt(at: i32, heads: i32): bool {
  const head = load<i32>(heads + hash(at));
  return head != 0 && isOneOf(at, entries + (head >> 6) * entryBytes, head & 63);
}

/** The same of the entries with one hash. */
function isOneOf(at: i32, first: i32, count: i32): bool {
  const end = first + count * entryBytes;
  for (let entry = first; entry < end; entry += entryBytes) {
    if ((load<u64>(at) & load<u64>(entry + 8)) == load<u64>(entry) && isFollowed(at, entry)) return true;
  }
  return false;
}

/** A prefix comes after no letter, digit or dash; an escape, which may end with some, begins with one of four characters. */
function isTokenAt(at: i32): bool {
  if (isEntryAt(at, prefixHeads)) return true;
  const before = load<u8>(at - 1);
  if (before != 92 && before != 37 && before != 91 && before != 59) return false; // \ % [ ;
  for (let n = 1; n <= 5 && is(at + n, token); n++) if (isEntryAt(at + n, prefixHeads)) return true;
  return false;
}

/** Whether what follows an entry is as it has to be. */
function isFollowed(at: i32, entry: i32): bool {
  const end = at + ((71 - <i32>clz(load<u64>(entry + 8))) >> 3);
  const unless = load<i32>(entry + unlessAt);
  if (unless == unlessLetter && is(end, letter)) return false;
  if (unless == unlessPlural && (load<u8>(end) | 32) == 115) return false;
  switch (load<i32>(entry + thenAt)) {
    case thenValue:
      return isValueAfter(at, end);
    case thenLong:
      return isLongValueAfter(end);
    case thenAddress:
      return isAddressAfter(end);
    case thenToken:
      return isRun(end, load<i32>(entry + needAt));
    default:
      return true;
  }
}

function isAddressAfter(at: i32): bool {
  for (let n = 0; n < 512; n++) {
    if (load<u8>(at + n) == 64) return true;
    if (is(at + n, addressEnd)) return false;
  }
  return false;
}

function isLongValueAfter(at: i32): bool {
  let end = at;
  while (end < at + 24 && isSeparator(end)) end++;
  if ((load<u32>(end) | 0x200000) << 8 == 0x64332500) {
    // `%3D` may belong to the value.
    if (end > at && isRun(valueStart(at + 1, end), longValue)) return true;
    const more = end + 3;
    end = more;
    while (end < more + 24 && isSeparator(end)) end++;
    return isRun(valueStart(more, end), longValue);
  }
  return end > at && isRun(valueStart(at + 1, end), longValue);
}

/** Where a value begins: a `=` before it may belong to it. */
function valueStart(first: i32, end: i32): i32 {
  let start = end;
  while (start > first && load<u8>(start - 1) == 61) start--;
  return start;
}

function isSeparator(at: i32): bool {
  return is(at, separator) && (load<u8>(at) != 10 || !splits);
}

/** Whether what comes after a piece of a name may be its value. */
function isValueAfter(at: i32, from: i32): bool {
  let end = from;
  while (end < from + 48 && is(end, word)) end++;
  if (is(end, valueNext)) return true;
  if (load<u8>(end) != 32) return false;
  return isValueAfterBlank(end) || isOption(at) || (isToldName(from, end) && isTold(end));
}

/** After blanks: a quote or the like, a word and then a colon or the like, or `value`. */
function isValueAfterBlank(from: i32): bool {
  let at = from;
  while (at < from + 40 && load<u8>(at) == 32) at++;
  if (is(at, valueAfterBlank)) return true;
  if (load<u32>(at) == 0x756c6176 && load<u8>(at + 4) == 101) return true;
  const start = at;
  while (at < start + 32 && (load<u8>(at) == 46 || (is(at, word) && load<u8>(at) != 45))) at++;
  if (at == start) return false;
  const blanks = at;
  while (at < blanks + 4 && (load<u8>(at) == 32 || load<u8>(at) == 9)) at++;
  const next = load<u8>(at);
  return next == 58 || (is(at, valueAfterBlank) && next >= 38 && next <= 93 && next != 39 && next != 92); // : = * & < > [ ]
}

/** Whether a name is an option, or what a command sets: `--token abc`, `ENV TOKEN abc`, `login me token`. */
function isOption(at: i32): bool {
  let start = at;
  while (start > at - 64 && is(start - 1, word)) start--;
  if (isAuthName(at)) return true;
  if (is(start - 1, word)) return false;
  if (load<u8>(start) == 45) return true;
  if (load<u8>(start - 1) != 32) return false;
  const two = load<u16>(start - 3);
  return (
    two == 0x564e || // NV
    two == 0x4752 || // RG
    two == 0x7465 || // et
    two == 0x7874 || // tx
    two == 0x766e || // nv
    two == 0x7472 || // rt
    two == 0x656e || // ne
    two == 0x7867 || // gx
    two == 0x782d || // -x
    isLoginBefore(start - 1)
  );
}

/** `_auth` and `_authToken`, as npm has them. */
function isAuthName(at: i32): bool {
  return load<u8>(at - 1) == 95 || load<u32>(at - 4) == 0x68747561;
}

function isLoginBefore(blank: i32): bool {
  let at = blank;
  while (at > blank - 64 && load<u8>(at - 1) > 32) at--;
  return at < blank && load<u8>(at - 1) == 32 && load<u32>(at - 6) == 0x69676f6c && load<u8>(at - 2) == 110;
}

/** Whether a name is one that a sentence tells the value of: `password`, `credentials`, `keys`. */
function isToldName(from: i32, end: i32): bool {
  const length = end - from;
  if (length == 0) return true;
  const last = load<u8>(end - 1) | 32;
  if (length == 1) return last == 115 || last == 101; // s, e
  // word, wort, phrase, ential, entials
  return length <= 7 && (last == 100 || last == 116 || last == 101 || last == 108 || last == 115);
}

/** Whether a sentence may tell a value: a word with a digit, of eight bytes or more, or a mark that is no end of a sentence. */
function isTold(from: i32): bool {
  let at = from;
  while (at < from + 128 && is(at, sentence)) at++;
  const byte = load<u8>(at);
  const before = load<u8>(at - 1);
  if (byte < 32) return before == 45;
  if (byte == 34) return before == 32 || before == 40;
  if (byte == 33 || byte == 63 || byte == 59) return false; // ! ? ;
  if (!isDigit(byte)) return true;
  let start = at;
  while (load<u8>(start - 1) > 32) start--;
  while (at < start + 8 && load<u8>(at) > 32) at++;
  return at >= start + 8;
}

/** Which of sixteen bytes may be in a token (upper half of the result), and which are letters, digits and dashes (lower half). */
function tokenKinds(bytes: v128): u32 {
  const kinds = halves(classTables, bytes);
  const all = i8x16.ne(kinds, i8x16.splat(0));
  const plain = i8x16.ne(v128.and(kinds, i8x16.splat(15)), i8x16.splat(0));
  return ((<u32>i8x16.bitmask(all)) << 16) | (<u32>i8x16.bitmask(plain));
}

/** The groups of fragments that may be at each of sixteen places, by the bytes there and at the next two places. */
function groups(tables: i32, first: v128, second: v128, third: v128): v128 {
  return v128.and(halves(tables, first), v128.and(halves(tables + 32, second), halves(tables + 64, third)));
}

/** Looks up both halves of sixteen bytes. */
function halves(tables: i32, bytes: v128): v128 {
  return v128.and(
    i8x16.swizzle(v128.load(tables), v128.and(bytes, i8x16.splat(15))),
    i8x16.swizzle(v128.load(tables + 16), i8x16.shr_u(bytes, 4)),
  );
}

/** Bits at which at least this many bytes of a token are in a row: of twice as many bits, each step looks twice as far. */
function runs(tokens: u32): u32 {
  let bits = tokens & (tokens >> 1);
  bits &= bits >> 2;
  bits &= bits >> 4;
  return bits & (bits >> (minRun - 8));
}

/** What a line has in it, of the bytes whose bits are in the mask. */
function contents(mask: u32, high: u32, controls: u32, slashes: u32, hits: u32): i32 {
  return (
    (high & mask ? beyondAscii : 0) |
    (controls & mask ? control : 0) |
    (slashes & mask ? backslash : 0) |
    (hits & mask ? candidate : 0)
  );
}

/**
 * Looks at `length` bytes at `input`. Before and after them the door has put line feeds.
 * @param out where a row of three numbers is written for each line: its start, its end without its line break, and what is in it
 * @param isSplit whether a line feed ends a line; otherwise all is one line, and line feeds are control characters
 * @returns the number of lines. The last one has no line feed
 */
export function scan(length: i32, out: i32, isSplit: bool): i32 {
  const zero = i8x16.splat(0);
  const end = input + length;
  splits = isSplit;
  let row = out;
  let start = input;
  let found = 0;
  let plainBefore: u32 = 0; // whether the byte before is a letter, a digit or a dash
  let kinds = tokenKinds(v128.load(input));
  for (let at = input; at < end; at += 16) {
    const bytes = v128.load(at);
    const next = v128.load(at + 1);
    const valid: u32 = end - at >= 16 ? 0xffff : (1 << (end - at)) - 1;

    const nextKinds = tokenKinds(v128.load(at + 16));
    const plain = kinds & 0xffff;
    let starts = (kinds >> 16) & ~((plain << 1) | plainBefore) & runs((kinds >> 16) | (nextKinds & 0xffff0000)) & valid;
    plainBefore = plain >> 15;
    kinds = nextKinds;

    const afterNext = v128.load(at + 2);
    const fragments = v128.or(
      groups(groupTables, bytes, next, afterNext),
      groups(moreGroupTables, bytes, next, afterNext),
    );
    const feed = i8x16.eq(bytes, i8x16.splat(10));
    const slash = i8x16.eq(bytes, i8x16.splat(92));
    // Less than 32: controls and, as negative numbers, what is beyond ASCII.
    const isSpecial = v128.any_true(v128.or(slash, i8x16.lt_s(bytes, i8x16.splat(32))));
    if (!isSpecial && !starts && !v128.any_true(fragments)) continue;

    let hits: u32 = 0;
    let places = (<u32>i8x16.bitmask(i8x16.ne(fragments, zero))) & valid;
    for (; places; places &= places - 1) {
      const place = ctz(places);
      if (isEntryAt(at + place, fragmentHeads)) hits |= 1 << place;
    }
    for (; starts; starts &= starts - 1) {
      const place = ctz(starts);
      if (isTokenAt(at + place)) hits |= 1 << place;
    }
    if (!isSpecial) {
      if (hits) found |= candidate;
      continue;
    }
    hits |= (<u32>i8x16.bitmask(v128.or(i8x16.eq(bytes, zero), i8x16.eq(bytes, i8x16.splat(27))))) & valid;
    // The carriage return of a line break is no part of the line.
    const breaks = v128.and(i8x16.eq(bytes, i8x16.splat(13)), i8x16.eq(next, i8x16.splat(10)));
    const feeds = (<u32>i8x16.bitmask(feed)) & valid;
    const last: u32 = end - at <= 16 ? 1 << (end - at - 1) : 0;
    const returns = (<u32>i8x16.bitmask(breaks)) & (isSplit ? valid : last);
    let ends = isSplit ? feeds : 0;
    const controls = (<u32>i8x16.bitmask(i8x16.lt_u(bytes, i8x16.splat(32)))) & valid & ~ends & ~returns;
    const high = (<u32>i8x16.bitmask(bytes)) & valid;
    const slashes = (<u32>i8x16.bitmask(slash)) & valid;
    let mask = valid;
    for (; ends; ends &= ends - 1) {
      const place = ctz(ends);
      const before: u32 = (1 << place) - 1;
      found |= contents(mask & before, high, controls, slashes, hits);
      row = writeRow(row, start, at + place, found);
      start = at + place + 1;
      found = 0;
      mask &= ~((before << 1) | 1);
    }
    found |= contents(mask, high, controls, slashes, hits);
  }
  row = writeRow(row, start, end, found);
  return (row - out) / 12;
}

/** A carriage return before the end of a line isn't part of it. Returns where the next row goes. */
function writeRow(row: i32, start: i32, end: i32, found: i32): i32 {
  const last = end > start && load<u8>(end - 1) == 13 ? end - 1 : end;
  store<i32>(row, start - input);
  store<i32>(row + 4, last - input);
  store<i32>(row + 8, found & beyondAscii && !isUtf8(start, last) ? found | invalid : found);
  return row + 12;
}

/** The Unicode Standard, table 3-7: which bytes may follow which. */
function isUtf8(start: i32, end: i32): bool {
  let at = start;
  while (at < end) {
    const first = load<u8>(at++);
    if (first < 0x80) continue;
    if (first < 0xc2 || first > 0xf4) return false;
    const more = first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
    if (at + more > end) return false;
    const second = load<u8>(at);
    if (second < (first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80)) return false;
    if (second > (first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf)) return false;
    for (let n = 1; n < more; n++) if ((load<u8>(at + n) & 0xc0) != 0x80) return false;
    at += more;
  }
  return true;
}
