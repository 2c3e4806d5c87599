import type { Agent } from '../agent';
import { saved } from './saved';

export const vscode = { id: 'vscode', label: 'VS Code Chat', saved } as const satisfies Agent;
