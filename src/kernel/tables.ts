import type { Fragment, Prefix, Sought } from './fragment';
import { byteSets, maxFragment } from './fragment';

/** Where things are in the kernel's memory, as `assembly/kernel.ts` has it. */
const places = { groups: 0, classes: 192, sets: 256, fragments: 1024, prefixes: 3072, entries: 8192 };
const entryBytes = 32;
const groupCount = 16;

const thenCodes = { value: 1, long: 2, address: 3 } as const;
const unlessCodes = { letter: 1, plural: 2 } as const;

/** What the kernel's memory begins with, so that it finds these. `scripts/kernel.mjs` makes it in the build. */
export function kernelTables({ fragments, prefixes }: Sought): Uint8Array {
  const memory = new Uint8Array(places.entries + entryBytes * (fragments.length + prefixes.length));
  const view = new DataView(memory.buffer);
  Object.values(byteSets).forEach((set, bit) => {
    for (const byte of bytesIn(set)) memory[places.sets + byte] = (memory[places.sets + byte] ?? 0) | (1 << bit);
  });
  const names = fragments.map(fragmentEntry);
  writeGroups(memory, names);
  writeKinds(memory);
  const used = writeEntries(view, names, places.fragments, 0);
  writeEntries(view, prefixes.map(prefixEntry), places.prefixes, used);
  return memory;
}

/** A fragment or prefix as the kernel compares it. */
interface Entry {
  readonly bytes: Uint8Array;
  /** The bits of each byte that count. */
  readonly masks: Uint8Array;
  readonly then: number;
  readonly unless: number;
  readonly need: number;
}

function fragmentEntry({ text, anyCase = false, unless, then }: Fragment): Entry {
  const bytes = Buffer.from(text).subarray(0, maxFragment);
  const masks = bytes.map((byte) =>
    anyCase && (byte >= 0x80 || /[a-z]/i.test(String.fromCharCode(byte))) ? 0xdf : 0xff,
  );
  const isToken = typeof then === 'number';
  return {
    bytes: bytes.map((byte, n) => byte & (masks[n] ?? 0)),
    masks,
    then: then === undefined ? 0 : isToken ? 4 : thenCodes[then],
    unless: unless === undefined ? 0 : unlessCodes[unless],
    need: isToken ? then : 0,
  };
}

/** A prefix is a part of its token. */
function prefixEntry({ text, length }: Prefix): Entry {
  return fragmentEntry({ text, then: length - Math.min(text.length, maxFragment) });
}

/** The halves that the first three bytes of the texts of a group may have, as bits, lower and upper half in turn. */
type Halves = readonly number[];

/** Puts each fragment into the group that it makes the least longer to look at. */
function writeGroups(memory: Uint8Array, all: readonly Entry[]): void {
  const groups: Halves[] = Array.from({ length: groupCount }, () => [0, 0, 0, 0, 0, 0]);
  for (const own of all.map(halvesOf)) {
    const joined = groups.map((group) => group.map((bits, n) => bits | (own[n] ?? 0)));
    const costs = joined.map((group, n) => expected(group) - expected(groups[n] ?? []));
    const best = costs.indexOf(Math.min(...costs));
    groups[best] = joined[best] ?? own;
  }
  groups.forEach((group, n) => {
    const tables = places.groups + 96 * (n >> 3);
    group.forEach((bits, table) => {
      for (let half = 0; half < 16; half++) {
        if ((bits & (1 << half)) !== 0) {
          memory[tables + 16 * table + half] = (memory[tables + 16 * table + half] ?? 0) | (1 << (n & 7));
        }
      }
    });
  });
}

function halvesOf({ bytes, masks }: Entry): Halves {
  return [0, 1, 2].flatMap((n) => {
    const byte = bytes[n];
    // After a fragment of two bytes may be anything.
    if (byte === undefined) return [0xffff, 0xffff];
    const [upper, other] = [byte >> 4, masks[n] === 0xff ? byte >> 4 : (byte | 0x20) >> 4];
    return [1 << (byte & 15), (1 << upper) | (1 << other)];
  });
}

/** How often a place looks like one of a group, in proportion. */
function expected(group: Halves): number {
  return [0, 2, 4].reduce((product, n) => product * frequency(group[n] ?? 0, group[n + 1] ?? 0), 1);
}

/** The characters of logs, the commonest first. */
const common = Buffer.from(' etasonirdlcm-pgu"0f1h2b435678_9.yv/,:wkxjqz');

function frequency(lower: number, upper: number): number {
  const isIn = (byte: number): boolean => (lower & (1 << (byte & 15))) !== 0 && (upper & (1 << (byte >> 4))) !== 0;
  return common.reduce((sum, byte, n) => (isIn(byte) ? sum + 1 / (n + 8) : sum), 0.001);
}

/** The bytes of tokens by their halves: bits 0 to 3 for letters, digits and dashes, the others for the rest. Upper halves with the same lower ones share a bit. */
function writeKinds(memory: Uint8Array): void {
  const plain = new Set(bytesIn('A-Za-z0-9-'));
  const rest = bytesIn(byteSets.token).filter((byte) => !plain.has(byte));
  [[...plain], rest].forEach((bytes, kind) => {
    const bits = new Map<string, number>();
    for (let upper = 0; upper < 16; upper++) {
      const lowers = bytes.filter((byte) => byte >> 4 === upper).map((byte) => byte & 15);
      if (lowers.length === 0) continue;
      const key = lowers.join();
      const bit = bits.get(key) ?? 4 * kind + bits.size;
      bits.set(key, bit);
      const at = places.classes + 16 + upper;
      memory[at] = (memory[at] ?? 0) | (1 << bit);
      for (const lower of lowers) memory[places.classes + lower] = (memory[places.classes + lower] ?? 0) | (1 << bit);
    }
  });
}

/** Returns how many entries there are now. */
function writeEntries(view: DataView, all: readonly Entry[], heads: number, used: number): number {
  const byHash = new Map<number, Entry[]>();
  for (const entry of all) {
    const key = hashOf(entry.bytes);
    byHash.set(key, [...(byHash.get(key) ?? []), entry]);
  }
  let next = used;
  for (const [key, group] of byHash) {
    view.setInt32(heads + key * 4, next * 64 + group.length, true);
    for (const { bytes, masks, then, unless, need } of group) {
      const at = places.entries + entryBytes * next++;
      bytes.forEach((byte, n) => view.setUint8(at + n, byte));
      masks.forEach((mask, n) => view.setUint8(at + 8 + n, mask));
      [then, unless, need].forEach((number, n) => view.setInt32(at + 16 + 4 * n, number, true));
    }
  }
  return next;
}

function hashOf(bytes: Uint8Array): number {
  return (((bytes[0] ?? 0) | 32) * 31 + ((bytes[1] ?? 0) | 32)) & 511;
}

function bytesIn(set: string): readonly number[] {
  const expression = new RegExp(`[${set}]`);
  return Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => expression.test(String.fromCharCode(byte)));
}
