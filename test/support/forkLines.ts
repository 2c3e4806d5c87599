import { at, copilot, pi, qwen } from './agentLines';
import { ClaudeLines } from './claudeLines';

/** A fork with one copied turn of 100/10 tokens, and one of its own of 7/3. */
export const forks: Readonly<Record<string, readonly object[]>> = {
  'Claude Code, with a mark in each line': claudeFork((line) => ({ ...line, forkedFrom: { sessionId: 'origin' } })),
  'Claude Code, with a mark in answers': claudeFork(markedAnswer),
  'Claude Code, with a mark in answers behind a line of its own': [
    { type: 'queue-operation', operation: 'enqueue', timestamp: at(90), sessionId: 'fork' },
    ...claudeFork(markedAnswer, (line) => ({ ...line, timestamp: at(100 + Number(String(line['uuid']).slice(1))) })),
  ],
  'Qwen Code': qwenFork(),
  pi: piFork(),
  'Codex, with its history some milliseconds apart': codexFork(() => ({})),
  'Codex, with IDs of turns': codexFork((isCopy) => ({
    turn_id: isCopy ? '01970000-0000-7000-8000-0000000000aa' : '01970000-0009-7000-8000-0000000000bb',
  })),
  'OpenCode 1': openCodeFork(),
  'Copilot CLI': copilotFork(),
};

type Line = Readonly<Record<string, unknown>>;

function markedAnswer(line: Line): object {
  return line['type'] === 'assistant' ? { ...line, requestSessionId: 'origin' } : line;
}

function claudeFork(mark: (copied: Line) => object, change = (own: Line): object => own): readonly object[] {
  const session = new ClaudeLines('fork');
  const copied = [session.prompt('u1', 'Plan the shop'), session.answer('u2', 'm1', [100, 10]), session.end('u3')];
  const own = [session.prompt('u4', 'Go another way'), session.answer('u5', 'm2', [7, 3]), session.end('u6')];
  return [...copied.map((line) => mark(line as Line)), ...own.map((line) => change(line as Line))];
}

function qwenFork(): readonly object[] {
  const line = (second: number, fields: object): object => {
    const copied = second < 10 && { forkedFrom: { sessionId: 'origin' } };
    return { ...qwen.line(second, fields), sessionId: 'fork', ...copied };
  };
  return [
    line(1, qwen.prompt('Plan the shop')),
    line(2, qwen.answer(100, 10)),
    line(11, qwen.prompt('Go another way')),
    line(12, qwen.answer(7, 3)),
  ];
}

function piFork(): readonly object[] {
  const parentSession = '/home/dev/.pi/agent/sessions/--home-dev--/2026-11-27T09-00-00-000Z_origin.jsonl';
  return [
    { ...pi.header, id: 'fork', timestamp: at(5), parentSession },
    pi.line(1, pi.prompt('Plan the shop')),
    pi.line(2, pi.answer(100, 10)),
    pi.line(6, pi.prompt('Go another way')),
    pi.line(7, pi.answer(7, 3)),
  ];
}

function codexFork(more: (isCopy: boolean) => object): readonly object[] {
  // A UUID of version 7 has its time.
  const id = '01970000-0005-7000-8000-000000000013';
  const line = (ms: number, type: string, payload: object): object => ({ timestamp: at(ms / 1000), type, payload });
  const turn = (ms: number, step: number, isCopy: boolean, prompt: string, total: number, last: object): object[] => [
    line(ms, 'event_msg', { type: 'task_started', ...more(isCopy) }),
    line(ms + step, 'event_msg', { type: 'user_message', message: prompt }),
    line(ms + 2 * step, 'event_msg', {
      type: 'token_count',
      info: { total_token_usage: { input_tokens: total }, last_token_usage: last },
    }),
    line(ms + 3 * step, 'event_msg', { type: 'agent_message', message: 'Done.' }),
    line(ms + 4 * step, 'event_msg', { type: 'task_complete', ...more(isCopy) }),
  ];
  return [
    line(1000, 'session_meta', { id, cwd: '/home/dev', cli_version: '0.95.0', forked_from_id: 'origin' }),
    line(1001, 'session_meta', { id: 'origin', cwd: '/home/dev', cli_version: '0.95.0' }),
    ...turn(1003, 3, true, 'Plan the shop', 100, { input_tokens: 100, output_tokens: 10 }),
    ...turn(3000, 500, false, 'Go another way', 107, { input_tokens: 7, output_tokens: 3 }),
  ];
}

