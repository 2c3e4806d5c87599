import type { WireEvent } from '../../src/wire/wireEvent';
import { line, startedAt } from './wireRows';

// A turn of an agent that calls a tool of an MCP server, and what crossed between the agent and the server.

const sessionId = '5e551017-0000-4000-8000-000000000001';

/** The whole turn. */
export function agentEvents(): readonly WireEvent[] {
  return [
    line(0, 'c2a', { id: 1, method: 'session/new', params: { cwd: '/work' } }),
    line(1, 'a2c', { id: 1, result: { sessionId } }),
    line(2, 'c2a', { id: 2, method: 'session/prompt', params: { sessionId, prompt: [{ type: 'text', text: 'Go.' }] } }),
    ...callEvents('call-1', 100),
    line(950, 'a2c', { id: 2, result: { stopReason: 'end_turn' } }),
  ];
}

/** A call of 800 ms, of whose result the agent shows only the beginning. */
export function callEvents(toolCallId: string, at: number): readonly WireEvent[] {
  const update = (ms: number, fields: object): WireEvent =>
    line(ms, 'a2c', { method: 'session/update', params: { sessionId, update: fields } });
  return [
    update(at, {
      sessionUpdate: 'tool_call',
      toolCallId,
      title: 'mcp__books__find',
      status: 'in_progress',
      rawInput: { title: 'Momo' },
    }),
    update(at + 800, {
      sessionUpdate: 'tool_call_update',
      toolCallId,
      status: 'completed',
      content: [{ type: 'content', content: { type: 'text', text: 'Momo' } }],
    }),
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
