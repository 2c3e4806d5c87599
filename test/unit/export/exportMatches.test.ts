import assert from 'node:assert/strict';
import { existsSync, lstatSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { CancellationToken, CancellationTokenSource } from 'vscode-jsonrpc/node';
import { RecordStore } from '../../../src/store/store';
import type { LogRecord } from '../../../src/text/record';
import type { ExportFormat } from '../../../src/export/exportFormat';
import { exportMatches } from '../../../src/export/exportMatches';
import { placeOfRecord } from '../../../src/past/files/journalPlace';
import { Cancelled } from '../../../src/time/waiting';
import { RunLog } from '../../../src/runLog/runLog';
import type { RunView } from '../../../src/runLog/runView';
import { entry, header } from '../../support/journalText';
import { runFiles } from '../../support/runFiles';
import { useFolder } from '../../support/tempFolder';

const start = Date.UTC(2026, 0, 1);

describe('exporting matches', () => {
  const folder = useFolder();
  let run: RunView;
  const log = new RunLog(new RecordStore(10_000_000), start);
  const lines = [header(), entry(0, 'ev', { ev: 'stdin-close' })];
  for (let n = 0; n < 500; n++) {
    const [level, message] = [n % 10 === 0 ? 'error' : 'info', `message ${n % 3}`] as const;
    const msg = { jsonrpc: '2.0', method: 'log', params: { level, message } };
    log.record({ receivedAt: start + n * 5, level, kind: 'log', message, raw: JSON.stringify(msg) });
    lines.push(entry(n * 5, 'a2c', { msg }));
  }
  log.flush();

  beforeEach(() => {
    const path = folder.in('journal.ndjson');
    writeFileSync(path, lines.join(''));
    const fields = { id: 'r', name: 'Demo', protocol: 'acp', startedAt: start, words: ['demo'], cwd: '/' };
    run = { ...fields, state: { type: 'unread' }, log, ...runFiles([path]) } as unknown as RunView;
  });

  /** Exports records, by default errors. */
  function exporting(
    path: string,
    more: Partial<Parameters<typeof exportMatches>[2]> = {},
    from = run,
    records = errors(),
  ) {
    const rows = (first: number, count: number) => Promise.resolve(records.slice(first, first + count));
    const options = { path, format: 'text', token: CancellationToken.None, onProgress: () => undefined } as const;
    return exportMatches(from, { state: { total: records.length }, rows }, { ...options, ...more });
  }

  const errors = (): readonly LogRecord[] => log.store.query({ minLevel: 'error' });

  async function exported(format: ExportFormat): Promise<readonly string[]> {
    await exporting(folder.in('out'), { format });
    return readFileSync(folder.in('out'), 'utf8').trimEnd().split('\n');
  }

  it('writes the matching records as text and as JSON lines', async () => {
    assert.equal((await exported('text')).filter((line) => line.includes('[error]')).length, 50);
    const levels = (await exported('jsonl')).map((line) => (JSON.parse(line) as { level?: string }).level);
    assert.equal(levels.filter((level) => level === 'error').length, 50);
    assert.ok(!levels.includes('info'));
  });

  it('writes the journal lines of the records, the header and the process events', async () => {
    const [first = '', ...rest] = await exported('journal');
    assert.deepEqual(JSON.parse(first), JSON.parse(header()));
    assert.deepEqual([rest.length, rest.filter((line) => line.includes('"error"')).length], [51, 50]);
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
    let before = 0;
    await exporting(folder.in('slow'), { onProgress: () => (before = turns) }, run, records);
    isDone = true;
    assert.ok(before >= 4, `${before} turns`);
  });

  it("doesn't overwrite the journal that it reads", async () => {
    const path = run.journal?.path ?? '';
    await assert.rejects(exporting(path), /read from this file/);
    assert.ok(readFileSync(path, 'utf8').startsWith('{"journal"'));
  });

  it('writes no journal of a file that is none', async () => {
    const [plain, path] = [folder.in('stream.ndjson'), folder.in('of-stream.ndjson')];
    writeFileSync(plain, '{"type":"system"}\n{"type":"result"}\n');
    const stream = { ...run, ...runFiles([plain]) };
    await assert.rejects(exporting(path, { format: 'journal' }, stream), /This run has no journal/);
    assert.equal(existsSync(path), false);
  });

  it('leaves no partial file when cancelled, and never removes a link', async () => {
    const source = new CancellationTokenSource();
    const path = folder.in('cancelled.txt');
    const many = Array<readonly LogRecord[]>(20).fill(errors()).flat();
    const cancelled = exporting(path, { token: source.token, onProgress: () => source.cancel() }, run, many);
    await assert.rejects(cancelled, Cancelled);
    assert.equal(existsSync(path), false);
    if (!existsSync('/dev/full')) return;
    symlinkSync('/dev/full', path);
    await assert.rejects(exporting(path, {}, run, many), /ENOSPC/);
    assert.ok(lstatSync(path).isSymbolicLink());
  });

  it('finds the line of a record in its journal, and in a plain log', async () => {
    const record = log.store.get(43);
    assert.equal((await placeOfRecord(run, record?.receivedAt ?? 0, log.store.raw(43) ?? ''))?.line, 44);
    assert.equal(await placeOfRecord(run, start - 1, 'nothing like it'), undefined);
    const plain = folder.in('plain.ndjson');
    writeFileSync(plain, '{"a":1}\n{"a":2}\n');
    assert.deepEqual(await placeOfRecord(runFiles([plain]), start, '{"a":2}'), { path: plain, line: 1 });
  });
});
