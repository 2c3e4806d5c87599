import assert from 'node:assert/strict';
import { AcpWire } from '../../support/acpWire';

/** A run that speaks version 2, with a session and a prompt. */
function prompted(): AcpWire {
  const wire = new AcpWire();
  wire.send('c2a', { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: 2 } });
  wire.send('a2c', { jsonrpc: '2.0', id: 1, result: { protocolVersion: 2, info: { name: 'a', version: '1' } } });
  prompt(wire, 2);
  return wire;
}

function prompt(wire: AcpWire, id: number): void {
  const params = { sessionId: 'session-1', prompt: [{ type: 'text', text: 'do it' }] };
  wire.send('c2a', { jsonrpc: '2.0', id, method: 'session/prompt', params });
}

function accept(wire: AcpWire, id = 2): void {
  wire.send('a2c', { jsonrpc: '2.0', id, result: { messageId: `m${id}` } });
}

/** The session's records, without durations. */
function told(wire: AcpWire): string[] {
  const records = wire.log.store.query({ sessionId: 'session-1' });
  return records.map(({ level, logger, message }) => `${level} ${logger}: ${message.replace(/\d+ ms/, '… ms')}`);
}

function open(wire: AcpWire): string[] {
  return wire.log.requests.map(({ method }) => method);
}

function base64(text: string | Uint8Array): string {
  return Buffer.from(text).toString('base64');
}

