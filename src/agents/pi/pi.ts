import type { Agent } from '../agent';
import { saved } from './saved';
import { stream } from './stream';

export const pi = {
  id: 'pi',
  label: 'pi',
  stream,
  saved,
  acp: { commandLine: 'pi-acp', install: 'npm install -g pi-acp' },
} as const satisfies Agent;
