import type { ToolCall as ToolCallInfo, ToolCallStatus, ToolKind } from '@agentclientprotocol/sdk';
import type { Turn } from './turn';

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
