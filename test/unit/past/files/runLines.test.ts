import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { CancellationToken } from 'vscode-jsonrpc/node';
import type { LogRecord } from '../../../../src/text/record';
import { exportMatches } from '../../../../src/export/exportMatches';
import { exportRun } from '../../../../src/export/exportRun';
import type { ExportFormat } from '../../../../src/export/exportFormat';
import { readBodies } from '../../../../src/past/files/wireBodies';
import type { FileRun } from '../../../../src/past/files/fileRun';
import type { FileRuns } from '../../../../src/past/files/fileRuns';
import { placeOfRecord } from '../../../../src/past/files/journalPlace';
import { linesOf } from '../../../../src/past/files/runLines';
import { journalLine } from '../../../../src/wire/journal/journalLine';
import type { WireEvent } from '../../../../src/wire/wireEvent';
import { WireLine } from '../../../../src/wire/wireLine';
import { runFiles } from '../../../support/runFiles';
import { column } from '../../../support/columns';
import { newFileRuns } from '../../../support/fileRuns';
import { redactionWith } from '../../../support/redaction';
import { useFolder } from '../../../support/tempFolder';

const start = Date.UTC(2026, 10, 22, 10);
const token = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
/** Of a pattern of the user's. */
const own = 'mine-4711';
const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 1024,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const key = privateKey.trim().split('\n');
const secrets = [token, own, ...key.slice(1, -1)];

/** A journal that was written with redaction off. */
function journal(): string {
  const message = (dir: 'c2a' | 'a2c', ms: number, fields: object): WireEvent =>
    WireLine.of(start + ms, dir, JSON.stringify({ jsonrpc: '2.0', ...fields }));
  const events: WireEvent[] = [
    { t: start, dir: 'ev', ev: 'spawn', pid: 1, command: ['agent', '--token', token], cwd: '/' },
    message('c2a', 1, { id: 0, method: 'initialize', params: { protocolVersion: 1, apiKey: own } }),
    message('a2c', 2, { id: 0, result: { protocolVersion: 1, note: `Authorization: Bearer ${token}` } }),
    message('c2a', 3, { id: 1, method: 'session/new', params: { cwd: '/', mcpServers: [], token } }),
    message('a2c', 4, { id: 1, result: { sessionId: 'session-1' } }),
    { t: start + 5, dir: 'err', line: `first ${token}` },
    ...key.map((line, n): WireEvent => ({ t: start + 2000 + n, dir: 'err', line })),
    { t: start + 9000, dir: 'err', line: 'the last line' },
    { t: start + 9001, dir: 'ev', ev: 'end', reason: 'error', terminatedBy: 'agent', message: `refused ${token}` },
  ];
  const header = {
    journal: 1,
    agent: 'Demo\u001b[31m',
    protocol: 'acp',
    command: ['agent\nrm -rf ~', '--token', token],
    cwd: '/\u0007w',
    startedAt: new Date(start).toISOString(),
    part: 1,
  };
  const piece = journalLine({ t: start + 9000, dir: 'err', part: `a piece with ${token},` }, start);
  const lines = events.map((event) => journalLine(event, start));
  return `${[JSON.stringify(header), ...lines.slice(0, -2), piece, ...lines.slice(-2)].join('\n')}\n`;
}

