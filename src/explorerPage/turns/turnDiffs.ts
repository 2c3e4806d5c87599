import type { ChangedSpan, SpanRow } from '../../explorer/turns/turnMessages';
import type { MenuItem } from '../menu/menuItem';
import type { Page } from '../page';

/** What VS Code's diff editors show of turns; nothing on a page without an editor. */
export class TurnDiffs {
  constructor(private readonly page: Page) {}

  /** Whether it changed files, and a diff editor can show them. */
  has({ files }: ChangedSpan): boolean {
    return files.length > 0 && this.page.view.run.hasEditor;
  }

  /** Shows what a span changed. @param file one of its files; all if absent */
  show(span: ChangedSpan | undefined, file?: number): void {
    if (span && this.has(span)) this.page.ask('turns.showChanges', { id: span.id, file: file ?? null });
  }

  /** Whether another turn can be picked to compare it with. */
  isComparable({ kind }: SpanRow): boolean {
    return kind === 'turn' && this.page.view.run.hasEditor;
  }

  /** Compares a turn with one that the user picks. */
  compare(row: SpanRow | undefined): void {
    if (row && this.isComparable(row)) this.page.ask('turns.compare', { id: row.id });
  }

  items(row: SpanRow): readonly MenuItem[] {
    const { t } = this.page.view;
    return [
      ...(this.has(row) ? [{ label: t('Show All Changes'), key: 'f', run: () => this.show(row) }] : []),
      ...(this.isComparable(row) ? [{ label: t('Compare With…'), key: 'd', run: () => this.compare(row) }] : []),
    ];
  }
}
