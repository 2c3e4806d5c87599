import type { Agent } from '../agent';
import { saved } from './saved';
import { stream } from './stream';

export const goose = {
  id: 'goose',
  label: 'goose',
  stream,
  saved,
  acp: { commandLine: 'goose acp', install: 'https://block.github.io/goose' },
} as const satisfies Agent;
