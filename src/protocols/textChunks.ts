import type { RecordContent, RecordDraft } from '../text/record';
import { cut } from '../text/text';

/** Who or what writes in chunks, and what is written. */
const speakers = {
  user: 'prompt',
  agent: 'answer',
  thought: 'answer',
  partial: 'answer',
  'partial thought': 'answer',
  message: 'answer',
  'partial call': 'tool',
  terminal: 'tool',
  compaction: undefined,
} as const;

export type ChunkSpeaker = keyof typeof speakers;

export function contentOf<S extends ChunkSpeaker>(speaker: S): (typeof speakers)[S] {
  return speakers[speaker];
}

/** One chunk of a message. */
export interface TextChunk {
  readonly sessionId: string;
  readonly speaker: ChunkSpeaker;
  readonly messageId: string | undefined;
  readonly text: string;
  readonly receivedAt: number;
  readonly raw: string;
  /** Already shown, or history. */
  readonly isMinor?: boolean;
  /** Prefix of the whole message. */
  readonly lead?: string;
}

interface Message {
  readonly first: TextChunk;
  text: string;
  raw: string;
  receivedAt: number;
  chars: number;
}

/** Default number of characters to keep of a message; the wire has all of it. */
const defaultMaxText = 16_384;

/** Pause after which a message is shown without waiting for more, in milliseconds. */
const maxPause = 2000;

/** Speakers that aren't part of the conversation. */
const aside: ReadonlySet<ChunkSpeaker> = new Set<ChunkSpeaker>(['thought', 'terminal']);

/** Joins the chunks of a message into one record. Any other update completes it. */
export class TextChunks {
  private readonly open = new Map<string, Message>();

  /**
   * @param emit receives each complete message
   * @param maxText number of characters to keep of a message
   */
  constructor(
    private readonly emit: (draft: RecordDraft) => void,
    private readonly maxText = defaultMaxText,
  ) {}

  add(chunk: TextChunk): void {
    const message = this.open.get(chunk.sessionId);
    if (message && sameMessage(message.first, chunk) && Math.abs(chunk.receivedAt - message.receivedAt) <= maxPause) {
      message.chars += chunk.text.length;
      message.receivedAt = chunk.receivedAt;
      if (message.text.length <= this.maxText) message.text += chunk.text;
      if (message.raw.length <= this.maxText) message.raw += `\n${chunk.raw}`;
      return;
    }
    this.complete(chunk.sessionId);
    const { text, raw, receivedAt } = chunk;
    this.open.set(chunk.sessionId, { first: chunk, text, raw, receivedAt, chars: text.length });
  }

  /** Completes the session's message, if there is one. */
  complete(sessionId: string): void {
    const message = this.open.get(sessionId);
    if (!message) return;
    this.open.delete(sessionId);
    const { first, chars } = message;
    const content: RecordContent | undefined = contentOf(first.speaker);
    const text = `${first.lead ?? ''}${cut(message.text.trim(), this.maxText)}`;
    this.emit({
      receivedAt: message.receivedAt,
      level: first.isMinor === true || aside.has(first.speaker) ? 'debug' : 'info',
      kind: 'activity',
      sessionId,
      logger: first.speaker,
      ...(content && { content }),
      message: chars > message.text.length ? `${text}… (${chars} characters in all)` : text,
      raw: message.raw,
    });
  }

  /** Whether any message is still incomplete. */
  get isWaiting(): boolean {
    return this.open.size > 0;
  }

  /** Completes messages that have paused for too long. */
  quiet(t: number): void {
    if (this.open.size === 0) return;
    for (const [sessionId, message] of this.open) {
      // The clock may have been set back.
      if (Math.abs(t - message.receivedAt) > maxPause) this.complete(sessionId);
    }
  }

  completeAll(): void {
    for (const sessionId of [...this.open.keys()]) this.complete(sessionId);
  }
}

/** Chunks without a message ID belong together as long as the speaker is the same. */
function sameMessage(a: TextChunk, b: TextChunk): boolean {
  return a.speaker === b.speaker && a.messageId === b.messageId && a.isMinor === b.isMinor;
}
