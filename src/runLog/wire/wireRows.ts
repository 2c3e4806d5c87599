import { ownKey } from '../../text/ownText';
import type { RequestId } from '../../text/json';
import type { Carried } from './carried';
import type { WireKind, WireRowDirection, WireStatus } from './wirePage';
import { pageRows, WirePage } from './wirePage';

/** A message, or a request with its answer. */
export interface WireEntry {
  /** Unique in the run, in wire order. */
  readonly row: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly kind: WireKind;
  readonly direction: WireRowDirection;
  /** For an event of an agent's stream, its type; for an HTTP exchange, the HTTP method. */
  readonly method: string;
  /** What the message is about, such as `tool_call Read README.md`; '' if its method says it all. */
  readonly carried: string;
  readonly sessionId: string | undefined;
  readonly status: WireStatus;
  /** A JSON-RPC error code, or an HTTP status. */
  readonly code: number | undefined;
  readonly id: string | undefined;
  /** Bytes of the message, and of its answer. */
  readonly size: number;
  readonly answerSize: number;
  /** Time until the answer, or another end, in milliseconds; absent while pending. */
  readonly took: number | undefined;
  /** The newest record after reading the message, or its answer. */
  readonly seq: number;
  /** Absent unless it is a request that was answered. */
  readonly answerSeq: number | undefined;
}

/** Where a row's columns are. */
export interface WirePlace {
  readonly page: WirePage;
  readonly place: number;
}

/** When a message was read: the newest record after it, and the time. */
interface ReadAt {
  readonly seq: number;
  readonly at: number;
}

type NewRow = Omit<WireEntry, 'row' | 'id' | 'code' | 'answerSize' | 'took' | 'seq' | 'answerSeq' | 'carried'> & {
  readonly id?: RequestId | undefined;
  readonly carried?: Carried;
};

const defaultMaxBytes = 6.5 * 1024 * 1024;
const maxNames = 2000;
const maxName = 200;
/** Stands for all methods, or all sessions, after the first `maxNames`. */
const otherName = '…';

/** Requests with their answers, and other messages, in columns. The oldest are dropped above a limit of memory. */
export class WireRows {
  private readonly pages = new Map<number, WirePage>();
  readonly methods = new Names();
  readonly sessions = new Names();
  /** The kinds of what messages carry. */
  readonly carriedKinds = new Names();
  /** The number of the next row. */
  private next = 0;
  private firstKept = 0;
  private pageBytes = 0;

  /** @param maxBytes memory limit for the pages; beyond it, the oldest is dropped */
  constructor(private readonly maxBytes = defaultMaxBytes) {}

  /** Number of rows still in memory. */
  get count(): number {
    return this.next - this.firstKept;
  }

  /** The number of the oldest row that is kept, and the one after the newest. */
  get firstRow(): number {
    return this.firstKept;
  }

  get endRow(): number {
    return this.next;
  }

  /** Number of rows dropped to save memory. */
  dropped = 0;

  /** Approximate memory use. */
  get bytes(): number {
    return this.pageBytes + this.methods.bytes + this.sessions.bytes + this.carriedKinds.bytes;
  }

  /** Calls `use` for each row, oldest first. */
  forEach(use: (at: WirePlace, row: number) => void): void {
    for (const [number, page] of this.pages) {
      const first = number * pageRows;
      const at = { page, place: Math.max(0, this.firstKept - first) }; // reused: there are a hundred thousand
      for (; at.place < page.count; at.place++) use(at, first + at.place);
    }
  }

  get(row: number): WireEntry | undefined {
    const page = this.pages.get(Math.floor(row / pageRows));
    const place = row % pageRows;
    if (!page || row < this.firstKept || place >= page.count) return undefined;
    const status = page.status(place);
    const session = this.sessions.at(page.sessions[place] ?? 0);
    return {
      row,
      at: page.times[place] ?? 0,
      kind: page.kind(place),
      carried: this.carriedAt(page, place),
      direction: page.isIncoming(place) ? 'in' : 'out',
      method: this.methods.at(page.methods[place] ?? 0),
      sessionId: session === '' ? undefined : session,
      status,
      code: page.code(place),
      id: page.id(place),
      size: page.sizes[place] ?? 0,
      answerSize: page.answerSizes[place] ?? 0,
      took: status === 'none' || status === 'pending' ? undefined : page.took[place],
      seq: page.seqs[place] ?? 0,
      answerSeq: page.isAnswered(place) ? page.answerSeqs[place] : undefined,
    };
  }

  /**
   * The row whose message or answer made a record.
   * @param isOwn whether a message made it; otherwise, the row of what was read before it
   */
  rowOf(seq: number, isOwn: boolean): number | undefined {
    let own = { row: -1, seq: Infinity, at: Infinity };
    let before = { row: -1, seq: -1, at: -Infinity };
    const consider = (row: number, newest: number, at: number): void => {
      const read = { row, seq: newest, at };
      if (newest >= seq) own = isBefore(read, own) ? read : own;
      else before = isBefore(read, before) ? before : read;
    };
    this.forEach(({ page, place }, row) => {
      const at = page.times[place] ?? 0;
      consider(row, page.seqs[place] ?? 0, at);
      if (page.isAnswered(place)) consider(row, page.answerSeqs[place] ?? 0, at + (page.took[place] ?? 0));
    });
    const [first, second] = isOwn ? [own, before] : [before, own];
    const { row } = first.row < 0 ? second : first;
    return row < 0 ? undefined : row;
  }

