// @ts-check
// On a prompt, sends malformed or questionable log notifications, and attempts to forge output channel entries. Ends the turn with end_turn.
import { FakeAgent } from './lib/fakeAgent.mjs';

const entry = '2026-01-01 00:00:00.000 [error] [x] forged';
/** @type {readonly unknown[]} */
const params = [
  { message: 'no level' },
  { level: 'loud', message: 'an unknown level' },
  { level: 'WARNING', message: 'a level in capitals' },
  { level: 'warn', message: 'a level by another name' },
  { level: 3, message: 'a level that is a number' },
  { level: null, message: 'a level that is null' },
  { level: 'info' },
  { level: 'info', message: '' },
  { level: 'info', message: { text: 'a message that is an object' } },
  { level: 'info', message: ['a message', 'that is a list'] },
  { level: 'info', message: 42 },
  { level: 'info', message: null },
  { level: 'info', message: 'a session that is a number', sessionId: 7 },
  { level: 'info', message: 'a session that is null', sessionId: null },
  { level: 'info', message: 'a session that is empty', sessionId: '' },
  { level: 'info', message: 'a session never announced', sessionId: 'never-announced' },
  { level: 'info', message: 'a time that is garbage', timestamp: 'yesterday, around noon' },
  { level: 'info', message: 'a time that is a number', timestamp: 1_767_225_600_000 },
  { level: 'info', message: 'a time without a zone', timestamp: '2026-01-01T00:00:00' },
  { level: 'info', message: 'a time far away', timestamp: '+275760-09-13T00:00:00.000Z' },
  { level: 'info', message: 'a logger that is a number', logger: 5 },
  { level: 'info', message: 'a logger with brackets and a break', logger: `a] [b\n${entry}` },
  { level: 'info', message: 'fields that are not known', code: 'E42', severity: 1, _meta: { traceparent: '00-0' } },
  ...[null, 0, '', 'text', true, ['a', 1], {}, { deep: { deeper: { deepest: [] } } }].map((data) => ({
    level: 'info',
    message: `data that is ${JSON.stringify(data)}`,
    data,
  })),
  { level: 'info', message: 'names of the prototype', data: { ['__proto__']: { polluted: true }, toString: 1 } },
  { level: 'info', message: `one line\n${entry}` },
  { level: 'info', message: `one line\r${entry}` },
  { level: 'info', message: `one line\u2028${entry}\u0085${entry}` },
  {
    level: 'info',
    message: `\u001b[2J\u001b[31mred\u001b[0m \u001b]0;title\u0007 \u001b]8;;http://example.com\u001b\\link\u001b]8;;\u001b\\`,
  },
  { level: 'info', message: '\u0000\b\u007f\u009b31m control characters' },
  { level: 'info', message: 'right to left \u202etxt.exe\u202c and a lone surrogate \ud800' },
  { level: 'info', message: '[fake-1] [connection] brackets at the start' },
  { level: 'info', message: 'x'.repeat(100_000) },
  { level: 'info', message: 'data that forges', data: { text: `"}\n${entry}` } },
  [],
  ['info', 'a list as params'],
  null,
  'a text as params',
];
/** @type {readonly [string, unknown][]} */
const dialects = [
  ['_agent-logs/log', { level: 'warning', message: 'by the letter of the extensibility rules', sessionId: 'fake-1' }],
  ['_posthog/console', { level: 'warn', message: 'PostHog, one underscore', sessionId: 'fake-1' }],
  ['__posthog/console', { level: 'warn', message: 'PostHog, two underscores', sessionId: 'fake-1' }],
  ['_posthog/console', { level: 'warn' }],
  ['Log', { level: 'info', message: 'another method altogether' }],
];

const agent = new FakeAgent();
agent.on('session/prompt', () => {
  for (const each of params) agent.notify('log', each);
  agent.notify('log');
  for (const [method, each] of dialects) agent.notify(method, each);
  return { stopReason: 'end_turn' };
});
