import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { journalLine } from '../../src/wire/journal/journalLine';
import { makeManySessions } from '../../test/support/manySessions';
import { outFolder } from './bundle';
import { random } from './random';

const usualSessions = 20;
const levels = [...Array<string>(50).fill('debug'), ...Array<string>(35).fill('info'), 'notice', 'notice', 'notice'];
const severe = [...Array<string>(8).fill('warning'), 'error', 'error', 'error', 'critical'];
const loggers = ['agent', 'model', 'tool.shell', 'tool.edit', 'session', 'http'];
const words = (
  'reading the file context window tokens request answered retry plan step edit applied cache tool call finished branch diff ' +
  'search results model stream chunk parser index build test passed failed waiting prompt turn started ended path line'
).split(' ');
const start = Date.UTC(2026, 0, 5, 9);
/** When the newest saved session was written. */
export const savedUntil = 1_796_000_000_000;

/** `count` log notifications of about 260 bytes in 20 or more sessions, deterministic; 3 % contain non-ASCII characters, 15 % are warnings or worse. */
function* logLines(count: number, sessions = usualSessions): Generator<string> {
  const next = random(7);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
  for (let n = 0; n < count; n++) {
    const text = Array.from({ length: 4 + Math.floor(next() * 6) }, () => pick(words)).join(' ');
    const params = {
      sessionId: `5e551017-0000-4000-8000-${String(Math.floor(next() * sessions)).padStart(12, '0')}`,
      level: next() < 0.85 ? pick(levels) : pick(severe),
      logger: pick(loggers),
      timestamp: new Date(start + n).toISOString(),
      message: next() < 0.03 ? `${text} – größer` : n % 1000 === 0 ? `${text} needle` : text,
      ...(next() < 0.5 && { data: { file: `src/${pick(words)}/${pick(words)}.ts`, ms: Math.floor(next() * 1000) } }),
    };
    yield JSON.stringify({ jsonrpc: '2.0', method: 'log', params });
  }
}

/** Log notifications, one per line. */
export function logs(count: number, sessions = usualSessions): string {
  const name = sessions === usualSessions ? `log-${count}` : `log-${count}-of-${sessions}`;
  return written(`${name}.ndjson`, function* () {
    for (const line of logLines(count, sessions)) yield `${line}\n`;
  });
}

/** Log notifications of this size, so many that they have `total` bytes. */
export function longMessages(bytes: number, total: number): string {
  return written(`messages-${bytes}-of-${total}.ndjson`, function* () {
    const text = 'a long message '.repeat(Math.ceil(bytes / 15)).slice(0, bytes - 80);
    const line = JSON.stringify({ jsonrpc: '2.0', method: 'log', params: { level: 'info', message: text } });
    for (let n = 0; n < total / bytes; n++) yield `${line}\n`;
  });
}

/** The same with Content-Length headers, for vscode-jsonrpc. */
export function framedLogs(count: number): string {
  return written(`log-${count}.framed`, function* () {
    for (const line of logLines(count)) yield `Content-Length: ${Buffer.byteLength(line)}\r\n\r\n${line}`;
  });
}

/** Messages with 64 KiB of data each. */
export function largePayloads(count: number): string {
  return written(`large-${count}.ndjson`, function* () {
    const next = random(11);
    for (let n = 0; n < count; n++) {
      const items = Array.from({ length: 1100 }, () => ({
        id: Math.floor(next() * 1e9),
        word: words[n % words.length],
        ok: next() < 0.5,
      }));
      yield `${JSON.stringify({ jsonrpc: '2.0', method: 'log', params: { level: 'info', message: `payload ${n}`, data: items } })}\n`;
    }
  });
}

/** One line of the given size, followed by 100,000 ordinary ones. */
export function longLine(bytes: number): string {
  return written(`long-${bytes}.ndjson`, function* () {
    yield `{"jsonrpc":"2.0","method":"log","params":{"level":"info","message":"${'long '.repeat(bytes / 5)}"}}\n`;
    for (const line of logLines(100_000)) yield `${line}\n`;
  });
}

/** Of the recordings and saved sessions of the tests: real agents' messages, a line each. */
export function recordings(): string {
  return written('recordings.ndjson', () => filesBelow('test/fixtures', /\.(?:nd)?jsonl?$/));
}

/** Of the source of this project. */
export function code(): string {
  return written('code.txt', () => filesBelow('src', /\.tsx?$/));
}

/** Lines as programs write them to stderr. */
export function plainLogs(): string {
  return written('stderr.log', function* () {
    const next = random(19);
    const word = (): string => words[Math.floor(next() * words.length)] ?? '';
    for (let n = 0; n < 30_000; n++) {
      const time = new Date(start + n * 37).toISOString();
      yield `${time} INFO [${word()}.${word()}] ${word()} ${word()} src/${word()}/${word()}.ts:${n} ${word()}=${n} in ${n % 900} ms\n`;
    }
  });
}

/** Prose of Chinese agents and their users. */
export function chinese(): string {
  return written('chinese.txt', function* () {
    const next = random(23);
    const parts =
      '读取文件 上下文 窗口 请求 已回答 重试 计划 步骤 编辑 应用 缓存 工具 调用 完成 分支 差异 搜索 结果 模型 测试 通过 失败 路径 等待'.split(
        ' ',
      );
    const part = (): string => parts[Math.floor(next() * parts.length)] ?? '';
    for (let n = 0; n < 30_000; n++) {
      yield `${part()}${part()}，${part()}${part()}${part()}：${part()} ${n}。${part()}${part()}\n`;
    }
  });
}

