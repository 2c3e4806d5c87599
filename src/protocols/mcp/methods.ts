import type { MethodRole } from '../../work/methodRole';

export const mcpMethods: ReadonlyMap<string, MethodRole> = new Map<string, MethodRole>([
  ['initialize', 'greeting'],
  ['server/discover', 'probe'],
  ['tools/call', 'tool'],
  ['elicitation/create', 'question'],
  ['sampling/createMessage', 'model-question'],
  ['subscriptions/listen', 'subscription'],
  // `tasks/result` may wait for the task's end.
  ['tasks/get', 'poll'],
  ['tasks/update', 'poll'],
  ['tasks/cancel', 'poll'],
  ['logging/setLevel', 'level'],
  ['notifications/message', 'log'],
]);

/** The capability that a server declares with each of these methods. */
export const serverCapabilities: ReadonlyMap<string, string> = new Map([
  ...['tools/list', 'tools/call'].map((method) => [method, 'tools'] as const),
  ...['prompts/list', 'prompts/get'].map((method) => [method, 'prompts'] as const),
  ...['resources/list', 'resources/read'].map((method) => [method, 'resources'] as const),
  ['completion/complete', 'completions'],
]);

/** The capability that a client must declare for each of these requests. */
export const clientCapabilities: ReadonlyMap<string, string> = new Map([
  ['sampling/createMessage', 'sampling'],
  ['roots/list', 'roots'],
  ['elicitation/create', 'elicitation'],
]);
