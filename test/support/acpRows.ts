import type { WireLine } from '../../src/wire/wireLine';
import { line } from './wireRows';

export const alpha = '5e551017-0000-4000-8000-000000000001';
export const beta = '5e551017-0000-4000-8000-000000000002';

/** A session that is opened by the request with this ID. */
export function opened(ms: number, id: number, sessionId = alpha): readonly WireLine[] {
  return [
    line(ms, 'c2a', { id, method: 'session/new', params: { cwd: '/work' } }),
    line(ms + 1, 'a2c', { id, result: { sessionId } }),
  ];
}

export function prompted(ms: number, id: number, text = 'Go.', sessionId = alpha): WireLine {
  return line(ms, 'c2a', { id, method: 'session/prompt', params: { sessionId, prompt: [{ type: 'text', text }] } });
}

export function updated(ms: number, update: object, sessionId = alpha): WireLine {
  return line(ms, 'a2c', { method: 'session/update', params: { sessionId, update } });
}

/** A call of a tool that ends a millisecond later. */
export function called(ms: number, id: string, title: string, status: string, sessionId = alpha): readonly WireLine[] {
  const ids = { toolCallId: id };
  return [
    updated(ms, { sessionUpdate: 'tool_call', ...ids, title, status: 'pending' }, sessionId),
    updated(ms + 1, { sessionUpdate: 'tool_call_update', ...ids, status }, sessionId),
  ];
}
