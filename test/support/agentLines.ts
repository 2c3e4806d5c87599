/** The nth second of a session, as agents write it. */
export const at = (second: number): string =>
  new Date(Date.parse('2026-11-27T10:00:00.000Z') + second * 1000).toISOString();

/** Lines of a session of pi, with the ID `s`. */
export const pi = {
  header: { type: 'session', version: 3, id: 's', timestamp: at(0), cwd: '/home/dev' },
  line: (second: number, message: object, id = `e${second}`, parentId: string | null = null) => {
    return { type: 'message', id, parentId, timestamp: at(second), message };
  },
  prompt: (text: string) => ({ role: 'user', content: [{ type: 'text', text }] }),
  usage: (input: number, output: number) => {
    return { input, output, cacheRead: 0, cacheWrite: 0, totalTokens: input + output };
  },
  answer: (input: number, output: number) => ({
    ...{ role: 'assistant', model: 'mock', content: [{ type: 'text', text: 'Done.' }], stopReason: 'stop' },
    usage: pi.usage(input, output),
  }),
} as const;

/** Lines of a session of Qwen Code, with the ID `s`. */
export const qwen = {
  line: (second: number, fields: object, uuid = `q${second}`, parentUuid: string | null = null) => {
    const common = { uuid, parentUuid, sessionId: 's', timestamp: at(second), version: '0.24.4', cwd: '/home/dev' };
    return { ...common, provenance: 'x', ...fields };
  },
  prompt: (text: string) => ({ type: 'user', message: { role: 'user', parts: [{ text }] } }),
  answer: (input: number, output: number) => ({
    ...{ type: 'assistant', model: 'mock', message: { role: 'model', parts: [{ text: 'Done.' }] } },
    usageMetadata: { promptTokenCount: input, candidatesTokenCount: output, totalTokenCount: input + output },
  }),
  telemetry: (uiEvent: object) => ({ type: 'system', subtype: 'ui_telemetry', systemPayload: { uiEvent } }),
} as const;

/** Events of a session of Copilot CLI, with the ID `s`. */
export const copilot = {
  start: { type: 'session.start', data: { sessionId: 's', copilotVersion: '1.0.102' }, id: 'e0', timestamp: at(0) },
  event: (second: number, type: string, data: object, id = `e${second}`, parentId: string | null = null) => {
    return { type, data, id, timestamp: at(second), parentId };
  },
  prompt: (second: number, content: string) => copilot.event(second, 'user.message', { content }),
  call: (second: number, inputTokens: number, outputTokens: number, apiCallId = `c${second}`) =>
    copilot.event(second, 'session.usage_record', { usage: { model: 'm', apiCallId, inputTokens, outputTokens } }),
  answer: (second: number) => copilot.event(second, 'assistant.message', { content: 'Done.', toolRequests: [] }),
  end: (second: number) => copilot.event(second, 'assistant.turn_end', { turnId: '0' }),
} as const;

/** A line of a session of Codex. */
export function codexLine(second: number, type: string, payload: object): object {
  return { timestamp: at(second), ordinal: second, type, payload };
}

export const jsonOf = (lines: readonly object[]): string[] => lines.map((line) => JSON.stringify(line));
