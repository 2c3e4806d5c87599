import type { TextTest } from '../query/textTest';
import type { LogRecord } from '../text/record';
import type { NameColumn } from './nameColumn';
import type { CompactColumns, Page } from './page';
import { PageColumns } from './pageColumns';
import type { PagePart, PageReader, SavedPage } from './pageReader';
import type { ShortSessionIds } from './shortSessionIds';

/** Objects of a spilled page outside its columns, in bytes. */
const overhead = 1500;

/** A page whose texts are in a file. Only its columns stay in memory, about 11 bytes per record. */
export class SpilledPage extends PageColumns {
  readonly count: number;
  protected readonly seqs: Uint32Array;
  protected readonly received: Float64Array | Uint32Array;
  protected readonly receivedBase: number;
  protected readonly codes: Uint8Array;
  protected readonly flags: Uint8Array;
  protected readonly counts: Uint16Array;
  protected readonly loggers: NameColumn;
  /** Its memory, in bytes. */
  readonly bytes: number;

  constructor(
    columns: CompactColumns,
    readonly saved: SavedPage,
    readonly sessionId: string | undefined,
    private readonly reader: PageReader,
  ) {
    super();
    this.count = columns.codes.length;
    this.seqs = columns.seqs;
    this.received = columns.received;
    this.receivedBase = columns.receivedBase;
    this.codes = columns.codes;
    this.flags = columns.flags;
    this.counts = columns.counts;
    this.loggers = columns.loggers;
    this.bytes = overhead + columns.bytes;
  }

  get fileBytes(): number {
    return this.saved.place.length;
  }

  /** The page with its texts; `undefined` if they can't be read. */
  read(part: PagePart): Promise<Page | undefined> {
    return this.reader.read(this.saved, part);
  }

  override placesOfText(text: TextTest, first: number): readonly number[] {
    return this.reader.readNow(this.saved)?.placesOfText(text, first) ?? [];
  }

  override recordAt(at: number, sessionId: string | undefined, ids: ShortSessionIds): LogRecord | undefined {
    return this.reader.readNow(this.saved)?.recordAt(at, sessionId, ids);
  }

  override rawAt(at: number): string | undefined {
    return this.reader.readNow(this.saved)?.rawAt(at);
  }
}
