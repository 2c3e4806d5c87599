import type { Agent } from '../agent';
import { saved } from './saved';
import { stream } from './stream';

export const droid = {
  id: 'droid',
  label: 'Droid',
  // Its stream begins like Claude Code's.
  variantOf: 'claude',
  stream,
  saved,
  acp: {
    name: 'Factory Droid',
    commandLine: 'droid exec --output-format acp',
    install: 'https://docs.factory.ai/cli',
  },
} as const satisfies Agent;
