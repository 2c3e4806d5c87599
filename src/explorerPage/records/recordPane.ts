import type { CutText, DataNode, DataPath, RecordDetails } from '../../explorer/page/messages';
import type { Page } from '../page';

/** The details of a record, whose parts are loaded on demand. */
export class RecordPane {
  /** `null` if the record is no longer in memory; absent until it is loaded. */
  details: RecordDetails | null | undefined;
  /** Members of the record's data that have been loaded, by the path of their parent. */
  members: ReadonlyMap<string, readonly DataNode[]> = new Map();
  /** Full strings by path, and the raw line as `raw`. */
  texts: ReadonlyMap<string, CutText> = new Map();

  constructor(private readonly page: Page) {}

  /** Shows a record; the previous one stays visible until it is loaded. */
  open(seq: number): void {
    this.page.ask('record.details', { seq }, (details) => {
      if (this.details?.seq !== seq) this.members = this.texts = new Map();
      this.details = details;
      this.page.update({});
    });
  }

  /** Loads the next members of a value. */
  loadMembers(path: DataPath): void {
    const { details } = this;
    const key = path.join('.');
    const known = this.members.get(key) ?? [];
    if (!details) return;
    this.page.ask('record.members', { seq: details.seq, path, from: known.length }, (nodes) => {
      this.members = new Map(this.members).set(key, [...known, ...nodes]);
      this.page.update({});
    });
  }

  loadValue(path: DataPath): void {
    const { details } = this;
    if (details) this.page.ask('record.value', { seq: details.seq, path }, (text) => this.show(path.join('.'), text));
  }

  loadRaw(): void {
    const { details } = this;
    if (details) this.page.ask('record.raw', { seq: details.seq }, (text) => this.show('raw', text));
  }

  private show(key: string, text: CutText | undefined): void {
    if (!text) return;
    this.texts = new Map(this.texts).set(key, text);
    this.page.update({});
  }
}
