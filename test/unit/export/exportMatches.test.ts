import assert from 'node:assert/strict';
import { existsSync, lstatSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CancellationToken, CancellationTokenSource } from 'vscode-jsonrpc/node';
import { RecordStore } from '../../../src/store/store';
import type { LogRecord } from '../../../src/text/record';
import type { ExportFormat } from '../../../src/export/exportFormat';
import { exportMatches } from '../../../src/export/exportMatches';
import { placeOfRecord } from '../../../src/past/files/journalPlace';
import { Cancelled } from '../../../src/time/waiting';
import { RunLog } from '../../../src/runLog/runLog';
import type { RunView } from '../../../src/runLog/runView';
import { runFiles } from '../../support/runFiles';

const start = Date.UTC(2026, 10, 22, 10);
const about = { journal: 1, agent: 'Demo', protocol: 'acp', command: ['demo'], cwd: '/' };
const header = { ...about, startedAt: new Date(start).toISOString(), part: 1 };

describe('exporting matches', () => {
  let folder: string;
  let run: RunView;
  const log = new RunLog(new RecordStore(10_000_000), start);

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'agent-logs-'));
    const lines = [
      JSON.stringify(header),
      JSON.stringify({ t: new Date(start).toISOString(), ms: 0, dir: 'ev', ev: 'stdin-close' }),
    ];
    for (let n = 0; n < 500; n++) {
      const [level, message] = [n % 10 === 0 ? 'error' : 'info', `message ${n % 3}`] as const;
      const raw = JSON.stringify({ jsonrpc: '2.0', method: 'log', params: { level, message } });
      const at = start + n * 5;
      log.record({ receivedAt: at, level, kind: 'log', message, raw });
      lines.push(`{"t":"${new Date(at).toISOString()}","ms":${n * 5},"dir":"a2c","msg":${raw}}`);
    }
    log.flush();
    const path = join(folder, 'journal.ndjson');
    writeFileSync(path, `${lines.join('\n')}\n`);
    const journal = { path, paths: [path], flush: () => Promise.resolve(), delete: () => Promise.resolve() };
    const state = { type: 'unread' };
    const fields = { id: 'r', name: 'Demo', protocol: 'acp', startedAt: start, words: ['demo'], cwd: '/', state };
    run = { ...fields, log, journal } as unknown as RunView;
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  async function exported(format: ExportFormat): Promise<readonly string[]> {
    const records = log.store.query({ minLevel: 'error' });
    const path = join(folder, `out.${format}`);
    const matches = {
      state: { total: records.length },
      rows: (from: number, count: number): Promise<readonly LogRecord[]> =>
        Promise.resolve(records.slice(from, from + count)),
    };
    await exportMatches(run, matches, { path, format, token: CancellationToken.None, onProgress: () => undefined });
    return readFileSync(path, 'utf8').trimEnd().split('\n');
  }

  it('writes the matching records as text and as JSON lines', async () => {
    assert.equal((await exported('text')).filter((line) => line.includes('[error]')).length, 50);
    const lines = (await exported('jsonl')).map((line) => JSON.parse(line) as { level?: string });
    assert.equal(lines.filter(({ level }) => level === 'error').length, 50);
    assert.equal(lines.filter(({ level }) => level === 'info').length, 0);
  });

  it('writes the journal lines of the records, the header and the process events', async () => {
    const lines = await exported('journal');
    assert.equal(lines.length, 52);
    assert.deepEqual(JSON.parse(lines[0] ?? ''), header);
    assert.equal(lines.filter((line) => line.includes('"error"')).length, 50);
  });

  it('lets other work run between records that take long to write', async () => {
    const slow = {
      ...log.store.query({ limit: 1 })[0],
      get message() {
        for (const begun = performance.now(); performance.now() - begun < 3;);
        return 'slow';
      },
    } as LogRecord;
    const records = new Array<LogRecord>(64).fill(slow);
    let turns = 0;
    let isDone = false;
    const turn = (): void => {
      turns++;
      if (!isDone) setImmediate(turn);
    };
    setImmediate(turn);
    const matches = { state: { total: records.length }, rows: () => Promise.resolve(records) };
    let before = 0;
    const options = { path: join(folder, 'slow'), format: 'text', token: CancellationToken.None } as const;
    await exportMatches(run, matches, { ...options, onProgress: () => (before = turns) });
    isDone = true;
    assert.ok(before >= 4, `${before} turns`);
  });

  it("doesn't overwrite the journal that it reads", async () => {
    const path = run.journal?.path ?? '';
    const matches = { state: { total: 0 }, rows: () => Promise.resolve([]) };
    const options = { path, format: 'text' as const, token: CancellationToken.None, onProgress: () => undefined };
    await assert.rejects(exportMatches(run, matches, options), /read from this file/);
    assert.ok(readFileSync(path, 'utf8').startsWith('{"journal"'));
  });

  it('writes no journal of a file that is none', async () => {
    const [plain, path] = [join(folder, 'stream.ndjson'), join(folder, 'of-stream.ndjson')];
    writeFileSync(plain, '{"type":"system"}\n{"type":"result"}\n');
    const stream = { ...run, journal: runFiles([plain]).journal } as unknown as RunView;
    const matches = { state: { total: 1 }, rows: () => Promise.resolve(log.store.query({ minLevel: 'error' })) };
    const options = { path, format: 'journal' as const, token: CancellationToken.None, onProgress: () => undefined };
    await assert.rejects(exportMatches(stream, matches, options), /This run has no journal/);
    assert.equal(existsSync(path), false);
  });

  it('leaves no partial file when cancelled, and never removes a link', async () => {
    const source = new CancellationTokenSource();
    const path = join(folder, 'cancelled.txt');
    const matches = { state: { total: 1000 }, rows: () => Promise.resolve(log.store.query({ minLevel: 'error' })) };
    const options = { path, format: 'text' as const, token: source.token, onProgress: () => source.cancel() };
    await assert.rejects(exportMatches(run, matches, options), Cancelled);
    assert.equal(existsSync(path), false);
    if (!existsSync('/dev/full')) return;
    symlinkSync('/dev/full', path);
    await assert.rejects(exportMatches(run, matches, { ...options, token: CancellationToken.None }), /ENOSPC/);
    assert.ok(lstatSync(path).isSymbolicLink());
  });

  it('finds the line of a record in its journal, and in a plain log', async () => {
    const record = log.store.get(43);
    assert.equal((await placeOfRecord(run, record?.receivedAt ?? 0, log.store.raw(43) ?? ''))?.line, 44);
    assert.equal(await placeOfRecord(run, start - 1, 'nothing like it'), undefined);
    const plain = join(folder, 'plain.ndjson');
    writeFileSync(plain, '{"a":1}\n{"a":2}\n');
    assert.deepEqual(await placeOfRecord(runFiles([plain]), start, '{"a":2}'), { path: plain, line: 1 });
  });
});
