import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const models = ['claude-sonnet-4-5', 'claude-opus-4-6', 'claude-haiku-4-5'];
const hour = 3_600_000;

export interface ManySessions {
  /** How many; half of them of Claude Code in one folder for each project, half of Codex in one for each day. */
  readonly count: number;
  /** When the newest one was last written, in milliseconds since the epoch; each other one is 36 seconds older than the one before. */
  readonly now: number;
  readonly projects?: number;
}

/** Writes many small sessions below a home folder. Every 100th failed, every 1,000th has the word "needle". */
export function makeManySessions(home: string, { count, now, projects = 100 }: ManySessions): void {
  const folders = new Set<string>();
  for (let at = 0; at < count; at++) {
    const lastAt = now - at * (hour / 100);
    const isCodex = at % 2 === 1;
    const { path, lines } = isCodex ? codexSession(at, lastAt, projects) : claudeSession(at, lastAt, projects);
    const file = join(home, path);
    const folder = dirname(file);
    if (!folders.has(folder)) mkdirSync(folder, { recursive: true });
    folders.add(folder);
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    utimesSync(file, lastAt / 1000, lastAt / 1000);
  }
}

interface MadeSession {
  readonly path: string;
  readonly lines: readonly object[];
}

function claudeSession(at: number, lastAt: number, projects: number): MadeSession {
  const sessionId = `0c5f0f0e-0000-4000-8000-${String(at).padStart(12, '0')}`;
  const cwd = folderOf(at, projects);
  const common = { isSidechain: false, userType: 'external', entrypoint: 'cli', cwd, sessionId, version: '2.1.330' };
  const line = (n: number, rest: object): object => ({
    parentUuid: n === 0 ? null : `u${n - 1}`,
    ...common,
    ...rest,
    uuid: `u${n}`,
    timestamp: new Date(lastAt - (3 - n) * 1000).toISOString(),
  });
  const usage = { input_tokens: 10, cache_creation_input_tokens: 0, cache_read_input_tokens: 500, output_tokens: 20 };
  const role = 'assistant';
  const answer = (text: string, rest: object): object => ({
    type: role,
    message: {
      id: `msg_${at}`,
      type: 'message',
      role,
      content: [{ type: 'text', text }],
      stop_reason: 'end_turn',
      ...rest,
    },
  });
  const failed = { ...answer('Not logged in · Please run /login', { model: '<synthetic>' }), isApiErrorMessage: true };
  return {
    path: `.claude/projects/${cwd.replace(/[^A-Za-z0-9]/g, '-')}/${sessionId}.jsonl`,
    lines: [
      line(0, { type: 'user', message: { role: 'user', content: promptOf(at) } }),
      line(1, answer(`Done: ${'the tests pass again. '.repeat(20)}`, { model: models[at % models.length], usage })),
      ...(isFailed(at)
        ? [line(2, { type: 'user', message: { role: 'user', content: 'And now?' } }), line(3, failed)]
        : []),
    ],
  };
}

function codexSession(at: number, lastAt: number, projects: number): MadeSession {
  const startedAt = lastAt - 2000;
  const id = uuidAt(startedAt, at);
  const day = new Date(startedAt).toISOString();
  const cwd = folderOf(at, projects);
  const turn_id = id.replace(/^../, 'ff');
  const line = (ms: number, type: string, payload: object): object => ({
    timestamp: new Date(startedAt + ms).toISOString(),
    ordinal: ms,
    type,
    payload,
  });
  const item = { type: 'UserMessage', id: `${turn_id}1`, content: [{ type: 'text', text: promptOf(at) }] };
  const usage = { input_tokens: 510, cached_input_tokens: 500, output_tokens: 20, total_tokens: 530 };
  const error = { message: 'unexpected status 401 Unauthorized', codex_error_info: { http_connection_failed: {} } };
  return {
    path: `.codex/sessions/${day.slice(0, 10).replaceAll('-', '/')}/rollout-${day.slice(0, 19).replaceAll(':', '-')}-${id}.jsonl`,
    lines: [
      line(0, 'session_meta', { id, session_id: id, timestamp: day, cwd, cli_version: '0.169.0', source: 'cli' }),
      line(1, 'event_msg', { type: 'task_started', turn_id, started_at: Math.floor(startedAt / 1000) }),
      line(2, 'turn_context', { turn_id, cwd, model: 'gpt-5-codex' }),
      line(3, 'event_msg', { type: 'item_completed', thread_id: id, turn_id, item }),
      line(1000, 'token_usage_record', { response_id: `r${at}`, turn_id, usage }),
      line(2000, 'event_msg', {
        type: 'task_complete',
        turn_id,
        last_agent_message: 'Done.',
        ...(isFailed(at) && { error }),
      }),
    ],
  };
}

function isFailed(at: number): boolean {
  return Math.floor(at / 2) % 50 === 49;
}

function promptOf(at: number): string {
  return `${at % 1000 === 999 ? 'Find the needle' : 'Fix the parser'} in step ${at}`;
}

function folderOf(at: number, projects: number): string {
  return `/home/me/project${Math.floor(at / 2) % projects}`;
}

/** A UUID of version 7. */
function uuidAt(ms: number, at: number): string {
  const time = Math.floor(ms).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${String(at).padStart(12, '0')}`;
}
