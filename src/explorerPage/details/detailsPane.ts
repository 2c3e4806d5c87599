import type { DataPath, HostMessage } from '../../ui/explorer/messages';
import type { Page } from '../page';

/** Loads the content of the details pane. */
export class DetailsPane {
  constructor(private readonly page: Page) {}

  /** Shows a record; the previous one stays visible until it is loaded. */
  open(seq: number): void {
    const { details } = this.page.view;
    if (details?.seq === seq) return;
    if (!details) this.page.update({ details: null, isGone: false });
    this.page.post({ t: 'details', seq });
  }

  close(): void {
    this.page.update({ details: undefined, isGone: false, pages: new Map(), texts: new Map() });
  }

  /** Loads the next members of a value. */
  loadMembers(path: DataPath): void {
    const { details, pages } = this.page.view;
    if (details) {
      this.page.post({ t: 'tree', seq: details.seq, path, from: pages.get(path.join('.'))?.length ?? 0 });
    }
  }

  loadValue(path: DataPath): void {
    const { details } = this.page.view;
    if (details) this.page.post({ t: 'value', seq: details.seq, path });
  }

  loadRaw(): void {
    const { details } = this.page.view;
    if (details) this.page.post({ t: 'raw', seq: details.seq });
  }

  receive(message: HostMessage & { t: 'details' | 'tree' | 'value' | 'raw' }): void {
    const { view } = this.page;
    if (message.t === 'details') {
      if (view.details === undefined) return; // closed meanwhile
      this.page.update({
        details: message.details,
        isGone: message.details === null,
        pages: new Map(),
        texts: new Map(),
      });
      return;
    }
    if (message.seq !== view.details?.seq) return;
    if (message.t === 'tree') {
      const key = message.path.join('.');
      const known = view.pages.get(key) ?? [];
      if (known.length !== message.from) return;
      this.page.update({ pages: new Map(view.pages).set(key, [...known, ...message.nodes]) });
    } else {
      const key = message.t === 'raw' ? 'raw' : message.path.join('.');
      const { text, missing } = message;
      this.page.update({ texts: new Map(view.texts).set(key, { text, missing }) });
    }
  }
}
