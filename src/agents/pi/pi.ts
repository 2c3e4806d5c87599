import type { Agent } from '../agent';
import { saved } from './saved';

export const pi = {
  id: 'pi',
  label: 'pi',
  saved,
} as const satisfies Agent;
