import type { MethodRole } from '../../work/methodRole';

export const lspMethods: ReadonlyMap<string, MethodRole> = new Map<string, MethodRole>([
  ['initialize', 'greeting'],
  ['window/logMessage', 'log'],
]);