describe('files with secrets', () => {
  let fileRuns: FileRuns;
  let run: FileRun;
  afterEach(() => fileRuns.dispose());
  const folder = useFolder();
  beforeEach(async () => {
    writeFileSync(folder.in('run.ndjson'), journal());
    fileRuns = newFileRuns(undefined, { redaction: redactionWith(/mine-\d+/g) });
    run = await opened('run.ndjson');
  });

  async function opened(name: string): Promise<FileRun> {
    const found = await fileRuns.show(await fileRuns.at(folder.in(name), 'watched'));
    await until(() => found.state.type !== 'unread' && found.state.type !== 'reading', found);
    return found;
  }

  function withoutSecrets(text: string): void {
    for (const secret of secrets) assert.ok(!text.includes(secret), `${secret} in ${text}`);
  }

  async function exported(format: ExportFormat, records?: readonly LogRecord[]): Promise<string> {
    const path = folder.in(`out.${format}`);
    const options = { path, format, token: CancellationToken.None, onProgress: () => undefined };
    const rows = (from: number, count: number): Promise<readonly LogRecord[]> =>
      Promise.resolve(records?.slice(from, from + count) ?? []);
    if (records) await exportMatches(run, { state: { total: records.length }, rows }, options);
    else await exportRun(run, { ...options, redaction: undefined });
    return readFileSync(path, 'utf8');
  }

  it('show no secrets in the bodies of requests', async () => {
    const { wire } = run.log;
    for (const row of [0, 1]) {
      const entry = wire.get(row)!;
      const { message = '', answer = '' } = await readBodies(run, entry, 0);
      assert.ok(message.includes(entry.method));
      assert.ok(answer.includes('result'));
      withoutSecrets(message + answer);
    }
  });

  for (const format of ['journal', 'text', 'jsonl'] as const) {
    it(`export no secrets as ${format}`, async () => {
      const text = await exported(format);
      assert.ok(text.includes('the last line'));
      withoutSecrets(text);
    });
  }

  it('export a journal that can be opened and shows the same', async () => {
    await exported('journal');
    const again = await opened('out.journal');
    assert.deepEqual(column(again.log.store.query(), 'message'), column(run.log.store.query(), 'message'));
    assert.deepEqual(again.words, run.words);
    const lines = readFileSync(folder.in('out.journal'), 'utf8').trimEnd().split('\n');
    const spawn = lines.map((line) => JSON.parse(line) as Record<string, unknown>).find(({ ev }) => ev === 'spawn');
    assert.deepEqual((spawn?.['command'] as string[]).slice(0, 2), ['agent', '--token']);
    assert.equal((JSON.parse(lines[0]!) as { redacted?: boolean }).redacted, true);
  });

  it('export the shown records with secrets, too, without the secrets', async () => {
    const records = run.log.store.query().filter(({ message }) => message.startsWith('first '));
    assert.equal(records.length, 1);
    const text = await exported('journal', records);
    assert.match(text, /"dir":"err","line":"first /);
    assert.match(text, /"ev":"spawn"/);
    assert.doesNotMatch(text, /the last line/);
    withoutSecrets(text);
  });

  it('have the line of a record with a secret, and of a key in several lines', async () => {
    const records = run.log.store.query({ kinds: ['stderr'] });
    const lines = readFileSync(folder.in('run.ndjson'), 'utf8').split('\n');
    for (const { seq, receivedAt } of records) {
      const raw = run.log.store.raw(seq)!;
      const place = await placeOfRecord(run, receivedAt, raw);
      assert.ok(place, raw);
      assert.ok(lines[place.line]!.includes(new Date(receivedAt).toISOString()), raw);
    }
  });

  it('say without secrets and control characters how they were started and how they ended', () => {
    assert.deepEqual([run.name, run.cwd, run.words[0]], ['Demo', '/w', 'agent rm -rf ~']);
    withoutSecrets(run.words.join(' '));
    assert.match(JSON.stringify(run.info.termination), /refused/);
    withoutSecrets(JSON.stringify([run.info.termination, run.state]));
  });

  it('have no secret in a field that no reader knows', async () => {
    const path = folder.in('odd.ndjson');
    const line = { t: new Date(start).toISOString(), ms: 0, dir: 'err', line: 'x', odd: `password=${own}` };
    writeFileSync(path, `${JSON.stringify(line)}\n`);
    for await (const { text } of linesOf(runFiles([path], redactionWith()))) withoutSecrets(text);
  });

  it('are closed if reading them ends early', async () => {
    if (!existsSync('/proc/self/fd')) return; // On Windows, the folder couldn't be removed.
    const path = folder.in('run.ndjson');
    await fileRuns.dispose();
    const { receivedAt, seq } = run.log.store.query({ kinds: ['stderr'] })[0]!;
    await placeOfRecord(run, receivedAt, run.log.store.raw(seq)!);
    for await (const line of linesOf(run)) if (line.index === 1) break;
    assert.equal(openFiles().filter((one) => one === path).length, 0);
  });

  it('are copied byte for byte if nothing is redacted', async () => {
    const path = folder.in('copy.ndjson');
    const plain = { ...runFiles([folder.in('run.ndjson')]), state: { type: 'unread' } } as unknown as FileRun;
    const how = { token: CancellationToken.None, onProgress: () => undefined };
    await exportRun(plain, { ...how, path, format: 'journal', redaction: undefined });
    assert.equal(readFileSync(path, 'utf8'), journal());
  });
});

function openFiles(): readonly string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return []; // That of the folder.
    }
  });
}

function until(fits: () => boolean, run: FileRun): Promise<void> {
  return new Promise((resolve) => {
    if (fits()) return resolve();
    const listener = run.onDidChangeState(() => {
      if (!fits()) return;
      listener.dispose();
      resolve();
    });
  });
}