function openCodeFork(): readonly object[] {
  const ms = (second: number): number => Date.parse(at(second));
  const message = (id: string, role: string, second: number, more: object = {}): object => {
    const info = { id, role, time: { created: ms(second), ...more }, ...(role === 'assistant' && { finish: 'stop' }) };
    return { type: 'opencode.message', ts: ms(second), info };
  };
  const part = (id: string, messageID: string, second: number, more: object): object => {
    return { type: 'opencode.part', ts: ms(second), part: { id, messageID, ...more } };
  };
  const turn = (name: string, second: number, text: string, input: number, output: number): object[] => [
    message(`${name}u`, 'user', second),
    part(`${name}p`, `${name}u`, second, { type: 'text', text }),
    message(`${name}a`, 'assistant', second + 1, {}),
    part(`${name}t`, `${name}a`, second + 2, { type: 'text', text: 'Done.' }),
    part(`${name}s`, `${name}a`, second + 2, { type: 'step-finish', tokens: { input, output } }),
    message(`${name}a`, 'assistant', second + 1, { completed: ms(second + 2) }),
  ];
  return [
    {
      type: 'opencode.session',
      ts: ms(10),
      info: { id: 'fork', title: 'Plan it (fork #1)', time: { created: ms(10), updated: ms(20) } },
    },
    ...turn('a', 1, 'Plan the shop', 100, 10),
    ...turn('b', 11, 'Go another way', 7, 3),
  ];
}

/** Events keep their IDs and times in a fork; only the start is its own. */
function copilotFork(): readonly object[] {
  let parentId: string | null = null;
  const event = (id: string, second: number, type: string, data: object): object => {
    const line = copilot.event(second, type, data, id, parentId);
    parentId = id;
    return line;
  };
  const turn = (name: string, second: number, content: string, inputTokens: number, outputTokens: number): object[] => {
    const accounting = { sourceSessionId: second < 10 ? 'origin' : 'fork', sequence: 1, usageId: `call-${name}` };
    const usage = { model: 'mock', inputTokens, outputTokens, apiCallId: `call-${name}`, accounting };
    return [
      event(`${name}1`, second, 'user.message', { content, delivery: 'idle' }),
      event(`${name}2`, second + 1, 'session.usage_record', { usage }),
      event(`${name}3`, second + 2, 'assistant.message', { content: 'Done.', toolRequests: [] }),
      event(`${name}4`, second + 2, 'assistant.turn_end', { turnId: '0' }),
    ];
  };
  return [
    event('s', 10, 'session.start', { sessionId: 'fork', copilotVersion: '1.0.102', selectedModel: 'mock' }),
    ...turn('a', 1, 'Plan the shop', 100, 10),
    ...turn('b', 11, 'Go another way', 7, 3),
  ];
}

/** The session that a fork was made of: what was copied, without marks. */
export function originOf(fork: readonly object[]): readonly object[] {
  const texts = fork.map((line) => JSON.stringify(line));
  const own = texts.findIndex((text) => text.includes('Go another way'));
  const copied = texts.slice(0, own).filter((text) => !/"id":"[\w-]+13"|queue-operation/.test(text));
  if (copied.at(-1)?.includes('task_started') === true) copied.pop();
  return copied.map((text) => {
    const { forkedFrom: _from, requestSessionId: _id, parentSession, ...line } = JSON.parse(text) as Line;
    const header =
      line['type'] === 'session.start'
        ? { data: { ...(line['data'] as object), sessionId: 'origin' }, timestamp: at(0) }
        : parentSession === undefined
          ? {}
          : { id: 'origin', timestamp: at(0) };
    return { ...line, ...(line['sessionId'] === 'fork' && { sessionId: 'origin' }), ...header };
  });
}
