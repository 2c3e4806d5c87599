import type { Agent } from '../agent';
import { saved } from './saved';

export const copilot = {
  id: 'copilot',
  label: 'Copilot CLI',
  saved,
} as const satisfies Agent;
