import type { Host } from './host';
import type { Level } from './level';
import type { Session } from './session';

/** How many words go out at once, and how long the next ones take. */
const wordsPerChunk = 4;
const chunkMs = 30;

/** One turn of a session: what a command works with. */
export class Turn {
  constructor(
    readonly session: Session,
    /** What stands behind the command's name, or the whole prompt where it is no command. */
    readonly input: string,
    /** Aborted when the turn is cancelled or the connection closes. */
    readonly signal: AbortSignal,
    readonly host: Host,
  ) {}

  log(level: Level, logger: string, message: string, data?: unknown): Promise<boolean> {
    return this.session.log(level, logger, message, data);
  }

  /** Says something in one piece. */
  say(text: string): Promise<void> {
    return this.chunk(text, this.host.newId());
  }

  /** Says something the way a model does, a few words at a time. */
  async stream(text: string): Promise<void> {
    const messageId = this.host.newId();
    const words = text.match(/\S+\s*/g) ?? [];
    for (let at = 0; at < words.length; at += wordsPerChunk) {
      if (at > 0) await this.sleep(chunkMs);
      await this.chunk(words.slice(at, at + wordsPerChunk).join(''), messageId);
    }
  }

  sleep(ms: number): Promise<void> {
    return this.host.clock.sleep(ms, this.signal);
  }

  private chunk(text: string, messageId: string): Promise<void> {
    return this.session.update({ sessionUpdate: 'agent_message_chunk', messageId, content: { type: 'text', text } });
  }
}
