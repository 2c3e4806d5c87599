/** Lines of a Claude Code session with made-up IDs: `a1`, after `a0`. */
export class ClaudeLines {
  private second = 0;
  private parent: string | null = null;

  constructor(
    readonly session: string,
    private readonly day = '2026-11-27',
  ) {}

  /** @param more fields that the line has besides, or instead */
  line(type: string, uuid: string, more: object): object {
    const parentUuid = this.parent;
    this.parent = uuid;
    return {
      parentUuid,
      isSidechain: false,
      type,
      uuid,
      timestamp: this.at(),
      cwd: '/home/dev/shop',
      sessionId: this.session,
      version: '2.1.330',
      ...more,
    };
  }

  prompt(uuid: string, content: unknown, more: object = {}): object {
    return this.line('user', uuid, { message: { role: 'user', content }, ...more });
  }

  /** @param usage input and output tokens */
  answer(uuid: string, id: string, [input, output]: readonly [number, number], more: object = {}): object {
    return this.message(uuid, id, [input, output], { type: 'text', text: `Answer ${id}` }, 'end_turn', more);
  }

  /** An answer that calls a tool. */
  call(uuid: string, id: string, [input, output]: readonly [number, number], name = 'Bash', more: object = {}): object {
    const block = { type: 'tool_use', id: `tool-${id}`, name, input: { command: 'ls' } };
    return this.message(uuid, id, [input, output], block, 'tool_use', more);
  }

  result(uuid: string, id: string, more: object = {}): object {
    const content = [{ type: 'tool_result', tool_use_id: `tool-${id}`, content: 'done' }];
    return this.line('user', uuid, { message: { role: 'user', content }, ...more });
  }

  end(uuid: string, more: object = {}): object {
    return this.line('system', uuid, { subtype: 'turn_duration', durationMs: 1000, ...more });
  }

  /** What follows is written behind this line. */
  after(uuid: string | null): this {
    this.parent = uuid;
    return this;
  }

  at(): string {
    this.second++;
    return new Date(Date.parse(`${this.day}T10:00:00.000Z`) + this.second * 1000).toISOString();
  }

  private message(
    uuid: string,
    id: string,
    [input, output]: readonly [number, number],
    block: object,
    reason: string,
    more: object,
  ): object {
    const usage = { input_tokens: input, output_tokens: output };
    const message = { id, role: 'assistant', model: 'claude-sonnet-4-5', content: [block], stop_reason: reason, usage };
    return this.line('assistant', uuid, { message, ...more });
  }
}
