import type { MethodRole } from '../../work/methodRole';
import { logForm } from './logMessage';

/** Of versions 1 and 2. */
export const acpMethods: ReadonlyMap<string, MethodRole> = new Map<string, MethodRole>([
  ['initialize', 'greeting'],
  ['authenticate', 'login'],
  ['auth/login', 'login'],
  ['session/new', 'open'],
  ['session/load', 'reopen'],
  ['session/resume', 'reopen'],
  ['session/fork', 'fork'],
  ['session/list', 'list'],
  ['session/prompt', 'turn'],
  ['session/request_permission', 'question'],
  ['elicitation/create', 'question'],
  ['sampling/createMessage', 'model-question'],
  ['logging/setLevel', 'level'],
  ...[...logForm.methods].map((method): [string, MethodRole] => [method, 'log']),
]);
