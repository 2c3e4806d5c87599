import type { Agent } from '../agent';
import { saved } from './saved';

export const pi = {
  id: 'pi',
  label: 'pi',
  saved,
  acp: { commandLine: 'pi-acp', install: 'npm install -g pi-acp' },
} as const satisfies Agent;
