import type { Sort } from '../../query/sorting';

/** Rows per page. */
export const pageRows = 1024;

/** Kinds of rows. */
export const wireKinds = ['request', 'notification', 'http'] as const;
export type WireKind = (typeof wireKinds)[number];

/** How a row ended. `none`: it needs no answer. `unanswered`: its run ended first. */
export const wireStatuses = ['none', 'pending', 'ok', 'error', 'cancelled', 'unanswered'] as const;
export type WireStatus = (typeof wireStatuses)[number];

/** `out`: from the client to the agent. */
export type WireRowDirection = 'out' | 'in';

/** What rows can be sorted by. */
export const wireSortKeys = ['time', 'method', 'status', 'took', 'size', 'session'] as const;
export type WireSortKey = (typeof wireSortKeys)[number];
export type WireSort = Sort<WireSortKey>;

/** Number of rows of each kind, regardless of the filter. */
export interface WireCounts {
  readonly requests: number;
  readonly notifications: number;
  readonly http: number;
  readonly errors: number;
  readonly pending: number;
}

const kindMask = 0b11;
const inFlag = 0b100;
const statusShift = 3;
/** Overhead of a map entry, excluding the characters of its text, in bytes. */
const entryBytes = 64;
const minInt32 = -(2 ** 31) + 1;
const maxInt32 = 2 ** 31 - 1;
/** In `ids`: no ID, or one that isn't a 32-bit integer. */
const noNumber = -(2 ** 31);

/** Columns of the rows, indexed by their place in the page. */
export class WirePage {
  /** Milliseconds since the epoch. */
  readonly times = new Float64Array(pageRows);
  /** Time until the answer, in milliseconds. */
  readonly took = new Uint32Array(pageRows);
  /** Bytes of the message, and of its answer. */
  readonly sizes = new Uint32Array(pageRows);
  readonly answerSizes = new Uint32Array(pageRows);
  /** Numbers of interned names. */
  readonly methods = new Uint16Array(pageRows);
  readonly sessions = new Uint16Array(pageRows);
  readonly carriedKinds = new Uint16Array(pageRows);
  /** The newest record after reading the message, or its answer. */
  readonly seqs = new Uint32Array(pageRows);
  readonly answerSeqs = new Uint32Array(pageRows);
  private readonly flags = new Uint8Array(pageRows);
  private readonly ids = new Int32Array(pageRows);
  private readonly textIds = new Map<number, string>();
  private readonly codes = new Map<number, number>();
  private readonly abouts = new Map<number, string>();
  count = 0;
  private extraBytes = 0;

  /** Approximate memory use. */
  get bytes(): number {
    return pageRows * 39 + this.extraBytes;
  }

  kind(place: number): WireKind {
    return wireKinds[(this.flags[place] ?? 0) & kindMask] ?? 'request';
  }

  isIncoming(place: number): boolean {
    return ((this.flags[place] ?? 0) & inFlag) !== 0;
  }

  status(place: number): WireStatus {
    return wireStatuses[(this.flags[place] ?? 0) >> statusShift] ?? 'none';
  }

  /** Whether it is a request that was answered. */
  isAnswered(place: number): boolean {
    const status = this.status(place);
    return this.kind(place) === 'request' && (status === 'ok' || status === 'error');
  }

  setFlags(place: number, kind: WireKind, direction: WireRowDirection, status: WireStatus): void {
    const incoming = direction === 'in' ? inFlag : 0;
    this.flags[place] = wireKinds.indexOf(kind) | incoming | (wireStatuses.indexOf(status) << statusShift);
  }

  setStatus(place: number, status: WireStatus): void {
    const kept = (this.flags[place] ?? 0) & (kindMask | inFlag);
    this.flags[place] = kept | (wireStatuses.indexOf(status) << statusShift);
  }

  id(place: number): string | undefined {
    const number = this.ids[place] ?? noNumber;
    return number === noNumber ? this.textIds.get(place) : String(number);
  }

  setId(place: number, id: string | number | undefined): void {
    const isSmall = typeof id === 'number' && Number.isInteger(id) && id >= minInt32 && id <= maxInt32;
    this.ids[place] = isSmall ? id : noNumber;
    if (isSmall || id === undefined) return;
    const text = String(id);
    this.textIds.set(place, text);
    this.extraBytes += entryBytes + text.length;
  }

  /** What its message is about; '' if its kind says it all. */
  about(place: number): string {
    return this.abouts.get(place) ?? '';
  }

  setCarried(place: number, kind: number, about: string): void {
    this.carriedKinds[place] = kind;
    if (about === '') return;
    this.abouts.set(place, about);
    this.extraBytes += entryBytes + 2 * about.length;
  }

  /** A JSON-RPC error code, or an HTTP status. */
  code(place: number): number | undefined {
    return this.codes.get(place);
  }

  setCode(place: number, code: number): void {
    if (!this.codes.has(place)) this.extraBytes += entryBytes;
    this.codes.set(place, code);
  }
}
