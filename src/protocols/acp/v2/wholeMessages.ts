import type { JsonObject } from '../../json';
import { arrayOf, textOf } from '../../json';
import { contentText } from '../../contentText';
import { sessionKey } from '../../sessionIds';

/** Maximum number of messages to remember. */
const maxMessages = 200;

/** The speaker of a whole message, or `undefined` for any other update. */
export function wholeSpeakerOf(sessionUpdate: string | undefined): string | undefined {
  switch (sessionUpdate) {
    case 'agent_message':
      return 'agent';
    case 'user_message':
      return 'user';
    case 'agent_thought':
      return 'thought';
    default:
      return undefined;
  }
}

/** Recognizes whole messages that already arrived in chunks. */
export class WholeMessages {
  private readonly lengths = new Map<string, number>();

  /** Adds a chunk of a message. */
  chunk(sessionId: string, messageId: string | undefined, text: string): void {
    if (messageId === undefined) return;
    const key = sessionKey(sessionId, messageId);
    this.lengths.set(key, (this.lengths.get(key) ?? 0) + text.length);
    const [oldest] = this.lengths.keys();
    if (this.lengths.size > maxMessages && oldest !== undefined) this.lengths.delete(oldest);
  }

  /** Returns the message's text, and whether it is already known. */
  whole(sessionId: string | undefined, update: JsonObject): { readonly text: string; readonly isKnown: boolean } {
    const text = arrayOf(update['content'])
      .map((block) => contentText(block))
      .join('');
    const key = sessionKey(sessionId, textOf(update['messageId']) ?? '');
    return { text, isKnown: this.lengths.get(key) === text.length };
  }
}
