import assert from 'node:assert/strict';
import { diagnosesOf, eventsOf } from '../../../diagnosis/recordings';
import { DiagnosedWire } from '../../../support/diagnosedWire';

/** The findings about one message of the agent. */
function of(msg: unknown): string[] {
  return DiagnosedWire.withSession().send('a2c', msg).said;
}

interface Update {
  readonly sessionUpdate: string;
  readonly [field: string]: unknown;
}

const violation = /^warning \[\] protocol-violation: /;

describe('diagnosis: messages', () => {
  it('reports what JSON-RPC forbids', () => {
    const wrong: [object, RegExp][] = [
      [{ method: '_x' }, /Message without `jsonrpc`/],
      [{ jsonrpc: '2.0', method: '_x', extra: 1 }, /unknown members: `extra`/],
      [{ jsonrpc: '2.0', method: '_x', id: null }, /Request ID null is invalid/],
      [{ jsonrpc: '2.0', method: '_x', id: 1.5 }, /Request ID 1\.5 is invalid/],
      [{ jsonrpc: '2.0', method: '_x', params: 'a' }, /`params` isn't an object/],
      [{ jsonrpc: '2.0', method: '_x', result: 1 }, /both a method and a result/],
    ];
    for (const [msg, what] of wrong) {
      const said = of(msg);
      assert.equal(said.length, 1, JSON.stringify(msg));
      assert.match(said[0] ?? '', violation);
      assert.match(said[0] ?? '', what);
    }
  });

  it('allows null parameters in ACP only', () => {
    const msg = { method: '_x/ping', params: null };
    const acp = DiagnosedWire.withSession().says(msg);
    assert.deepEqual(acp.says({ id: 7, ...msg }).said, []);
    assert.deepEqual(new DiagnosedWire('mcp').says(msg).codes, ['protocol-violation warning']);
  });

  it('reports responses that are neither a result nor an error', () => {
    const answers: [object, RegExp][] = [
      [{ result: 1, error: { code: 1, message: 'm' } }, /both a result and an error/],
      [{}, /neither a result nor an error/],
      [{ error: { code: 'E', message: 'm' } }, /without a valid `code`/],
    ];
    for (const [answer, what] of answers) {
      const wire = DiagnosedWire.withSession().ask('session/list', {});
      wire.says({ id: 3, ...answer });
      assert.match(wire.first, what);
    }
  });

  it('reports an ID that is in use, and responses to unknown requests', () => {
    const wire = DiagnosedWire.withSession().says({ id: 7, method: '_x' }).says({ id: 7, method: '_x' });
    assert.match(wire.first, /Request ID 7 is already in use \(`_x`\)/);
    wire.ask('session/list', {}, { sessions: [] }).says({ id: 3, result: {} }).says({ id: 99, result: {} });
    assert.match(wire.said[1] ?? '', /unknown-response: Second response to `session\/list` \(ID 3\)/);
    const typed = DiagnosedWire.withSession().ask('session/list', {}).says({ id: '3', result: {} });
    assert.match(typed.first, /A request with the ID 3 is open/);
  });

  it('describes the text on stdout, and gives advice', () => {
    const junk: [string, RegExp][] = [
      ['Loading model…', /stdout-junk: .*"Loading model…"\. Log to stderr instead/],
      ['Content-Length: 120', /malformed-message: Header .*framing/],
      ['{"jsonrpc":"2.0","method":"x"}{"jsonrpc":"2.0","method":"y"}', /Two messages on one line/],
      ['{"jsonrpc":"2.0","meth', /Truncated/],
      ['  "method": "session/update",', /Message spans several lines/],
    ];
    for (const [line, what] of junk) {
      assert.match(new DiagnosedWire().says({ method: '_hello' }).stdout(line).first, what);
    }
    const long = new DiagnosedWire().accept({ t: 1, dir: 'a2c', line: 'x', bytes: 9e6 });
    assert.match(long.first, /^warning \[\] oversize-message: Line of 9000000 bytes/);
    assert.match(of([{ jsonrpc: '2.0', method: '_x' }])[0] ?? '', /Batch of messages/);
    assert.match(of('text')[0] ?? '', /malformed-message: Not a JSON-RPC message: "text"/);
  });

  it('reports what the client sends as a notice', () => {
    const wire = new DiagnosedWire().accept({ t: 1, dir: 'c2a', line: 'hello' });
    assert.match(wire.first, /^notice \[\] malformed-message: The client sent text that isn't a message: "hello"/);
  });
});

describe('diagnosis: ACP', () => {
  it('reports missing fields, and requests that the client does not support', () => {
    const wire = DiagnosedWire.withSession()
      .update({ sessionUpdate: 'tool_call', toolCallId: '1' })
      .says({ method: 'session/update', params: { sessionId: 'session-1', update: {} } })
      .asks(1, 'fs/read_text_file', { sessionId: 'session-1', path: '/x' })
      .update({ sessionUpdate: 'notice', severity: 'info', title: 't' });
    const found = wire.said.map((line) => line.replace('warning [] protocol-violation: ', '').replace(/\. .*/, ''));
    assert.deepEqual(found, [
      '`tool_call` is missing `title`',
      '`session/update` is missing `update.sessionUpdate`',
      "`fs/read_text_file` was sent to a client that doesn't support it",
      "`notice` was sent to a client that doesn't support it",
    ]);
  });

  /** The findings about an update, without its name and advice. */
  const ofUpdate = (update: Update): string[] => {
    const brief = (line: string): string =>
      line.replace('warning [] protocol-violation: ', '').replace(/\. (?:ACP|Expected) .*/, '');
    const { said } = DiagnosedWire.withSession().update(update);
    return said.map((line) => brief(line).replace(`\`${update.sessionUpdate}\``, '_'));
  };

  it('names the invalid field', () => {
    const tool = { sessionUpdate: 'tool_call_update', toolCallId: 'a' };
    const text = { type: 'text', text: 'x' };
    const chunk = (content: unknown): Update => ({ sessionUpdate: 'agent_message_chunk', content });
    const commands = { sessionUpdate: 'available_commands_update', availableCommands: [{ name: 'a' }] };
    const wrong: [Update, string][] = [
      [chunk('plain'), '`content` of _ is a string: "plain"'],
      [chunk([text]), '`content` of _ is a list: [{"type":"text","text":"x"}]'],
      [chunk({ text: 'x' }), '`content` of _ is an object of another shape: {"text":"x"}'],
      [{ ...tool, status: 'done' }, '`status` of _ has an unknown value: "done"'],
      [{ ...tool, toolCallId: 7 }, '`toolCallId` of _ is a number: 7'],
      [{ ...tool, content: 'x' }, '`content` of _ is a string: "x"'],
      [{ ...tool, content: [text] }, '`content[]` of _ is an object of another shape: {"type":"text","text":"x"}'],
      [{ sessionUpdate: 'plan', entries: null }, '`entries` of _ is null'],
      [{ sessionUpdate: 'plan', entries: [{ content: 'a', status: 'pending' }] }, '_ is missing `entries[].priority`'],
      [commands, '_ is missing `availableCommands[].description`'],
      [{ ...tool, locations: ['/x'] }, '`locations[]` of _ is a string: "/x"'],
      [{ ...tool, content: [{ type: 'content', content: 'x' }] }, '`content[].content` of _ is a string: "x"'],
      [{ ...tool, content: [{ type: 'diff', path: '/x' }] }, '_ is missing `content[].newText`'],
      [chunk({ type: 'image', data: 'a' }), '_ is missing `content.mimeType`'],
      [{ sessionUpdate: 'usage_update', used: '5', size: 9 }, '`used` of _ is a string: "5"'],
    ];
    for (const [update, what] of wrong) assert.deepEqual(ofUpdate(update), [what]);
    assert.deepEqual(ofUpdate({ ...tool, status: null, content: null, title: null, kind: 'other' }), []);
    assert.deepEqual(ofUpdate({ ...tool, content: [{ type: 'content', content: text }, { type: 'own' }] }), []);
    assert.deepEqual(ofUpdate({ ...chunk({ type: 'own' }), messageId: null }), []);
  });

  it('reports invalid permission requests', () => {
    const asked = (toolCall: object, option: object): string[] => {
      const params = { sessionId: 'session-1', toolCall, options: [option] };
      return DiagnosedWire.withSession().asks(1, 'session/request_permission', params).said;
    };
    const call = { toolCallId: 'a' };
    assert.deepEqual(asked(call, { optionId: 'y', name: 'Yes', kind: 'allow_once' }), []);
    for (const [toolCall, option, what] of [
      [{}, { optionId: 'y', name: 'Yes', kind: 'allow_once' }, /is missing `toolCall\.toolCallId`/],
      [call, { id: 'y', label: 'Yes', kind: 'allow_once' }, /missing `options\[\]\.optionId`, `options\[\]\.name`/],
      [call, { optionId: 'y', name: 'Yes', kind: 'allow' }, /has an unknown value: "allow"/],
    ] as const) {
      assert.match(asked(toolCall, option)[0] ?? '', what);
    }
  });

  it('does not report a turn as empty if its text has an invalid shape', () => {
    const wire = DiagnosedWire.withSession().prompt();
    wire.update({ sessionUpdate: 'agent_message_chunk', content: 'Done.' });
    assert.deepEqual(wire.end().codes, ['protocol-violation warning']);
  });

  it('reports unknown methods and fields as notices', () => {
    const wire = DiagnosedWire.withSession({ logging: {} })
      .says({ method: 'status', params: {} })
      .says({ method: '_x/status', params: {} })
      .says({ method: 'log', params: { level: 'info', message: 'm' } })
      .update({ sessionUpdate: 'plan', entries: [], mood: 'good' })
      .update({ sessionUpdate: 'weather', rain: true });
    assert.deepEqual(wire.codes, ['protocol-violation notice', 'protocol-violation notice']);
  });

  it('reports sessions that were never opened, unless a request to open one is open', () => {
    const update = { sessionUpdate: 'plan', entries: [] };
    const to = (sessionId: string): object => ({ method: 'session/update', params: { sessionId, update } });
    const wire = DiagnosedWire.withSession().ask('session/new', {});
    wire.says(to('session-2')).answer({ sessionId: 'session-2' });
    assert.deepEqual(wire.says(to('session-2')).codes, []);
    assert.deepEqual(wire.says(to('elsewhere-1')).codes, ['unknown-session warning']);
    assert.deepEqual(new DiagnosedWire().says(to('from the middle')).codes, []);
  });

  it('knows the session of a subagent once the agent announced it', () => {
    const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Found it.' } };
    const child = { method: 'session/update', params: { sessionId: 'child-1', update } };
    const wire = DiagnosedWire.withSession({ subagents: {} });
    wire.update({ sessionUpdate: 'subagent_update', sessionId: 'child-1', title: 'Search' }).says(child);
    assert.deepEqual(wire.codes, []);
    assert.deepEqual(DiagnosedWire.withSession().says(child).codes, ['unknown-session warning']);
  });

  it('does not check the fields of version 2, which is a draft', () => {
    const params = { sessionId: 'session-1', title: 'Run it?', options: [] };
    const wire = DiagnosedWire.version2().asks(1, 'session/request_permission', params);
    assert.deepEqual(wire.called('paused', { content: [{ type: 'own' }] }).said, []);
    assert.deepEqual(new DiagnosedWire().called('paused').said, []);
  });

  it('remembers the open session if the agent lists a thousand others', () => {
    const sessions = Array.from({ length: 1000 }, (_, i) => ({ sessionId: `past-${i}` }));
    const wire = DiagnosedWire.withSession().ask('session/list', {}, { sessions }).chunk('Still here.');
    assert.deepEqual(wire.said, []);
  });

  it('compares the protocol versions', () => {
    const of = (offered: unknown, answered: unknown): string[] =>
      new DiagnosedWire().ask('initialize', { protocolVersion: offered }, { protocolVersion: answered }).codes;
    assert.deepEqual(of(1, 1), []);
    assert.deepEqual(of(1, 2), ['version-not-spoken error']);
    assert.deepEqual(of(2, 1), []);
    assert.deepEqual(of(1, '1'), ['protocol-violation warning']);
  });
});

describe('diagnosis: log messages', () => {
  const log = (level: string): object => ({ method: 'log', params: { level, message: 'm' } });

  it('reports log messages that were not requested or are below the level', () => {
    assert.deepEqual(DiagnosedWire.withSession().says(log('error')).codes, ['unasked-log warning']);
    const wire = DiagnosedWire.withSession({ logging: { level: 'warning' } }).says(log('warning'));
    assert.deepEqual(wire.says(log('error')).codes, []);
    assert.deepEqual(wire.says(log('info')).codes, ['log-below-level notice']);
  });

  it('reports messages below the level once in a run, with a count at its end', () => {
    const wire = DiagnosedWire.withSession({ logging: { level: 'warning' } });
    for (let turn = 0; turn < 3; turn++) {
      wire.prompt().chunk('Fine.');
      for (let count = 0; count < 40; count++) wire.says(log(count % 2 === 0 ? 'info' : 'debug'));
      wire.end().wait(5 * 60_000);
    }
    assert.deepEqual(wire.codes, ['log-below-level notice']);
    wire.process({ ev: 'stdin-close' }).exit(0);
    assert.deepEqual(wire.codes, ['log-below-level notice', 'log-below-level info']);
    assert.deepEqual(wire.counts, [1, 120]);
  });

  it('uses the capabilities of the latest initialize', () => {
    const again = { protocolVersion: 1, clientCapabilities: { logging: { level: 'error' } } };
    const wire = DiagnosedWire.withSession().ask('initialize', again, { protocolVersion: 1 });
    assert.deepEqual(wire.says(log('error')).codes, []);
    assert.deepEqual(wire.says(log('info')).codes, ['log-below-level notice']);
  });

  it('does not apply the level to methods that have none', () => {
    const wire = DiagnosedWire.withSession({ logging: { level: 'error' } });
    wire.says({ method: '_posthog/console', params: { level: 'info', message: 'm' } });
    assert.deepEqual(wire.said, []);
  });

  it('follows logging/setLevel once it is granted', () => {
    const wire = DiagnosedWire.withSession({ logging: { level: 'debug' } }).ask('logging/setLevel', { level: 'error' });
    assert.deepEqual(wire.says(log('info')).codes, []);
    assert.deepEqual(wire.refuse(-32601, 'no').says(log('info')).codes, []);
    wire.ask('logging/setLevel', { level: 'error' }, {});
    assert.deepEqual(wire.says(log('info')).codes, ['log-below-level notice']);
  });

  it('requires the logging capability of an MCP server', () => {
    const message = { method: 'notifications/message', params: { level: 'info', data: 'x' } };
    const answer = { protocolVersion: '2025-11-25', serverInfo: { name: 's', version: '1' } };
    const start = (capabilities: object): DiagnosedWire =>
      new DiagnosedWire('mcp').ask('initialize', { protocolVersion: '2025-11-25' }, { ...answer, capabilities });
    assert.deepEqual(start({ logging: {} }).says(message).codes, []);
    assert.deepEqual(start({}).says(message).codes, ['unasked-log warning']);
  });
});

describe('diagnosis: late updates', () => {
  it('accepts a follow-up when a background command ends, long after the turn', () => {
    const wire = DiagnosedWire.withSession().prompt().chunk('It runs.').end();
    assert.deepEqual(wire.wait(8000).chunk('I see that it finished.').codes, []);
    const found = diagnosesOf(eventsOf('test/fixtures/acp/claude-v1-background.ndjson', 'acp'), 'acp');
    assert.equal(found.length, 0);
    const late = DiagnosedWire.withSession().prompt().chunk('Done.').end();
    assert.deepEqual(late.wait(200).chunk('Too late.').codes, ['protocol-violation warning']);
  });
});
