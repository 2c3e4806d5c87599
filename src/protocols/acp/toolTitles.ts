import type { JsonObject } from '../json';
import { textOf } from '../json';

/** So many tool calls are remembered; a longer run forgets the oldest. */
const maxTitles = 1000;

/** Remembers what tool calls are called: an update names only the call's id. */
export class ToolTitles {
  private readonly titles = new Map<string, string>();

  /** Whether the update's tool call has been seen, with a title. */
  has(update: JsonObject): boolean {
    return this.titles.has(textOf(update['toolCallId']) ?? '');
  }

  /** The update with the title of its tool call, where it has none of its own. */
  titled(update: JsonObject): JsonObject {
    const id = textOf(update['toolCallId']);
    if (id === undefined) return update;
    const title = textOf(update['title']);
    if (title === undefined) return this.titles.has(id) ? { ...update, title: this.titles.get(id) } : update;
    this.titles.delete(id);
    this.titles.set(id, title);
    const [oldest] = this.titles.keys();
    if (this.titles.size > maxTitles && oldest !== undefined) this.titles.delete(oldest);
    return update;
  }
}
