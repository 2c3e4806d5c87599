import type { Level } from '../../log/level';
import { oneLine } from '../../log/text';
import type { JsonObject } from '../../protocols/json';
import { arrayOf, isObject, objectOf, textOf } from '../../protocols/json';
import { levelOfType } from '../../protocols/lsp/logMessage';

/** What a server wants the person to see (LSP "window/showMessage"). */
export interface ShownMessage {
  readonly level: Level;
  readonly text: string;
  /** What the person can choose from. */
  readonly actions: readonly string[];
}

/** Shows a message where the person wants that; answers the action that they chose, if any. */
export type ShowMessage = (message: ShownMessage) => PromiseLike<string | undefined>;

/** How many messages of a server are shown at once, and as many of its questions: the others are only in the log. */
const maxShown = 3;
const maxActions = 10;
const maxTitle = 80;

/** The messages of one server, which may be many. */
export class LspMessages {
  /** Messages that are never closed don't keep questions from being shown: each kind has its own count. */
  private readonly shown = { messages: 0, questions: 0 };

  constructor(private readonly showMessage: ShowMessage) {}

  /** Shows what `window/showMessage` brings, or `window/showMessageRequest`; answers the action chosen, as the server gave it. */
  async show(params: unknown): Promise<JsonObject | null> {
    const { type, message, actions } = objectOf(params);
    const text = textOf(message);
    const level = levelOfType(type) ?? 'info';
    // Types `Log` and `Debug` are for the log alone.
    if (text === undefined || level === 'debug') return null;
    const offered = arrayOf(actions)
      .filter((action) => isObject(action))
      .filter(({ title }) => textOf(title) !== undefined)
      .slice(0, maxActions);
    const titles = offered.map(({ title }) => oneLine(textOf(title) ?? '', maxTitle));
    const kind = titles.length > 0 ? 'questions' : 'messages';
    if (this.shown[kind] >= maxShown) return null;
    this.shown[kind]++;
    try {
      const chosen = await this.showMessage({ level, text, actions: titles });
      return offered[titles.findIndex((title) => title === chosen)] ?? null;
    } finally {
      this.shown[kind]--;
    }
  }
}
