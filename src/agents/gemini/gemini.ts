import type { Agent } from '../agent';
import { saved } from './saved';
import { stream } from './stream';

export const gemini = {
  id: 'gemini',
  label: 'Gemini CLI',
  stream,
  saved,
} as const satisfies Agent;
