import type { WireEvent } from '../../src/wire/wireEvent';
import { opened, prompted, updated } from './acpRows';
import { line, startedAt } from './wireRows';

// A turn of an agent that calls a tool of an MCP server, and what crossed between the agent and the server.

/** The whole turn. */
export function agentEvents(): readonly WireEvent[] {
  const end = line(950, 'a2c', { id: 2, result: { stopReason: 'end_turn' } });
  return [...opened(0, 1), prompted(2, 2), ...callEvents('call-1', 100), end];
}

/** A call of 800 ms, of whose result the agent shows only the beginning. */
export function callEvents(toolCallId: string, at: number): readonly WireEvent[] {
  const call = { toolCallId, title: 'mcp__books__find', status: 'in_progress', rawInput: { title: 'Momo' } };
  const content = [{ type: 'content', content: { type: 'text', text: 'Momo' } }];
  return [
    updated(at, { sessionUpdate: 'tool_call', ...call }),
    updated(at + 800, { sessionUpdate: 'tool_call_update', toolCallId, status: 'completed', content }),
  ];
}

/** @param meta what the request says of the call that caused it */
export function serverEvents(meta: object = {}): readonly WireEvent[] {
  const params = { name: 'find', arguments: { title: 'Momo' }, _meta: { progressToken: 7, ...meta } };
  const progress = { progressToken: 7, progress: 1, total: 2, message: 'Reading the catalogue' };
  return [
    line(200, 'c2a', { id: 5, method: 'tools/call', params }),
    line(300, 'a2c', { method: 'notifications/progress', params: progress }),
    { t: startedAt + 400, dir: 'err', line: 'cache miss' },
    line(500, 'a2c', { method: 'notifications/message', params: { level: 'warning', data: 'The index is old' } }),
    line(600, 'a2c', { id: 5, result: { content: [{ type: 'text', text: 'Momo, 1973' }] } }),
  ];
}
