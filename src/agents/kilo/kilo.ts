import type { Agent } from '../agent';
import { extension } from './acp';
import { saved } from './saved';
import { stream } from './stream';

/** A variant of OpenCode with a database of its own. */
export const kilo = {
  id: 'kilo',
  label: 'Kilo Code',
  variantOf: 'opencode',
  stream,
  saved,
  acp: { commandLine: 'kilo acp', install: 'npm install -g @kilocode/cli' },
  extension,
} as const satisfies Agent;
