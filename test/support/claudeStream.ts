import { DiagnosedWire } from './diagnosedWire';

/** The session of the messages below. */
export const session = 's1';

/** Messages of Claude Code's stream. */
export const claude = {
  init: { type: 'system', subtype: 'init', session_id: session, model: 'm' },
  says: (...content: readonly object[]) => ({
    ...{ type: 'assistant', session_id: session },
    message: { role: 'assistant', content },
  }),
  hears: (...content: readonly object[]) => ({ type: 'user', session_id: session, message: { role: 'user', content } }),
  delta: (type: string) => ({ type: 'stream_event', session_id: session, event: { delta: { type } } }),
  retry: { type: 'system', subtype: 'api_retry', session_id: session, error: 'overloaded', error_status: 529 },
  limit: { type: 'rate_limit_event', session_id: session, rate_limit_info: { status: 'rejected' } },
  asks: (request_id: string, tool_use_id?: string, subtype = 'can_use_tool') => ({
    ...{ type: 'control_request', request_id },
    request: { subtype, ...(tool_use_id === undefined ? { tool_name: 'Bash' } : { tool_use_id }) },
  }),
  answers: (request_id: string) => ({ type: 'control_response', response: { request_id, subtype: 'success' } }),
  interrupt: { type: 'control_request', request_id: 'r', request: { subtype: 'interrupt' } },
  ended: (tool_use_id: string) => claude.hears({ type: 'tool_result', tool_use_id, content: 'ok' }),
  result: { type: 'result', subtype: 'success', session_id: session, is_error: false, result: 'Done.' },
} as const;

export const text = (words: string): object => ({ type: 'text', text: words });
export const bash = (id = 't1'): object => ({ type: 'tool_use', id, name: 'Bash', input: { command: 'npm test' } });

/** The start of a turn of Codex. */
export const codexTurn = (thread_id = session): object[] => [
  { type: 'thread.started', thread_id },
  { type: 'turn.started' },
];

/** A run of a stream after these messages. */
export function streaming(...messages: readonly object[]): DiagnosedWire {
  return messages.reduce<DiagnosedWire>((wire, msg) => wire.send('a2c', msg), new DiagnosedWire('stream-json'));
}
