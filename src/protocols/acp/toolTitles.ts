import { BoundedMap } from '../../log/boundedMap';
import type { JsonObject } from '../../log/json';
import { textOf } from '../../log/json';
import { ownHead } from '../../log/ownText';
import { sessionKey } from '../sessionIds';

/** Maximum number of tool calls to remember. */
const maxTitles = 1000;
/** Maximum length of a title, in characters. Records show less. */
const maxTitle = 1000;

/** Remembers the titles of tool calls, because updates only contain the call's ID. */
export class ToolTitles {
  private readonly titles = new BoundedMap<string, string>(maxTitles);

  /** Whether the update's tool call already has a title. */
  has(sessionId: string | undefined, update: JsonObject): boolean {
    return this.titles.has(sessionKey(sessionId, textOf(update['toolCallId']) ?? ''));
  }

  titleOf(sessionId: string, toolCallId: string | undefined): string | undefined {
    return toolCallId === undefined ? undefined : this.titles.get(sessionKey(sessionId, toolCallId));
  }

  /** Adds the tool call's title to an update that lacks one. */
  titled(sessionId: string | undefined, update: JsonObject): JsonObject {
    const id = textOf(update['toolCallId']);
    if (id === undefined) return update;
    const key = sessionKey(sessionId, id);
    const title = textOf(update['title']);
    if (title === undefined) return this.titles.has(key) ? { ...update, title: this.titles.get(key) } : update;
    this.titles.set(key, ownHead(title, maxTitle));
    return update;
  }
}
