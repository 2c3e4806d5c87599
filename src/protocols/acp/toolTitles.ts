import type { JsonObject } from '../json';
import { textOf } from '../json';
import { ownHead } from '../../log/ownText';
import { sessionKey } from './sessionKey';

/** So many tool calls are remembered; a longer run forgets the oldest. */
const maxTitles = 1000;
/** So much of a title, in characters: a record shows less. */
const maxTitle = 1000;

/** Remembers what tool calls are called: an update names only the call's id. */
export class ToolTitles {
  private readonly titles = new Map<string, string>();

  /** Whether the update's tool call has been seen, with a title. */
  has(sessionId: string | undefined, update: JsonObject): boolean {
    return this.titles.has(sessionKey(sessionId, textOf(update['toolCallId']) ?? ''));
  }

  titleOf(sessionId: string, toolCallId: string | undefined): string | undefined {
    return toolCallId === undefined ? undefined : this.titles.get(sessionKey(sessionId, toolCallId));
  }

  /** The update with the title of its tool call, where it has none of its own. */
  titled(sessionId: string | undefined, update: JsonObject): JsonObject {
    const id = textOf(update['toolCallId']);
    if (id === undefined) return update;
    const key = sessionKey(sessionId, id);
    const title = textOf(update['title']);
    if (title === undefined) return this.titles.has(key) ? { ...update, title: this.titles.get(key) } : update;
    this.titles.delete(key);
    this.titles.set(key, ownHead(title, maxTitle));
    const [oldest] = this.titles.keys();
    if (this.titles.size > maxTitles && oldest !== undefined) this.titles.delete(oldest);
    return update;
  }
}
