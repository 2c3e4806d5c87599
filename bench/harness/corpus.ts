import { closeSync, existsSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { journalLine } from '../../src/wire/journal/journalLine';
import { outFolder } from './bundle';
import { random } from './random';

const sessions = 20;
const levels = [...Array<string>(50).fill('debug'), ...Array<string>(35).fill('info'), 'notice', 'notice', 'notice'];
const severe = [...Array<string>(8).fill('warning'), 'error', 'error', 'error', 'critical'];
const loggers = ['agent', 'model', 'tool.shell', 'tool.edit', 'session', 'http'];
const words = (
  'reading the file context window tokens request answered retry plan step edit applied cache tool call finished branch diff ' +
  'search results model stream chunk parser index build test passed failed waiting prompt turn started ended path line'
).split(' ');
const start = Date.UTC(2026, 0, 5, 9);

/** `count` log notifications of about 260 bytes in 20 sessions, deterministic; 3 % contain non-ASCII characters, 15 % are warnings or worse. */
function* logLines(count: number): Generator<string> {
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
export function logs(count: number): string {
  return written(`log-${count}.ndjson`, function* () {
    for (const line of logLines(count)) yield `${line}\n`;
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

/** The journal of a run with the given number of log messages. */
export function journal(count: number): string {
  return written(`journal-${count}.ndjson`, function* () {
    const startedAt = new Date(start).toISOString();
    const header = { journal: 1, agent: 'Bench', protocol: 'acp', command: ['agent'], cwd: '/', startedAt, part: 1 };
    yield `${JSON.stringify(header)}\n`;
    let t = start;
    for (const line of logLines(count)) yield `${journalLine({ t: ++t, dir: 'a2c', line, msg: {} }, start)}\n`;
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
