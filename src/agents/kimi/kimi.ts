import type { Agent } from '../agent';
import { saved } from './saved';
import { stream } from './stream';

export const kimi = {
  id: 'kimi',
  label: 'Kimi Code',
  stream,
  saved,
  acp: { commandLine: 'kimi acp', install: 'npm install -g @moonshot-ai/kimi-code' },
} as const satisfies Agent;
