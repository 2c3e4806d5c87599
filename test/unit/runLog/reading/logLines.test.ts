import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { Line } from '../../../../src/text/bytes/line';
import { Redactor } from '../../../../src/redact/redactor';
import { RecordStore } from '../../../../src/store/store';
import { interpretation } from '../../../../src/runLog/reading/interpretation';
import { RunLog } from '../../../../src/runLog/runLog';
import { LogReader } from '../../../../src/runLog/reading/logReader';
import { RunLogSink } from '../../../../src/past/files/runLogSink';
import { LiveReader } from '../../../../src/live/liveReader';
import { FlowControl } from '../../../../src/wire/flowControl';
import { lineFraming } from '../../../../src/wire/lines/framing';
import { JournalWriter } from '../../../../src/wire/journal/journalWriter';
import { JsonRpcReader } from '../../../../src/wire/jsonRpcReader';
import { wholeLine } from '../../../../src/wire/lines/wholeLine';
import { LineReader } from '../../../../src/wire/lines/lineReader';
import type { WireEvent } from '../../../../src/wire/wireEvent';
import { WireLine } from '../../../../src/wire/wireLine';
import { describeRun } from '../../../support/describeRun';
import { holds } from '../../../support/property';
import { greeting, logOf, knownSecret as secret, logLineChunks as chunks } from '../../../support/logLines';
import { namedSecret, prose, secretName, shapedSecret } from '../../../support/secrets';

const at = Date.parse('2026-11-20T12:00:00Z');

interface Read {
  readonly described: string;
  readonly records: readonly unknown[];
  readonly summaries: readonly unknown[];
  readonly journal: string;
  /** Number of lines that were read as log messages from their bytes. */
  readonly taken: number;
}

async function read(
  input: readonly Buffer[],
  takes: boolean,
  asked: string | undefined = 'debug',
  protocol: 'acp' | 'mcp' = 'acp',
): Promise<Read> {
  const folder = mkdtempSync(join(tmpdir(), 'agent-logs-test-'));
  const path = join(folder, 'journal.ndjson');
  const header = { journal: 1, agent: 'A', protocol: 'acp', command: [], cwd: '/', startedAt: 'now' } as const;
  const journal = new JournalWriter({
    fileOf: () => path,
    header,
    startedAt: at,
    maxFileSize: 1e9,
    onProblem: (error) => assert.fail(error),
  });
  const log = new RunLog(new RecordStore(1e7), at);
  const redactor = new Redactor({ values: [secret] });
  const run = new LiveReader(log, interpretation(protocol, log), {
    now: () => at,
    redactor,
    journal,
    onFault: (_dir, error) => assert.fail(String(error)),
  });
  for (const [dir, msg] of greeting(asked, protocol)) run.accept(WireLine.of(at, dir, JSON.stringify(msg), { msg }));
  let taken = 0;
  run.run.onEvent((event) => (taken += isFromBytes(event) ? 1 : 0));
  const reader = new JsonRpcReader(Readable.from(input), {
    framing: lineFraming,
    maxLineBytes: 1e6,
    maxMessageBytes: 1e6,
    now: () => at,
    onMessage: (event) => run.accept(takes ? event : WireLine.of(event.t, event.dir, event.line)),
    onSlice: () => run.flush(),
    flow: new FlowControl(),
    forClient: () => undefined,
    refuse: () => undefined,
    onLineError: (error) => {
      throw error;
    },
  });
  await new Promise<void>((resolve) => {
    reader.onClose(resolve);
    reader.listen(() => undefined);
  });
  await journal.close();
  run.acceptProcessEvent({ ev: 'exit', code: 0, signal: null });
  const records = log.store.query().map((record) => ({ ...record, raw: log.store.raw(record.seq) }));
  const written = readFileSync(path, 'utf8');
  rmSync(folder, { recursive: true });
  const summaries = [log.connection, ...log.sessions].map(({ summary }) => summary);
  return { described: describeRun(log, at), records, summaries, journal: written, taken };
}

