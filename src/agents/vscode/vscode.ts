import type { Agent } from '../agent';
import { mcp } from './mcp';
import { saved } from './saved';

export const vscode = { id: 'vscode', label: 'VS Code Chat', saved, mcp } as const satisfies Agent;
