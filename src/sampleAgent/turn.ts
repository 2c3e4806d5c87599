import type { ToolCall, ToolCallStatus, ToolKind } from '@agentclientprotocol/sdk';
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Level } from './connection';
import type { Session } from './session';

/** Number of words per chunk, and the delay between chunks. */
const wordsPerChunk = 4;
const chunkMs = 30;

/** A turn of a session, as commands use it. */
export class Turn {
  constructor(
    readonly session: Session,
    /** The text after the command's name, or the whole prompt if it isn't a command. */
    readonly input: string,
    /** Aborted when the turn is cancelled or the connection closes. */
    readonly signal: AbortSignal,
  ) {}

  log(level: Level, logger: string, message: string, data?: unknown): Promise<boolean> {
    return this.session.log(level, logger, message, data);
  }

  /** Sends text in one chunk. */
  say(text: string): Promise<void> {
    return this.chunk(text, randomUUID());
  }

  /** Streams text like a model, a few words at a time. */
  async stream(text: string): Promise<void> {
    const messageId = randomUUID();
    const words = text.match(/\S+\s*/g) ?? [];
    for (let at = 0; at < words.length; at += wordsPerChunk) {
      if (at > 0) await this.sleep(chunkMs);
      await this.chunk(words.slice(at, at + wordsPerChunk).join(''), messageId);
    }
  }

  sleep(ms: number): Promise<void> {
    return setTimeout(ms, undefined, { signal: this.signal });
  }

  private chunk(text: string, messageId: string): Promise<void> {
    return this.session.update({ sessionUpdate: 'agent_message_chunk', messageId, content: { type: 'text', text } });
  }
}

/** A prompt that starts with a slash. */
export interface Command {
  /** Without the slash. */
  readonly name: string;
  /** One sentence. */
  readonly description: string;
  /** Placeholder for the input after the name. */
  readonly hint?: string;
  /** Runs the turn. It ends with `end_turn`, or with a JSON-RPC error if this throws a `RequestError`. */
  run(turn: Turn): Promise<void>;
}

/** A tool call as the client sees it: announced, then updated until it ends. */
export class SampleToolCall {
  private constructor(
    private readonly turn: Turn,
    readonly id: string,
    private readonly title: string,
    private readonly kind: ToolKind,
    private readonly rawInput: unknown,
  ) {}

  static async start(turn: Turn, title: string, kind: ToolKind, rawInput: unknown): Promise<SampleToolCall> {
    const call = new SampleToolCall(turn, `call_${randomUUID().slice(0, 8)}`, title, kind, rawInput);
    await turn.session.update({ sessionUpdate: 'tool_call', status: 'pending', ...call.description });
    return call;
  }

  /** The tool call's fields in a permission request. */
  get description(): Pick<ToolCall, 'toolCallId' | 'title' | 'kind' | 'rawInput'> {
    return { toolCallId: this.id, title: this.title, kind: this.kind, rawInput: this.rawInput };
  }

  update(status: ToolCallStatus, rawOutput?: unknown): Promise<void> {
    return this.turn.session.update({ sessionUpdate: 'tool_call_update', toolCallId: this.id, status, rawOutput });
  }
}
