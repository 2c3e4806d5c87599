import fc from 'fast-check';
import { levels } from '../../src/text/level';
import type { WireEvent } from '../../src/wire/wireEvent';

// Wire events that no agent should send, but close enough to real ones to reach every branch of an interpreter.

const sessionId = fc.constantFrom<unknown>('a', 'a', 'a', 'b', 'b', 'session-0123456789', '', 7, null);
const id = fc.oneof(fc.constantFrom<unknown>(0, 1, 2, '1', null, 1.5), fc.jsonValue({ maxDepth: 1 }));
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('line\nbreak', '\u001b[31mred', '\ud800', '', 'ok'),
);
const json = fc.jsonValue({ maxDepth: 3 });
/** Mostly well-formed, occasionally anything. */
function mostly<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 6, arbitrary }, { weight: 1, arbitrary: json });
}

/** An object with some of these fields. */
function some(fields: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<unknown> {
  return fc.record(fields, { requiredKeys: [] });
}

function few<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T[]> {
  return fc.array(arbitrary, { maxLength: 3 });
}

const content = fc.oneof(
  some({ type: fc.constantFrom('text', 'image', 'resource', 'resource_link', 'x'), text, uri: text }),
  json,
);
const anyText = fc.oneof(text, json);
const chunks = ['agent_message_chunk', 'user_message_chunk', 'agent_thought_chunk'];
const kinds = [
  ...chunks,
  ...['tool_call', 'tool_call_update', 'plan', 'notice', 'usage_update', 'unheard_of'],
  ...['available_commands_update', 'current_mode_update', 'session_info_update'],
];
const contents = few(fc.record({ type: fc.constantFrom('content', 'diff'), content }));
const update = mostly(
  some({
    sessionUpdate: fc.constantFrom<unknown>(...kinds, ...chunks, ...chunks, 3),
    content: fc.oneof(content, contents),
    messageId: fc.constantFrom<unknown>('m1', 'm2', 1),
    toolCallId: fc.constantFrom('t1', 't2'),
    status: fc.constantFrom('pending', 'in_progress', 'completed', 'failed', 'x'),
    kind: fc.constantFrom('execute', 'x'),
    rawOutput: fc.oneof(some({ exitCode: json, exit_code: json, output: text }), json),
    entries: fc.oneof(few(fc.record({ content: text, status: text, priority: text })), json),
    level: fc.oneof(fc.constantFrom(...levels), json),
    ...{ title: anyText, currentModeId: anyText, message: anyText, rawInput: json, _meta: json },
  }),
);
const log = some({
  level: fc.oneof(fc.constantFrom<unknown>(...levels, 'warn', 'ERROR'), json),
  timestamp: fc.oneof(fc.constantFrom<unknown>('2026-11-20T12:00:00Z', 'yesterday', 1e300, -1), json),
  ...{ sessionId, message: anyText, logger: anyText, data: json },
});
const reason = fc.constantFrom('completed', 'error', 'x');
const termination = some({ sessionId, reason, terminated_by: text, exit_code: json, stderr: json });
const logMethod = fc.constantFrom('log', 'notifications/message', '_log');
const sessionUpdate = { method: fc.constant('session/update'), params: mostly(fc.record({ sessionId, update })) };
const notification = fc.oneof(
  { weight: 3, arbitrary: fc.record({ method: logMethod, params: mostly(log) }) },
  { weight: 6, arbitrary: fc.record(sessionUpdate) },
  fc.record({ method: fc.constant('session/cancel'), params: fc.oneof(fc.record({ sessionId }), json) }),
  fc.record({ method: fc.constant('$/cancel_request'), params: fc.oneof(fc.record({ requestId: id }), json) }),
  fc.record({ method: fc.constant('_sandboxagent/session/ended'), params: fc.oneof(termination, json) }),
  fc.record({ method: text, params: json }),
);
const method = fc.constantFrom(
  ...['initialize', 'authenticate', 'logging/setLevel', 'fs/read_text_file', '_own'],
  ...['new', 'prompt', 'request_permission', 'set_mode', 'close'].map((name) => `session/${name}`),
);
const asked = fc.record({
  ...{ sessionId, modeId: anyText, toolCall: fc.oneof(update, json) },
  prompt: fc.oneof(fc.array(content, { maxLength: 2 }), json),
  options: fc.oneof(few(fc.record({ optionId: text, name: text, kind: text })), json),
});
const request = fc.record({ id, method, params: fc.oneof(asked, json) }, { requiredKeys: ['method'] });
const answered = some({
  ...{ sessionId, stopReason: text, usage: json, protocolVersion: json, agentInfo: json },
  modes: fc.oneof(fc.record({ currentModeId: text, availableModes: json }), json),
  outcome: fc.oneof(fc.record({ outcome: fc.constantFrom('selected', 'cancelled'), optionId: text }), json),
});
const answer = some({
  id,
  result: fc.oneof(answered, json),
  error: fc.oneof(some({ code: json, message: anyText, data: json }), json),
});
const message = fc.oneof(
  { weight: 4, arbitrary: notification },
  { weight: 3, arbitrary: request },
  { weight: 3, arbitrary: answer },
  { weight: 1, arbitrary: json },
  { weight: 1, arbitrary: fc.array(fc.oneof(notification, request, answer, json), { maxLength: 3 }) },
);
const direction = fc.constantFrom('a2c', 'a2c', 'c2a' as const);

const said = fc.tuple(direction, message).map(([dir, msg]) => {
  const line = JSON.stringify(msg);
  return { dir, line, msg: JSON.parse(line) as unknown };
});
const junk = text.map((line) => `no JSON ${line.replaceAll('\n', ' ')}`);
const stderr = fc.oneof(text, fc.constantFrom('  indented', '}', ''));
/** An event without a time. */
const event = fc.oneof(
  { weight: 12, arbitrary: said },
  { weight: 1, arbitrary: fc.record({ dir: direction, line: junk }) },
  { weight: 1, arbitrary: fc.record({ dir: direction, line: text, bytes: fc.integer({ min: 1 }) }) },
  { weight: 3, arbitrary: fc.record({ dir: fc.constant('err' as const), line: stderr }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      { dir: 'ev' as const, ev: 'stdin-close' as const },
      { dir: 'ev' as const, ev: 'stdout-close' as const },
      { dir: 'ev' as const, ev: 'left-behind' as const },
      { dir: 'ev' as const, ev: 'signal' as const, signal: 'SIGTERM' },
      { dir: 'ev' as const, ev: 'waiting' as const, method: 'initialize', ms: 5000 },
      { dir: 'ev' as const, ev: 'spawn' as const, pid: 7, command: ['a', '--b'], cwd: '/' },
      { dir: 'ev' as const, ev: 'start-failed' as const, message: 'no' },
    ),
  },
);

/** Time between two events, in milliseconds. The clock may jump. */
const step = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(0, 1, 40, 99, 100, 101, 1999, 2001, 10_000) },
  { weight: 1, arbitrary: fc.constantFrom(-5000, -3e10, 3e10) },
);

/** Any sequence of events, in any order, as from the wire or a journal. */
export const acpEvents: fc.Arbitrary<readonly WireEvent[]> = fc
  .array(fc.tuple(step, event), { maxLength: 40, size: 'max' })
  .map((steps) => {
    let t = Date.parse('2026-11-20T12:00:00Z');
    return steps.map(([ms, one]): WireEvent => ({ t: (t += ms), ...one }));
  });
