import type { Fragment, LineScanner, Prefix, Sought } from './fragment';
import { byteSets, maxFragment } from './fragment';
import { Reference } from './reference';

/** Where things are in the kernel's memory, as `assembly/kernel.ts` has it. */
const places = { groups: 0, classes: 96, sets: 256, fragments: 1024, prefixes: 3072, entries: 8192, input: 131_072 };
const pageBytes = 65_536;
/** What may be read before and after the input. */
const margin = 256;
const entryBytes = 32;
const rowNumbers = 3;
/** Longer input is left to the reference: the kernel's memory stays. */
const maxInput = 1_048_576;
const groupCount = 8;
const lineFeed = 10;

const thenCodes = { value: 1, long: 2, address: 3 } as const;
const unlessCodes = { letter: 1, plural: 2 } as const;

type Scan = (length: number, out: number, isSplit: boolean) => number;

/** The kernel that the build embedded. */
function embedded(): string | undefined {
  return typeof agentLogsKernel === 'undefined' ? undefined : agentLogsKernel;
}

/** Looks at each byte once, in WebAssembly. Where that is missing or forbidden, or fails, the reference serves. */
export class Kernel implements LineScanner {
  readonly #sought: () => Sought;
  readonly #module: string | undefined;
  #instance: Instance | undefined;
  #reference: Reference | undefined;

  /**
   * @param sought called once, at the first chunk
   * @param module the compiled kernel in base64
   */
  constructor(sought: () => Sought, module = embedded()) {
    this.#sought = sought;
    this.#module = module;
  }

  lines(bytes: Uint8Array): Int32Array {
    const instance = bytes.length > maxInput ? undefined : this.#loaded();
    return instance ? instance.lines(bytes) : this.#plain().lines(bytes);
  }

  contents(bytes: Uint8Array): number {
    const instance = bytes.length > maxInput ? undefined : this.#loaded();
    return instance ? instance.contents(bytes) : this.#plain().contents(bytes);
  }

  #loaded(): Instance | undefined {
    if (this.#instance || this.#reference || this.#module === undefined) return this.#instance;
    try {
      this.#instance = new Instance(this.#module, this.#sought());
    } catch {
      this.#plain();
    }
    return this.#instance;
  }

  #plain(): Reference {
    return (this.#reference ??= new Reference(this.#sought()));
  }
}

/** The kernel and its memory. */
class Instance {
  readonly #memory = new WebAssembly.Memory({ initial: 4 });
  readonly #scan: Scan;
  #bytes = new Uint8Array(this.#memory.buffer);
  #numbers = new Int32Array(this.#memory.buffer);

  constructor(module: string, sought: Sought) {
    const compiled = new WebAssembly.Module(Buffer.from(module, 'base64'));
    const { exports } = new WebAssembly.Instance(compiled, { env: { memory: this.#memory } });
    this.#scan = exports['scan'] as Scan;
    writeTables(this.#bytes, sought);
    this.#bytes.fill(lineFeed, places.input - margin, places.input);
  }

  lines(bytes: Uint8Array): Int32Array {
    const out = this.#write(bytes, bytes.length + 1);
    const count = this.#scan(bytes.length, out, true);
    return this.#numbers.slice(out >> 2, (out >> 2) + count * rowNumbers);
  }

  contents(bytes: Uint8Array): number {
    const out = this.#write(bytes, 1);
    this.#scan(bytes.length, out, false);
    return this.#numbers[(out >> 2) + 2] ?? 0;
  }

  /** Copies the input. Returns where rows go behind it. */
  #write(bytes: Uint8Array, rows: number): number {
    const end = places.input + bytes.length;
    const out = (end + margin + 3) & ~3;
    const missing = out + rows * rowNumbers * 4 - this.#bytes.length;
    if (missing > 0) {
      this.#memory.grow(Math.ceil(missing / pageBytes));
      this.#bytes = new Uint8Array(this.#memory.buffer);
      this.#numbers = new Int32Array(this.#memory.buffer);
    }
    this.#bytes.set(bytes, places.input);
    this.#bytes.fill(lineFeed, end, end + margin);
    return out;
  }
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

function writeTables(memory: Uint8Array, { fragments, prefixes }: Sought): void {
  const view = new DataView(memory.buffer);
  Object.values(byteSets).forEach((set, bit) => {
    for (const byte of bytesIn(set)) memory[places.sets + byte] = (memory[places.sets + byte] ?? 0) | (1 << bit);
  });
  const names = fragments.map(fragmentEntry);
  names.forEach((entry) => writeGroups(memory, entry, groupOf(entry)));
  writeKinds(memory);
  const used = writeEntries(view, names, places.fragments, 0);
  writeEntries(view, prefixes.map(prefixEntry), places.prefixes, used);
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

function prefixEntry({ text, length }: Prefix): Entry {
  const bytes = Buffer.from(text).subarray(0, maxFragment);
  return { bytes, masks: bytes.map(() => 0xff), then: 0, unless: 0, need: length };
}

/** Those that begin alike share a group: each group then has few first bytes. Two bytes alone would weaken the others of their group. */
function groupOf({ bytes }: Entry): number {
  return bytes.length < 3 ? groupCount - 1 : (bytes[0] ?? 0) % (groupCount - 1);
}

/** Sets the bit of a group for the halves of the first three bytes, in either case. */
function writeGroups(memory: Uint8Array, { bytes, masks }: Entry, group: number): void {
  for (let n = 0; n < 3; n++) {
    for (let byte = 0; byte < 256; byte++) {
      if (n < bytes.length && (byte & (masks[n] ?? 0)) !== bytes[n]) continue;
      const [lower, upper] = [places.groups + n * 32 + (byte & 15), places.groups + n * 32 + 16 + (byte >> 4)];
      memory[lower] = (memory[lower] ?? 0) | (1 << group);
      memory[upper] = (memory[upper] ?? 0) | (1 << group);
    }
  }
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
