import type { CutText, DataPath } from '../../ui/explorer/messages';
import type { Page } from '../page';

/** Loads the content of the details pane. */
export class DetailsPane {
  constructor(private readonly page: Page) {}

  /** Shows a record; the previous one stays visible until it is loaded. */
  open(seq: number): void {
    const { details } = this.page.view;
    if (details?.seq === seq) return;
    if (!details) this.page.update({ details: null, isGone: false });
    this.page.ask('record.details', { seq }, (found) => {
      if (this.page.view.details === undefined) return; // closed meanwhile
      this.page.update({ details: found, isGone: found === null, pages: new Map(), texts: new Map() });
    });
  }

  close(): void {
    this.page.update({ details: undefined, isGone: false, pages: new Map(), texts: new Map() });
  }

  /** Loads the next members of a value. */
  loadMembers(path: DataPath): void {
    const { details, pages } = this.page.view;
    const key = path.join('.');
    const known = pages.get(key) ?? [];
    if (!details) return;
    this.page.ask('record.members', { seq: details.seq, path, from: known.length }, (nodes) =>
      this.page.update({ pages: new Map(this.page.view.pages).set(key, [...known, ...nodes]) }),
    );
  }

  loadValue(path: DataPath): void {
    const { details } = this.page.view;
    if (details) this.page.ask('record.value', { seq: details.seq, path }, (text) => this.show(path.join('.'), text));
  }

  loadRaw(): void {
    const { details } = this.page.view;
    if (details) this.page.ask('record.raw', { seq: details.seq }, (text) => this.show('raw', text));
  }

  private show(key: string, text: CutText | undefined): void {
    if (text) this.page.update({ texts: new Map(this.page.view.texts).set(key, text) });
  }
}
