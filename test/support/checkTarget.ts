import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import type { CheckTarget } from '../../src/mcpServers/check/checkTarget';

/** An MCP server in the settings of Claude Code. */
export function checkTarget(name: string, start: CheckTarget['start'], more: Partial<CheckTarget> = {}): CheckTarget {
  const clients = [{ id: 'claude', label: 'Claude Code' }];
  return { name, label: name, clients, file: '/x/.mcp.json', start, cwd: tmpdir(), asksUser: false, ...more };
}

/** A fake server, which does what these arguments say. */
export function fakeTarget(
  name: string,
  args: readonly string[],
  { fake = 'mcp-checked', env = {} }: { readonly fake?: string; readonly env?: Readonly<Record<string, string>> } = {},
): CheckTarget {
  const words = [resolve('test/fakeAgents', `${fake}.mjs`), ...args];
  return checkTarget(name, { type: 'process', command: process.execPath, args: words, env });
}