/** What is read, which is the same if the lines are parsed. */
async function same(...[input, ...given]: readonly [readonly Buffer[], string?, ('acp' | 'mcp')?]): Promise<Read> {
  const [quick, parsed] = [await read(input, true, ...given), await read(input, false, ...given)];
  assert.deepEqual({ ...quick, taken: 0 }, { ...parsed, taken: 0 });
  return quick;
}

/** True if its text was never decoded. */
function isFromBytes(event: WireEvent): boolean {
  return event.dir === 'a2c' && event.isLog === true && event.source?.chunk !== undefined;
}

/** The log of a journal whose lines have their bytes, or only their text. */
function readJournal(journal: string, takes: boolean): string {
  const log = new RunLog(new RecordStore(1e7), at);
  const reader = new LogReader(new RunLogSink(log, at), { redactor: new Redactor({ values: [secret] }) });
  const lines = new LineReader(1e6);
  lines.push(Buffer.from(journal));
  for (let next = lines.next(); next; next = lines.next()) reader.line(takes ? next : Line.of(next.text), at);
  reader.complete();
  return describeRun(log, at);
}

function asMcp(input: readonly Buffer[]): readonly Buffer[] {
  return input.map((bytes) => {
    const text = bytes.toString('latin1').replaceAll('"log"', '"notifications/message"');
    return Buffer.from(text.replaceAll('"message":', '"data":'), 'latin1');
  });
}

async function takenOf(lines: readonly string[], asked?: string): Promise<number> {
  const { taken } = await read([Buffer.from(lines.map((one) => `${one}\n`).join(''))], true, asked);
  return taken;
}

