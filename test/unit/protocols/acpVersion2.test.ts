import assert from 'node:assert/strict';
import { AcpWire } from '../../support/acpWire';
import { column } from '../../support/columns';

/** A run of version 2 with a prompt. */
const prompted = (): AcpWire => AcpWire.speaking(2).prompt(2, 'do it');

function base64(text: string | Uint8Array): string {
  return Buffer.from(text).toString('base64');
}

describe('ACP interpreter: version 2', () => {
  it('shows a repeated initialize at debug, until the process is restarted', () => {
    const greeting = [{ protocolVersion: 1 }, { protocolVersion: 1 }];
    const wire = AcpWire.speaking(1).ask(2, 'initialize', ...greeting);
    wire.accept({ t: 9, dir: 'ev', ev: 'spawn', pid: 1, command: ['a'], cwd: '/' }).ask(3, 'initialize', ...greeting);
    const levels = wire.linesWith('initialized').map((line) => line.split(' ')[0]);
    assert.deepEqual(levels, ['info', 'debug', 'info']);
  });

  it('shows a notice about another model once, until it changes', () => {
    const wire = prompted();
    const fallback = (model: string) => `Model metadata for \`${model}\` not found. Defaulting to fallback metadata`;
    const [a, b, busy] = [fallback('a'), fallback('b'), 'The model is overloaded'];
    for (const title of [a, a, busy, busy, a, b, a]) {
      wire.update({ sessionUpdate: 'notice', severity: 'warning', title });
    }
    const notices = wire.log.store.query({ kinds: ['notice'], minLevel: 'warning' });
    assert.deepEqual(column(notices, 'message'), [a, busy, busy, b, a]);
  });

  it('knows the model among other options of its category, in either version', () => {
    for (const [index, id] of ['id', 'configId'].entries()) {
      const options = Object.entries({ provider: 'anthropic', model: 'opus' }).map(([name, currentValue]) => {
        return { [id]: name, category: 'model', type: 'select', currentValue };
      });
      const wire = AcpWire.speaking(index + 1).prompt(2, 'do it');
      wire.update({ sessionUpdate: 'config_option_update', configOptions: options });
      assert.equal(wire.log.spans({ kinds: ['turn'] })[0]?.model, 'opus', id);
    }
  });

  it('creates a tool call with its first update', () => {
    const call = { sessionUpdate: 'tool_call_update', toolCallId: 'c1' };
    const content = { type: 'content', content: { type: 'text', text: 'a.txt' } };
    const wire = prompted()
      .update({ ...call, name: 'bash', status: 'in_progress', rawInput: { command: 'ls' } })
      .update({ ...call, title: 'List files', status: null })
      .update({ ...call, sessionUpdate: 'tool_call_content_chunk', content })
      .update({ ...call, status: 'failed' });
    const files = ['debug tool: List files', 'debug tool: List files : a.txt', 'notice tool: List files (failed)'];
    assert.deepEqual(wire.told.slice(1), ['info tool: bash (in_progress)', ...files]);
    assert.deepEqual(wire.log.store.query({ text: 'bash' })[0]?.data, { command: 'ls' });
  });

  it('decodes terminal output with characters split between chunks', () => {
    const terminal = { sessionUpdate: 'terminal_update', terminalId: 't1' };
    const chunk = { ...terminal, sessionUpdate: 'terminal_output_chunk' };
    const bytes = Buffer.from('né');
    const wire = prompted()
      .update({ ...terminal, command: 'npm test', cwd: '/w' })
      .update({ ...chunk, data: base64(bytes.subarray(0, 2)) })
      .update({ ...chunk, data: base64(bytes.subarray(2)) })
      .update({ ...terminal, exitStatus: { exitCode: 3 } })
      .update({ ...terminal, output: { data: base64('all of it\n') }, exitStatus: { signal: 'SIGKILL' } });
    assert.deepEqual(wire.told.slice(1), [
      'info terminal: npm test',
      'debug terminal: né',
      'info terminal: npm test (exit 3): né',
      'info terminal: npm test (ended by SIGKILL): all of it',
    ]);
  });

  it('distinguishes terminals and messages with the same ID in different sessions', () => {
    const text = (content: string): unknown => ({ type: 'text', text: content });
    const wire = prompted()
      .update({ sessionUpdate: 'terminal_update', terminalId: 't', command: 'npm test' })
      .update({ sessionUpdate: 'terminal_update', terminalId: 't', command: 'make' }, 'session-2')
      .update({ sessionUpdate: 'terminal_update', terminalId: 't', exitStatus: { exitCode: 0 } })
      .update({ sessionUpdate: 'agent_message_chunk', messageId: 'm', content: text('Hello') })
      .update({ sessionUpdate: 'agent_message', messageId: 'm', content: [text('Salut')] }, 'session-2');
    const lines = ['info [session-1] terminal: npm test (exit 0)', 'info [session-2] agent: Salut'];
    assert.deepEqual(wire.lines.slice(-2), lines);
  });

  it('shows the end of long terminal output', () => {
    for (const padding of [0, 1, 2, 3]) {
      const data = base64(`${'x'.repeat(100_000 + padding)}${'é'.repeat(2000)}`);
      const wire = prompted().update({ sessionUpdate: 'terminal_update', terminalId: 't', output: { data } });
      assert.match(wire.told.at(-1) ?? '', /^debug terminal: t: é+…$/);
    }
  });

  it('reports how much terminal output was left out, and keeps its end', () => {
    const data = base64('x'.repeat(100_000) + 'y'.repeat(1200));
    const wire = prompted()
      .update({ sessionUpdate: 'terminal_output_chunk', terminalId: 't', data })
      .update({ sessionUpdate: 'terminal_update', terminalId: 'u', output: { data }, exitStatus: { exitCode: 1 } });
    assert.match(wire.lines.at(-2) ?? '', / x{16384}… \(84816 more characters\)$/);
    assert.match(wire.lines.at(-1) ?? '', /: y+…$/);
  });

  it("reads whole messages, and doesn't repeat those that came in chunks", () => {
    const content = [{ type: 'text', text: 'Hello' }];
    const wire = prompted()
      .update({ sessionUpdate: 'user_message', messageId: 'm0', content: [{ type: 'text', text: 'do it' }] })
      .chunk('Hel', { messageId: 'm1' })
      .chunk('lo', { messageId: 'm1' })
      .update({ sessionUpdate: 'agent_message', messageId: 'm1', content })
      .update({ sessionUpdate: 'agent_message', messageId: 'm2', content });
    const hello = ['info agent: Hello', 'debug agent: Hello', 'info agent: Hello'];
    assert.deepEqual(wire.told.slice(1), ['debug user: do it', ...hello]);
  });

  it('keeps malformed updates', () => {
    const plan = { type: '_own', planId: 'p' };
    for (const [sessionUpdate, fields, line] of [
      ['terminal_update', { terminalId: 7, command: [], output: 'x', exitStatus: 3 }, 'debug terminal: a terminal'],
      ['terminal_output_chunk', { terminalId: 't', data: '!!' }, 'debug terminal: '],
      ['plan_update', { plan }, 'info plan: {"plan":{"type":"_own","planId":"p"}}'],
      ['agent_message', { content: null }, 'debug agent: (empty)'],
      ['state_update', {}, 'debug turn: (none)'],
    ] as const) {
      assert.equal(
        prompted()
          .update({ sessionUpdate, ...fields })
          .exit().told[1],
        line,
      );
    }
  });
});
