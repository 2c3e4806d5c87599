import type { Level } from '../../text/level';
import { oneLine } from '../../text/text';
import type { JsonObject } from '../../text/json';
import { arrayOf, isObject, objectOf, textOf } from '../../text/json';
import { levelOfType } from '../../protocols/lsp/logMessage';

/** A message that a server wants to show the user (LSP "window/showMessage"). */
export interface ShownMessage {
  readonly level: Level;
  readonly text: string;
  readonly actions: readonly string[];
}

/** Shows a message if the user has enabled it. Returns the chosen action, if any. */
export type ShowMessage = (message: ShownMessage) => PromiseLike<string | undefined>;

/** Maximum number of messages of a server to show at once, and of its questions; the others are only logged. */
const maxShown = 3;
const maxActions = 10;
const maxTitle = 80;

/** Shows the messages of one server and limits their number. */
export class LspMessages {
  /** Separate counts, so that messages that are never dismissed don't block questions. */
  private readonly shown = { messages: 0, questions: 0 };

  constructor(private readonly showMessage: ShowMessage) {}

  /** Handles `window/showMessage` and `window/showMessageRequest`. Returns the chosen action as the server sent it. */
  async show(params: unknown): Promise<JsonObject | null> {
    const { type, message, actions } = objectOf(params);
    const text = textOf(message);
    const level = levelOfType(type) ?? 'info';
    // Types `Log` and `Debug` are only logged.
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