  carriedAt(page: WirePage, place: number): string {
    const kind = this.carriedKinds.at(page.carriedKinds[place] ?? 0);
    const about = page.about(place);
    return kind === '' || about === '' ? kind + about : `${kind} ${about}`;
  }

  /** Number of earlier rows with the same time, kind, direction and method. */
  rankAmongTwins(entry: WireEntry): number {
    let rank = 0;
    for (let row = entry.row - 1; row >= this.firstKept; row--) {
      const other = this.get(row);
      if (!other || other.at !== entry.at) break;
      const { kind, direction, method } = other;
      if (kind === entry.kind && direction === entry.direction && method === entry.method) rank++;
    }
    return rank;
  }

  /** Drops everything before some rows. */
  protected forgetBefore(rows: Iterable<number>): void {
    this.firstKept = Math.min(this.next, ...rows);
    for (const number of this.pages.keys()) if ((number + 1) * pageRows <= this.firstKept) this.drop(number);
  }

  protected pageOf(row: number): WirePage | undefined {
    return this.pages.get(Math.floor(row / pageRows));
  }

  protected settle(row: number | undefined, status: WireStatus, at: number, seq: number): WirePage | undefined {
    const page = row === undefined ? undefined : this.pageOf(row);
    if (!page || row === undefined) return undefined;
    const place = row % pageRows;
    page.setStatus(place, status);
    page.took[place] = Math.max(0, at - (page.times[place] ?? at)); // clocks may be set back
    page.answerSeqs[place] = seq;
    return page;
  }

  protected add({ carried, ...message }: NewRow, seq: number): number {
    const { at, kind, direction, method, sessionId, status, id, size } = message;
    const row = this.next++;
    const page = this.pageFor(row);
    const place = row % pageRows;
    const before = page.bytes;
    page.count = place + 1;
    page.times[place] = at;
    page.setFlags(place, kind, direction, status);
    page.methods[place] = this.methods.numberOf(method);
    page.sessions[place] = this.sessions.numberOf(sessionId ?? '');
    page.setId(place, typeof id === 'string' ? ownKey(id, maxName) : id);
    page.sizes[place] = size;
    if (carried) page.setCarried(place, this.carriedKinds.numberOf(carried.kind), carried.about);
    page.seqs[place] = seq;
    this.pageBytes += page.bytes - before;
    return row;
  }

  private pageFor(row: number): WirePage {
    const number = Math.floor(row / pageRows);
    const known = this.pages.get(number);
    if (known) return known;
    const page = new WirePage();
    this.pages.set(number, page);
    this.pageBytes += page.bytes;
    for (const oldest of this.pages.keys()) {
      if (this.pageBytes <= this.maxBytes || oldest === number) break;
      const first = (oldest + 1) * pageRows;
      this.dropped += Math.max(0, first - this.firstKept);
      this.firstKept = Math.max(first, this.firstKept);
      this.drop(oldest);
    }
    return page;
  }

  private drop(number: number): void {
    this.pageBytes -= this.pages.get(number)?.bytes ?? 0;
    this.pages.delete(number);
  }
}

/** Interns names as numbers. Number 0 is the empty name. Bounded, because agents choose the names. */
class Names {
  private readonly names = [''];
  private readonly numbers = new Map([['', 0]]);
  bytes = 0;

  get all(): readonly string[] {
    return this.names;
  }

  at(number: number): string {
    return this.names[number] ?? '';
  }

  /** Returns the number of `otherName` if the table is full. */
  numberOf(name: string): number {
    const known = this.numbers.get(name.length > maxName ? name.slice(0, maxName) : name);
    if (known !== undefined) return known;
    const kept = this.names.length < maxNames ? ownKey(name, maxName) : otherName;
    const again = this.numbers.get(kept);
    if (again !== undefined) return again;
    this.names.push(kept);
    this.numbers.set(kept, this.names.length - 1);
    this.bytes += 100 + 2 * kept.length;
    return this.names.length - 1;
  }
}

/** Whether one was read before the other, by the newest record then, or else the time. */
function isBefore(one: ReadAt, other: ReadAt): boolean {
  return one.seq < other.seq || (one.seq === other.seq && one.at < other.at);
}

/** Whether a message with this name may be the row's. */
export function hasMethod({ method }: WireEntry, name: string): boolean {
  return method === otherName || method === ownKey(name, maxName);
}

/** Whether a message with this ID may be the row's. */
export function hasId({ id }: WireEntry, given: RequestId | undefined): boolean {
  return given !== undefined && id === ownKey(String(given), maxName);
}
