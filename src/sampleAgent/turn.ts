import type { ToolCall as ToolCallInfo, ToolCallStatus, ToolKind } from '@agentclientprotocol/sdk';
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

/** A tool call as the client sees it: announced, then updated until it has ended. */
export class ToolCall {
  private constructor(
    private readonly turn: Turn,
    readonly id: string,
    private readonly title: string,
    private readonly kind: ToolKind,
    private readonly rawInput: unknown,
  ) {}

  static async start(turn: Turn, title: string, kind: ToolKind, rawInput: unknown): Promise<ToolCall> {
    const call = new ToolCall(turn, `call_${turn.host.newId().slice(0, 8)}`, title, kind, rawInput);
    await turn.session.update({ sessionUpdate: 'tool_call', status: 'pending', ...call.description });
    return call;
  }

  /** What a permission request says about it. */
  get description(): Pick<ToolCallInfo, 'toolCallId' | 'title' | 'kind' | 'rawInput'> {
    return { toolCallId: this.id, title: this.title, kind: this.kind, rawInput: this.rawInput };
  }

  update(status: ToolCallStatus, rawOutput?: unknown): Promise<void> {
    return this.turn.session.update({ sessionUpdate: 'tool_call_update', toolCallId: this.id, status, rawOutput });
  }
}