/** At most 8 KB of each file. */
function* filesBelow(folder: string, name: RegExp): Generator<string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => name.test(path));
  for (const path of paths.sort()) yield `${readFileSync(join(folder, path), 'utf8').slice(0, 8192)}\n`;
}

/** The journal of a run with the given number of log messages. */
export function journal(count: number): string {
  return journalOf(`journal-${count}.ndjson`, 'acp', function* () {
    for (const line of logLines(count)) yield [1, 'a2c', line];
  });
}

/** The journal of a run whose turns have 40 spans each, themselves included: as many in all as given. Every tenth comes after a pause. */
export function turnsJournal(spans: number): string {
  return journalOf(`turns-${spans}.ndjson`, 'acp', () => turns(spans));
}

/** The same, followed by log messages. */
export function mixedJournal(spans: number, messages: number): string {
  return journalOf(`turns-${spans}-logs-${messages}.ndjson`, 'acp', function* () {
    yield* turns(spans);
    for (const line of logLines(messages)) yield [1, 'a2c', line];
  });
}

function* turns(spans: number): Generator<Crossing> {
  const next = random(13);
  const below = (most: number): number => Math.floor(next() * most);
  const word = (): string => words[below(words.length)] ?? '';
  for (let turn = 0; turn < spans / 40; turn++) {
    const sessionId = `5e551017-0000-4000-8000-${String(turn % 5).padStart(12, '0')}`;
    const update = (fields: object): string => rpc({ method: 'session/update', params: { sessionId, update: fields } });
    const prompt = [{ type: 'text', text: `${word()} ${word()} ${word()}, step ${turn}` }];
    yield [
      turn % 10 === 9 ? 600_000 : 5000,
      'c2a',
      rpc({ id: turn, method: 'session/prompt', params: { sessionId, prompt } }),
    ];
    for (let call = 0; call < 39; call++) {
      const toolCallId = `call-${turn}-${call}`;
      const title = `${word()} src/${word()}/${word()}.ts`;
      const text = `${word()} ${word()} ${word()} ${word()}`;
      yield [below(3000), 'a2c', update({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text } })];
      yield [2, 'a2c', update({ sessionUpdate: 'tool_call', toolCallId, title, kind: 'read', status: 'pending' })];
      const status = next() < 0.03 ? 'failed' : 'completed';
      yield [below(2000), 'a2c', update({ sessionUpdate: 'tool_call_update', toolCallId, status })];
    }
    const usage = { inputTokens: below(50_000), outputTokens: below(3000), totalTokens: 53_000 };
    yield [200, 'a2c', rpc({ id: turn, result: { stopReason: 'end_turn', usage } })];
  }
}

/** The journal of an MCP server with the given number of requests, all answered, one in a hundred with an error. */
export function requestsJournal(count: number): string {
  return journalOf(`requests-${count}.ndjson`, 'mcp', function* () {
    const next = random(17);
    const word = (): string => words[Math.floor(next() * words.length)] ?? '';
    for (let id = 1; id <= count; id++) {
      const isCall = next() < 0.8;
      const params = isCall
        ? { name: word(), arguments: { path: `src/${word()}.ts` } }
        : { uri: `file:///${word()}.ts` };
      yield [1 + Math.floor(next() * 20), 'c2a', rpc({ id, method: isCall ? 'tools/call' : 'resources/read', params })];
      const text = `${word()} ${word()} ${word()}`;
      const result = isCall ? { content: [{ type: 'text', text }] } : { contents: [{ ...params, text }] };
      const answer = id % 100 === 0 ? { error: { code: -32000, message: text } } : { result };
      yield [1 + Math.floor(next() * 300), 'a2c', rpc({ id, ...answer })];
    }
  });
}

/** A home folder with this many saved sessions: half of Claude Code, half of Codex. */
export function savedHome(count: number): string {
  // Agents' folders aren't looked for below a relative path.
  const home = resolve(outFolder, `sessions-${count}`);
  if (existsSync(home)) return home;
  const unfinished = `${home}.part`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  makeManySessions(unfinished, { count, now: savedUntil });
  renameSync(unfinished, home);
  return home;
}

function rpc(message: object): string {
  return JSON.stringify({ jsonrpc: '2.0', ...message });
}

/** A message, and how many milliseconds after the one before it comes. */
type Crossing = readonly [ms: number, dir: 'c2a' | 'a2c', line: string];

function journalOf(name: string, protocol: string, crossings: () => Iterable<Crossing>): string {
  return written(name, function* () {
    const startedAt = new Date(start).toISOString();
    const header = { journal: 1, agent: 'Bench', protocol, command: ['agent'], cwd: '/', startedAt, part: 1 };
    yield `${JSON.stringify(header)}\n`;
    let t = start;
    for (const [ms, dir, line] of crossings()) {
      t += ms;
      yield `${journalLine({ t, dir, line, msg: {} }, start)}\n`;
    }
    yield `${journalLine({ t, dir: 'ev', ev: 'exit', code: 0, signal: null }, start)}\n`;
    yield `${journalLine({ t, dir: 'ev', ev: 'end', reason: 'completed', terminatedBy: 'agent' }, start)}\n`;
  });
}

/** Writes a corpus if it doesn't exist. Returns its path. */
function written(name: string, lines: () => Iterable<string>): string {
  const folder = join(outFolder, 'corpora');
  const path = join(folder, name);
  if (existsSync(path)) return path;
  mkdirSync(folder, { recursive: true });
  const file = openSync(`${path}.part`, 'w');
  let block = '';
  for (const line of lines()) {
    block += line;
    if (block.length < 1_000_000) continue;
    writeSync(file, block);
    block = '';
  }
  writeSync(file, block);
  closeSync(file);
  renameSync(`${path}.part`, path);
  return path;
}
