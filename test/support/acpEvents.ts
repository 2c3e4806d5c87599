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

const content = fc.oneof(
  fc.record(
    { type: fc.constantFrom('text', 'image', 'resource', 'resource_link', 'x'), text, uri: text },
    { requiredKeys: [] },
  ),
  json,
);
const chunks = ['agent_message_chunk', 'user_message_chunk', 'agent_thought_chunk'];
const kinds = [
  ...chunks,
  'tool_call',
  'tool_call_update',
  'plan',
  'notice',
  'available_commands_update',
  'current_mode_update',
  'session_info_update',
  'usage_update',
  'unheard_of',
];
const update = mostly(
  fc.record(
    {
      sessionUpdate: fc.constantFrom<unknown>(...kinds, ...chunks, ...chunks, 3),
      content: fc.oneof(
        content,
        fc.array(fc.record({ type: fc.constantFrom('content', 'diff'), content }), { maxLength: 3 }),
      ),
      messageId: fc.constantFrom<unknown>('m1', 'm2', 1),
      toolCallId: fc.constantFrom('t1', 't2'),
      title: fc.oneof(text, json),
      status: fc.constantFrom('pending', 'in_progress', 'completed', 'failed', 'x'),
      kind: fc.constantFrom('execute', 'x'),
      rawInput: json,
      rawOutput: fc.oneof(fc.record({ exitCode: json, exit_code: json, output: text }, { requiredKeys: [] }), json),
      entries: fc.oneof(fc.array(fc.record({ content: text, status: text, priority: text }), { maxLength: 3 }), json),
      currentModeId: fc.oneof(text, json),
      level: fc.oneof(fc.constantFrom(...levels), json),
      message: fc.oneof(text, json),
      _meta: json,
    },
    { requiredKeys: [] },
  ),
);
const log = fc.record(
  {
    level: fc.oneof(fc.constantFrom<unknown>(...levels, 'warn', 'ERROR'), json),
    message: fc.oneof(text, json),
    sessionId,
    logger: fc.oneof(text, json),
    timestamp: fc.oneof(fc.constantFrom<unknown>('2026-11-20T12:00:00Z', 'yesterday', 1e300, -1), json),
    data: json,
  },
  { requiredKeys: [] },
);
const termination = fc.record(
  { sessionId, reason: fc.constantFrom('completed', 'error', 'x'), terminated_by: text, exit_code: json, stderr: json },
  { requiredKeys: [] },
);
const notification = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ method: fc.constantFrom('log', 'notifications/message', '_log'), params: mostly(log) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ method: fc.constant('session/update'), params: mostly(fc.record({ sessionId, update })) }),
  },
  fc.record({ method: fc.constant('session/cancel'), params: fc.oneof(fc.record({ sessionId }), json) }),
  fc.record({ method: fc.constant('$/cancel_request'), params: fc.oneof(fc.record({ requestId: id }), json) }),
  fc.record({ method: fc.constant('_sandboxagent/session/ended'), params: fc.oneof(termination, json) }),
  fc.record({ method: text, params: json }),
);
const request = fc.record(
  {
    id,
    method: fc.constantFrom(
      'initialize',
      'session/new',
      'session/prompt',
      'session/request_permission',
      'session/set_mode',
      'session/close',
      'authenticate',
      'logging/setLevel',
      'fs/read_text_file',
      '_own',
    ),
    params: fc.oneof(
      fc.record({
        sessionId,
        modeId: fc.oneof(text, json),
        prompt: fc.oneof(fc.array(content, { maxLength: 2 }), json),
        toolCall: fc.oneof(update, json),
        options: fc.oneof(fc.array(fc.record({ optionId: text, name: text, kind: text }), { maxLength: 3 }), json),
      }),
      json,
    ),
  },
  { requiredKeys: ['method'] },
);
const answer = fc.record(
  {
    id,
    result: fc.oneof(
      fc.record(
        {
          sessionId,
          stopReason: text,
          usage: json,
          protocolVersion: json,
          agentInfo: json,
          modes: fc.oneof(fc.record({ currentModeId: text, availableModes: json }), json),
          outcome: fc.oneof(fc.record({ outcome: fc.constantFrom('selected', 'cancelled'), optionId: text }), json),
        },
        { requiredKeys: [] },
      ),
      json,
    ),
    error: fc.oneof(fc.record({ code: json, message: fc.oneof(text, json), data: json }, { requiredKeys: [] }), json),
  },
  { requiredKeys: [] },
);
const message = fc.oneof(
  { weight: 4, arbitrary: notification },
  { weight: 3, arbitrary: request },
  { weight: 3, arbitrary: answer },
  { weight: 1, arbitrary: json },
  { weight: 1, arbitrary: fc.array(fc.oneof(notification, request, answer, json), { maxLength: 3 }) },
);
const direction = fc.constantFrom('a2c', 'a2c', 'c2a' as const);

/** An event without a time. */
const event = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.tuple(direction, message).map(([dir, msg]) => {
      const line = JSON.stringify(msg);
      return { dir, line, msg: JSON.parse(line) as unknown };
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ dir: direction, line: text.map((line) => `no JSON ${line.replaceAll('\n', ' ')}`) }),
  },
  { weight: 1, arbitrary: fc.record({ dir: direction, line: text, bytes: fc.integer({ min: 1 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      dir: fc.constant('err' as const),
      line: fc.oneof(text, fc.constantFrom('  indented', '}', '')),
    }),
  },
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
