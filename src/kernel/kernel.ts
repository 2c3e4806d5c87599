import type { LineScanner, Sought } from './fragment';
import { contents } from './fragment';
import { Reference } from './reference';

/** Where the chunk is in the kernel's memory, as `assembly/kernel.ts` has it. */
const inputAt = 131_072;
const pageBytes = 65_536;
/** What may be read before and after the input. */
const margin = 64;
const marginBefore = 256;
const rowNumbers = 3;
/** In a longer line may be anything: it isn't looked at, because the kernel's memory stays. */
const maxInput = 4 * 1_048_576;
/** A character may have so many bytes in UTF-8. */
const mostOfCharacter = 3;
const anything = Object.values(contents).reduce((all, bit) => all | bit, 0);
const lineFeed = 10;

type Scan = (length: number, out: number, isSplit: boolean) => number;

/** What the build makes, in base64. */
export interface BuiltKernel {
  /** WebAssembly. */
  readonly module: string;
  /** What its memory begins with (`tables.ts`). */
  readonly tables: string;
}

/** Both as the build puts them into the bundles, and the tests into the global object. Elsewhere there are none. */
declare const agentLogsKernel: string;
declare const agentLogsKernelTables: string;

function embedded(): BuiltKernel | undefined {
  if (typeof agentLogsKernel === 'undefined') return undefined;
  return { module: agentLogsKernel, tables: agentLogsKernelTables };
}

/** Looks at each byte once, in WebAssembly. Where that is missing or forbidden, or fails, the reference serves. */
export class Kernel implements LineScanner {
  readonly #sought: () => Sought;
  readonly #built: BuiltKernel | undefined;
  #instance: Instance | undefined;
  #reference: Reference | undefined;

  /**
   * @param sought for the reference
   * @param built with the tables of the same
   */
  constructor(sought: () => Sought, built = embedded()) {
    this.#sought = sought;
    this.#built = built;
  }

  lines(bytes: Uint8Array): Int32Array {
    return this.#scanner.lines(bytes);
  }

  contents(bytes: Uint8Array): number {
    return bytes.length > maxInput ? anything : this.#scanner.contents(bytes);
  }

  /** The same for a text, encoded as UTF-8. The reference takes longer than whatever follows: without WebAssembly it may be anything. */
  textContents(text: string): number {
    return text.length * mostOfCharacter > maxInput ? anything : (this.#loaded()?.textContents(text) ?? anything);
  }

  get #scanner(): LineScanner {
    return this.#loaded() ?? this.#plain();
  }

  #loaded(): Instance | undefined {
    if (this.#instance || this.#reference || !this.#built) return this.#instance;
    try {
      this.#instance = new Instance(this.#built);
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
class Instance implements LineScanner {
  readonly #memory = new WebAssembly.Memory({ initial: 4 });
  readonly #scan: Scan;
  readonly #encoder = new TextEncoder();
  #bytes = new Uint8Array(this.#memory.buffer);
  #numbers = new Int32Array(this.#memory.buffer);
  #input = this.#bytes.subarray(inputAt);

  constructor({ module, tables }: BuiltKernel) {
    const compiled = new WebAssembly.Module(Buffer.from(module, 'base64'));
    const { exports } = new WebAssembly.Instance(compiled, { env: { memory: this.#memory } });
    this.#scan = exports['scan'] as Scan;
    this.#bytes.set(Buffer.from(tables, 'base64'));
    this.#bytes.fill(lineFeed, inputAt - marginBefore, inputAt);
  }

  lines(bytes: Uint8Array): Int32Array {
    this.#makeRoom(bytes.length, bytes.length + 1);
    this.#input.set(bytes);
    const out = this.#close(bytes.length);
    const count = this.#scan(bytes.length, out, true);
    return this.#numbers.slice(out >> 2, (out >> 2) + count * rowNumbers);
  }

  contents(bytes: Uint8Array): number {
    this.#makeRoom(bytes.length, 1);
    this.#input.set(bytes);
    return this.#oneLine(bytes.length);
  }

  textContents(text: string): number {
    this.#makeRoom(text.length * mostOfCharacter, 1);
    return this.#oneLine(this.#encoder.encodeInto(text, this.#input).written);
  }

  /** What is in the input, taken as one line. */
  #oneLine(length: number): number {
    const out = this.#close(length);
    this.#scan(length, out, false);
    return this.#numbers[(out >> 2) + 2] ?? 0;
  }

  /** Ends the input. Returns where rows go behind it. */
  #close(length: number): number {
    const end = inputAt + length;
    this.#bytes.fill(lineFeed, end, end + margin);
    return (end + margin + 3) & ~3;
  }

  #makeRoom(length: number, rows: number): void {
    const missing = inputAt + length + margin + 4 + rows * rowNumbers * 4 - this.#bytes.length;
    if (missing <= 0) return;
    this.#memory.grow(Math.ceil(missing / pageBytes));
    this.#bytes = new Uint8Array(this.#memory.buffer);
    this.#numbers = new Int32Array(this.#memory.buffer);
    this.#input = this.#bytes.subarray(inputAt);
  }
}
