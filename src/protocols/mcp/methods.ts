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