describe('log messages read from bytes', () => {
  holds(
    'tell the same as when their lines are parsed, in the log and in the journal',
    60,
    fc.asyncProperty(chunks, async (input) => {
      const quick = await same(input);
      assert.equal(readJournal(quick.journal, true), readJournal(quick.journal, false));
    }),
  );

  holds(
    'tell the same over MCP',
    30,
    fc.asyncProperty(chunks, async (input) => {
      await same(asMcp(input), 'debug', 'mcp');
    }),
  );

  for (const asked of ['warning', undefined]) {
    holds(
      `tell the same if ${asked ?? 'none'} was asked for`,
      20,
      fc.asyncProperty(chunks, fc.constantFrom<'acp' | 'mcp'>('acp', 'mcp'), async (input, protocol) => {
        await same(protocol === 'acp' ? input : asMcp(input), asked, protocol);
      }),
    );
  }

  holds(
    'are never taken with a secret in them, however it is written',
    1000,
    fc.property(
      prose,
      prose,
      secretName,
      fc.oneof(shapedSecret, namedSecret),
      fc.nat(9),
      (one, two, key, value, way) => {
        const inText = [
          `${one} ${value} ${two}`,
          `${one} ${key}=${value} ${two}`,
          `${one} ${JSON.stringify({ [key]: value, two })}`,
          JSON.stringify({ one, text: JSON.stringify({ [key]: value }) }),
          `${one}\n${key}: ${value}\n${two}`,
          `https://${one.slice(0, 3)}:${value}@host/?${key}=${value}`,
        ][way];
        const fields = [
          { data: { [key]: value } },
          { data: { one, deep: [{ [key]: value }] } },
          { logger: value },
          { logger: key, data: { value } },
        ];
        const made = inText === undefined ? logOf({ message: one, ...fields[way - 6] }) : logOf({ message: inText });
        const redactor = new Redactor();
        const line = wholeLine(Buffer.from(made));
        if (redactor.isClean(line)) assert.equal(redactor.line(made), made);
      },
    ),
  );

  it('are used over MCP if their data is a string', async () => {
    const line =
      '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","logger":"db","data":"ready"}}';
    const { taken, described } = await read([Buffer.from(`${line}\n`)], true, 'debug', 'mcp');
    assert.equal(taken, 1);
    assert.match(described, /info +log +connection +db: ready/);
  });

  it('are used in any field order, with and without data, in any language', async () => {
    const lines = [
      logOf({}),
      logOf({ sessionId: 's', logger: 'db', timestamp: '2026-01-05T09:00:00.000Z', data: { file: 'a.ts', ms: 5 } }),
      logOf({ data: { nested: { deep: [1, 2] } } }),
      logOf({ message: 'two\nlines of "C:\\temp\\"', data: { path: 'C:\\temp\\', n: 1 } }),
      logOf({ sessionId: 's', message: '\\' }),
      '{"method": "log", "params": {"message": "größe ✓", "level": "debug"}, "jsonrpc": "2.0"}',
      '{"jsonrpc":"2.0","method":"log","params":{"level":"info","message":"a test that passed"}}\r',
    ];
    assert.equal(await takenOf(lines), lines.length);
  });

  it('are used for a journal once it is recognized', async () => {
    const { journal } = await read([Buffer.from(`${logOf({ timestamp: '2026-01-05T09:00:00Z' })}\n`.repeat(50))], true);
    const again = readJournal(journal, true);
    assert.equal(again, readJournal(journal, false));
    assert.match(again, /connection: info 51/);
  });

  it('give the same result for odd times, and hide secrets in them', async () => {
    const token = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';
    const times = [
      `2026-01-05 (${token})`,
      `"${token.replace(/\d/g, 'x')} 5 Jan 2026`,
      '2026-01-(7T05:17:39.932Z',
      '2026-02-30T05:17:39.932Z',
    ];
    const lines = times.map((timestamp) =>
      JSON.stringify({ jsonrpc: '2.0', method: 'log', params: { level: 'info', timestamp, message: 'hi' } }),
    );
    const input = [Buffer.from(`${lines.join('\n')}\n`)];
    assert.ok(!(await same(input)).journal.includes('ghp_abc'));
  });

  it('keep their data in a batch', async () => {
    const one = { jsonrpc: '2.0', method: 'log', params: { level: 'info', message: 'hi', data: { a: 1 } } };
    const { records } = await read([Buffer.from(`${JSON.stringify([one])}\n`)], true);
    const [found] = records.filter((record) => (record as { message: string }).message === 'hi');
    assert.deepEqual((found as { data: unknown }).data, { a: 1 });
  });

  it("aren't journal messages if their numbers are invalid", () => {
    const whole = JSON.stringify({ jsonrpc: '2.0', method: 'log', params: { level: 'info', message: 'hi' } });
    const line = (ms: string): string => `{"t":"2026-11-20T12:00:00.000Z","ms":${ms},"dir":"a2c","msg":${whole}}\n`;
    for (const ms of ['', '-', '07', '1', '0', '-1']) {
      const journal = line('1').repeat(30) + line(ms);
      assert.equal(readJournal(journal, true), readJournal(journal, false), ms);
    }
  });

  it('are used if a rule finds something in them', async () => {
    const { taken, described } = await read([Buffer.from(`${logOf({})}\n`.repeat(12))], true, 'warning');
    assert.equal(taken, 12);
    assert.match(described, /log-below-level: Log message at info, but warning and above was requested \(12 times/);
  });

  it('are left to the parser if they contain a secret or are invalid', async () => {
    const others = [
      logOf({ message: `the key is ${secret}` }),
      logOf({ data: { apiKey: 'b1946ac92492d2347c6235b4d2611184' } }),
      logOf({ logger: 'a\nb' }),
      logOf({ own: 1 }),
      logOf({ level: 'loud' }),
      logOf({ message: undefined }),
      '{"jsonrpc":"2.0","method":"log","params":{"level":"info","message":"no JSON","data":{"a":01}}}',
      '{"jsonrpc":"2.0","method":"log","params":{"level":"info","level":"debug","message":"which?"}}',
    ];
    assert.equal(await takenOf(others), 0);
  });
});