describe('ACP interpreter: version 2', () => {
  it('closes the oldest of more than 1000 prompts that were accepted and never ended', () => {
    const wire = prompted();
    accept(wire);
    for (let id = 3; id < 1203; id++) {
      prompt(wire, id);
      accept(wire, id);
    }
    assert.equal(open(wire).length, 1000);
  });

  it('shows a repeated initialize at debug, until the process is restarted', () => {
    const wire = new AcpWire();
    const greet = (id: number): void => {
      wire.send('c2a', { jsonrpc: '2.0', id, method: 'initialize', params: { protocolVersion: 1 } });
      wire.send('a2c', { jsonrpc: '2.0', id, result: { protocolVersion: 1 } });
    };
    greet(1);
    greet(2);
    wire.accept({ t: 9, dir: 'ev', ev: 'spawn', pid: 1, command: ['a'], cwd: '/' });
    greet(3);
    const greetings = wire.log.store.query({}).filter(({ message }) => message.startsWith('initialized'));
    assert.deepEqual(
      greetings.map(({ level }) => level),
      ['info', 'debug', 'info'],
    );
  });

  it('forgets what a process was doing when it ends', () => {
    const wire = prompted();
    accept(wire);
    wire.update({ sessionUpdate: 'state_update', state: 'idle', stopReason: 'end_turn' });
    wire.update({ sessionUpdate: 'state_update', state: 'running', background: [{ type: 'monitor', taskId: 't' }] });
    wire.send('c2a', { jsonrpc: '2.0', id: 3, method: 'session/load', params: { sessionId: 'session-2' } });
    wire.exit().wait(3 * 3_600_000);
    const [before, open] = [told(wire).length, wire.log.requests];
    assert.deepEqual(open, []);
    wire.update({ sessionUpdate: 'state_update', state: 'idle' });
    assert.deepEqual(told(wire).slice(before), ['debug turn: idle']);
    // A prompt to the new process starts and ends a turn of its own.
    prompt(wire, 4);
    wire.update({ sessionUpdate: 'state_update', state: 'running' });
    wire.update({ sessionUpdate: 'state_update', state: 'idle', stopReason: 'end_turn' });
    accept(wire, 4);
    assert.deepEqual(wire.log.requests, []);
    wire.update({ sessionUpdate: 'tool_call', toolCallId: 'a', title: 'A' }, 'session-2');
    const [call] = wire.log.store.query({ sessionId: 'session-2' }).slice(-1);
    assert.equal(call?.message, 'A');
  });

  it('shows a notice about another model once, until it changes', () => {
    const wire = prompted();
    const fallback = (model: string) => `Model metadata for \`${model}\` not found. Defaulting to fallback metadata`;
    const [a, b, busy] = [fallback('a'), fallback('b'), 'The model is overloaded'];
    for (const title of [a, a, busy, busy, a, b, a]) {
      wire.update({ sessionUpdate: 'notice', severity: 'warning', title });
    }
    const notices = wire.log.store.query({ kinds: ['notice'], minLevel: 'warning' });
    assert.deepEqual(
      notices.map(({ message }) => message),
      [a, busy, busy, b, a],
    );
  });

  it('keeps a turn running after its prompt is answered, until the session is idle', () => {
    const wire = prompted();
    accept(wire);
    wire.update({ sessionUpdate: 'state_update', state: 'running', background: [] });
    assert.deepEqual(open(wire), ['session/prompt']);
    wire.update({ sessionUpdate: 'state_update', state: 'requires_action' });
    wire.update({ sessionUpdate: 'state_update', state: 'idle', stopReason: 'end_turn' });
    assert.deepEqual(open(wire), []);
    assert.deepEqual(told(wire), [
      'info prompt: do it',
      'debug turn: accepted',
      'debug turn: running',
      'debug turn: waits for the user',
      'info turn: ended after … ms: end_turn',
    ]);
  });

  it('accepts an empty answer to a prompt, as in earlier drafts', () => {
    const wire = prompted();
    wire.send('a2c', { jsonrpc: '2.0', id: 2, result: {} });
    assert.deepEqual(open(wire), ['session/prompt']);
    wire.update({ sessionUpdate: 'state_update', state: 'running' });
    wire.update({ sessionUpdate: 'state_update', state: 'idle', stopReason: 'end_turn' });
    assert.deepEqual(open(wire), []);
    assert.equal(told(wire).at(-1), 'info turn: ended after … ms: end_turn');
  });

  it('ignores an idle state from before the prompt arrived', () => {
    const wire = prompted();
    wire.update({ sessionUpdate: 'state_update', state: 'idle' });
    accept(wire);
    assert.deepEqual(open(wire), ['session/prompt']);
    wire.update({ sessionUpdate: 'state_update', state: 'idle', stopReason: 'end_turn' });
    assert.deepEqual(open(wire), []);
    assert.equal(told(wire).at(-1), 'info turn: ended after … ms: end_turn');
  });

  it('ends the turn when a session that ran or sent output becomes idle, even without a stop reason', () => {
    for (const begun of [
      { sessionUpdate: 'state_update', state: 'running' },
      { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Done.' } },
      { sessionUpdate: 'agent_message', messageId: 'a', content: [{ type: 'text', text: 'Done.' }] },
    ]) {
      const wire = prompted();
      wire.update(begun);
      wire.update({ sessionUpdate: 'state_update', state: 'idle' });
      accept(wire);
      assert.deepEqual(open(wire), []);
      assert.match(told(wire).at(-1) ?? '', /^info turn: ended/);
    }
  });

  it('keeps a queued prompt open when the turn before it ends', () => {
    const wire = prompted();
    accept(wire, 2);
    prompt(wire, 3);
    wire.update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'The last word.' } });
    wire.update({ sessionUpdate: 'state_update', state: 'idle' });
    accept(wire, 3);
    assert.deepEqual(open(wire), ['session/prompt']);
  });

  it('handles turns that end before their prompts are answered, and several at once', () => {
    const wire = prompted();
    prompt(wire, 3);
    accept(wire, 3);
    wire.update({ sessionUpdate: 'state_update', state: 'idle', stopReason: 'max_tokens' });
    assert.deepEqual(open(wire), ['session/prompt']);
    accept(wire, 2);
    assert.deepEqual(open(wire), []);
    const ends = told(wire).filter((line) => line.includes('ended'));
    assert.deepEqual(ends, Array(2).fill('warning turn: ended after … ms: max_tokens'));
  });

  it('reports why a turn failed', () => {
    const wire = prompted();
    accept(wire);
    const error = { code: -32603, message: 'no model' };
    wire.update({ sessionUpdate: 'state_update', state: 'idle', stopReason: 'error', error });
    assert.equal(told(wire).at(-1), 'error turn: failed after … ms: no model (-32603)');
    wire.update({ sessionUpdate: 'state_update', state: 'idle', stopReason: 'error', error });
    assert.match(told(wire).at(-1) ?? '', /^error turn: idle .*no model/);
    wire.update({ sessionUpdate: 'state_update', state: '_napping', why: 1 });
    assert.equal(told(wire).at(-1), 'debug turn: _napping {"why":1}');
  });

  it('reports an accepted turn that was still open when the agent ended', () => {
    const wire = prompted();
    accept(wire);
    wire.exit();
    assert.match(told(wire).at(-1) ?? '', /^error turn: was never answered/);
  });

  it('creates a tool call with its first update', () => {
    const wire = prompted();
    const call = { sessionUpdate: 'tool_call_update', toolCallId: 'c1' };
    wire.update({ ...call, name: 'bash', status: 'in_progress', rawInput: { command: 'ls' } });
    wire.update({ ...call, title: 'List files', status: null });
    wire.update({
      sessionUpdate: 'tool_call_content_chunk',
      toolCallId: 'c1',
      content: { type: 'content', content: { type: 'text', text: 'a.txt' } },
    });
    wire.update({ ...call, status: 'failed' });
    assert.deepEqual(told(wire).slice(1), [
      'info tool: bash (in_progress)',
      'debug tool: List files',
      'debug tool: List files : a.txt',
      'notice tool: List files (failed)',
    ]);
    assert.deepEqual(wire.log.store.query({ text: 'bash' })[0]?.data, { command: 'ls' });
  });

  it('decodes terminal output with characters split between chunks', () => {
    const wire = prompted();
    const terminal = { sessionUpdate: 'terminal_update', terminalId: 't1' };
    const [first, second] = [Buffer.from('né').subarray(0, 2), Buffer.from('né').subarray(2)];
    wire.update({ ...terminal, command: 'npm test', cwd: '/w' });
    wire.update({ sessionUpdate: 'terminal_output_chunk', terminalId: 't1', data: base64(first) });
    wire.update({ sessionUpdate: 'terminal_output_chunk', terminalId: 't1', data: base64(second) });
    wire.update({ ...terminal, exitStatus: { exitCode: 3 } });
    wire.update({ ...terminal, output: { data: base64('all of it\n') }, exitStatus: { signal: 'SIGKILL' } });
    assert.deepEqual(told(wire).slice(1), [
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
    assert.deepEqual(wire.lines.slice(-2), [
      'info [session-1] terminal: npm test (exit 0)',
      'info [session-2] agent: Salut',
    ]);
  });

  it('shows the end of long terminal output', () => {
    for (const padding of [0, 1, 2, 3]) {
      const data = base64(`${'x'.repeat(100_000 + padding)}${'é'.repeat(2000)}`);
      const wire = prompted().update({ sessionUpdate: 'terminal_update', terminalId: 't', output: { data } });
      assert.match(told(wire).at(-1) ?? '', /^debug terminal: t: é+…$/);
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
    const wire = prompted();
    const content = [{ type: 'text', text: 'Hello' }];
    wire.update({ sessionUpdate: 'user_message', messageId: 'm0', content: [{ type: 'text', text: 'do it' }] });
    wire.update({ sessionUpdate: 'agent_message_chunk', messageId: 'm1', content: { type: 'text', text: 'Hel' } });
    wire.update({ sessionUpdate: 'agent_message_chunk', messageId: 'm1', content: { type: 'text', text: 'lo' } });
    wire.update({ sessionUpdate: 'agent_message', messageId: 'm1', content });
    wire.update({ sessionUpdate: 'agent_message', messageId: 'm2', content });
    assert.deepEqual(told(wire).slice(1), [
      'debug user: do it',
      'info agent: Hello',
      'debug agent: Hello',
      'info agent: Hello',
    ]);
  });

  it("reads plans, summaries, options and questions in version 2's form", () => {
    const wire = prompted();
    wire.update({
      sessionUpdate: 'plan_update',
      plan: { type: 'items', planId: 'p', entries: [{ content: 'look', status: 'completed' }] },
    });
    wire.update({
      sessionUpdate: 'compaction_update',
      compactionId: 'c',
      status: 'completed',
      summary: [{ type: 'text', text: 'short' }],
    });
    wire.update({ sessionUpdate: 'config_option_update', configOptions: [{ configId: 'mode', currentValue: 'plan' }] });
    const params = {
      sessionId: 'session-1',
      title: 'Run it?',
      subject: { type: 'command', command: 'rm x', cwd: '/w' },
      options: [{ optionId: 'y', name: 'Yes' }],
    };
    wire.send('a2c', { jsonrpc: '2.0', id: 9, method: 'session/request_permission', params });
    assert.deepEqual(told(wire).slice(1), [
      'info plan: [x] look',
      'info compaction: completed short',
      'info config: mode="plan"',
      'notice permission: asked for: Run it? (Yes)',
    ]);
    assert.deepEqual(wire.log.store.query({ limit: 1 })[0]?.data, { command: 'rm x', cwd: '/w' });
  });

  it('keeps malformed updates', () => {
    const wire = prompted();
    wire.update({ sessionUpdate: 'terminal_update', terminalId: 7, command: [], output: 'x', exitStatus: 3 });
    wire.update({ sessionUpdate: 'terminal_output_chunk', terminalId: 't', data: '!!' });
    wire.update({ sessionUpdate: 'plan_update', plan: { type: '_own', planId: 'p' } });
    wire.update({ sessionUpdate: 'agent_message', content: null });
    wire.update({ sessionUpdate: 'state_update' });
    assert.deepEqual(told(wire).slice(1), [
      'debug terminal: a terminal',
      'debug terminal: ',
      'info plan: {"plan":{"type":"_own","planId":"p"}}',
      'debug agent: (empty)',
      'debug turn: (none)',
    ]);
  });
});
