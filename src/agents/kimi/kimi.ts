import type { Agent } from '../agent';
import { saved } from './saved';

export const kimi = {
  id: 'kimi',
  label: 'Kimi Code',
  saved,
  acp: { commandLine: 'kimi acp', install: 'npm install -g @moonshot-ai/kimi-code' },
} as const satisfies Agent;
