import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { Redactor } from '../../../src/log/redact/redactor';
import { RecordStore } from '../../../src/log/store';
import { diagnosedInterpreter } from '../../../src/protocols/diagnosis/diagnosedInterpreter';
import { RunLog } from '../../../src/runs/runLog';
import { LogReader } from '../../../src/runs/logReader';
import { RunLogSink } from '../../../src/runs/runLogSink';
import { RunReader } from '../../../src/runs/runReader';
import { Backlog } from '../../../src/wire/backlog';
import { lineFraming } from '../../../src/wire/framing';
import { JournalWriter } from '../../../src/wire/journalWriter';
import { JsonRpcReader } from '../../../src/wire/jsonRpcReader';
import { LineReader, takenLine } from '../../../src/wire/lineReader';
import { describeRun } from '../../support/describeRun';
import { holds } from '../../support/property';

const at = Date.parse('2026-11-20T12:00:00Z');
const secret = 'Zt5mQw8rXv1nKp4sLd7fGh2jBc9e';

/** Mostly the one, now and then something else. */
function mostly<T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof({ weight: 15, arbitrary: usual }, { weight: 1, arbitrary: odd });
}

const plain = fc.constantFrom(
  'read',
  'the file',
  'passed',
  'tokens',
  'größe',
  '✓',
  '日本',
  '{',
  ':',
  'info',
  'db',
  '=',
);
/** What is not what it seems. */
const strange = fc.constantFrom(
  ...['api_key', 'password', 'hunter22hunter22', `sk-ant-api03-${secret}`, secret, 'Bearer abcdefghijklmnop'],
  ...['\\n', '\\"', '\\u00e9', '\\ud800', '\u00a0', '\t', '\u0001', '}}', '@', '', 'https://user:pa55word55@host/'],
);
const text = fc.array(mostly(plain, strange), { maxLength: 4 }).map((pieces) => `"${pieces.join(' ')}"`);
const name = mostly(fc.constantFrom('"agent"', '"db"', '"größe"'), text);
const number = mostly(fc.constantFrom('1', '-0.5e+3', 'true', 'null', '0'), fc.constantFrom('01', 'nul', '+1', '1.'));
const deep = mostly(
  fc.constantFrom('[]', '{}', '[1,{"a":[]}]', '{"a":{"b":1}}', '{"a": 1}'),
  fc.constantFrom('[1,]', '{"a":}', '{a:1}', '{"a":1,}', '{"a" 1}'),
);
const time = mostly(
  fc.constant('"2026-01-05T09:00:00.000Z"'),
  fc.constantFrom(
    ...['"2026-02-30T24:00:00.000Z"', '"2026-13-05T09:00:00.000Z"', '"yesterday"', '"2026-02-30T09:00:00.000Z"'],
    ...['"2026-01-05T09:60:00.000Z"', '"2026-01-05T09:00:00+01:00"', '1767603600000', '"2026-01-05T09:00:00.00!Z"'],
  ),
);
const fieldOfData = mostly(
  fc.constantFrom('"file"', '"ms"', '"name"', '"value"'),
  fc.constantFrom('"apiKey"', 'bare', '""'),
);
const object = fc
  .array(fc.tuple(fieldOfData, fc.oneof(text, number, deep)), { maxLength: 3 })
  .map((members) => `{${members.map(([field, value]) => `${field}:${value}`).join(',')}}`);
const level = mostly(fc.constantFrom('"debug"', '"info"', '"warning"', '"warn"'), fc.constantFrom('"loud"', '7', '""'));
const sessionId = mostly(
  fc.constantFrom('"5e551017-0000-4000-8000-000000000001"', '"s2"', '"s3"'),
  fc.constantFrom('""', 'null', `"${secret}"`),
);

type Member = readonly [name: string, value: string];

function member(field: string, value: fc.Arbitrary<string>): fc.Arbitrary<Member> {
  return value.map((one): Member => [field, one]);
}

const usualMembers = fc.tuple(
  member('level', level),
  member('message', mostly(text, number)),
  member('sessionId', sessionId),
  member('logger', name),
  member('timestamp', time),
  member('data', fc.oneof(object, text, number, deep)),
);
const oddMember = fc.oneof(
  member('extra', number),
  member('level', level),
  member('_meta', deep),
  member('data', text),
);

/** Mostly some of the members that the proposal has, one of each and in any order; now and then others, or one twice. */
const params = fc
  .tuple(usualMembers, mostly(fc.constant<Member[]>([]), fc.array(oddMember, { minLength: 1, maxLength: 1 })))
  .chain(([[one, two, ...more], odd]) => fc.tuple(fc.constant([one, two, ...odd]), fc.subarray(more)))
  .chain(([needed, more]) =>
    mostly(
      fc.shuffledSubarray([...needed, ...more], { minLength: needed.length + more.length }),
      fc.shuffledSubarray([...needed, ...more]),
    ),
  );

const line = fc
  .tuple(
    mostly(fc.constant('"2.0"'), fc.constantFrom('"1.0"', '2')),
    mostly(fc.constantFrom('"log"', '"_agent-logs/log"'), fc.constantFrom('"session/update"', '"lo\\u0067"')),
    params,
    fc.constantFrom('', '', ' '),
    mostly(fc.constantFrom('', '\r'), fc.constantFrom(' ', 'x', '}')),
    mostly(fc.constant(''), fc.constantFrom(',"id":1', ',"extra":1', ',"method":"log"')),
    fc.boolean(),
  )
  .map(([version, method, members, space, end, more, isMethodLast]) => {
    const fields = members.map(([field, value]) => `"${field}":${space}${value}`).join(`,${space}`);
    const parts = [`"method":${space}${method}`, `"params":${space}{${fields}}`];
    if (isMethodLast) parts.reverse();
    return `{"jsonrpc":${space}${version},${space}${parts.join(`,${space}`)}${more}}${end}`;
  });

/** Bytes with breaks anywhere, also in a letter. */
const chunks = fc
  .tuple(
    fc.array(line, { minLength: 1, maxLength: 12 }),
    fc.array(fc.nat(4000), { maxLength: 3 }),
    mostly(fc.constant(undefined), fc.tuple(fc.nat(2000), fc.nat(255))),
  )
  .map(([lines, cuts, damage]) => {
    const bytes = Buffer.from(`${lines.join('\n')}\n`);
    if (damage && damage[0] < bytes.length) bytes[damage[0]] = damage[1];
    const places = [0, ...cuts.map((cut) => cut % bytes.length).sort((a, b) => a - b), bytes.length];
    return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
  });

interface Read {
  readonly described: string;
  readonly records: readonly unknown[];
  readonly journal: string;
  /** How many lines were taken from their bytes. */
  readonly taken: number;
}

async function read(
  input: readonly Buffer[],
  takes: boolean,
  asked = 'debug',
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
  const run = new RunReader(log, diagnosedInterpreter(protocol, log), () => at, redactor, journal);
  const initialize = { protocolVersion: 1, clientCapabilities: { logging: { level: asked } } };
  const capabilities =
    protocol === 'acp' ? { agentCapabilities: {} } : { capabilities: { logging: {} }, serverInfo: {} };
  for (const [dir, msg] of [
    ['c2a', { jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize }],
    ['a2c', { jsonrpc: '2.0', id: 1, result: { protocolVersion: 1, ...capabilities } }],
  ] as const) {
    run.acceptLine({ t: at, dir, line: JSON.stringify(msg), msg });
  }
  let taken = 0;
  const reader = new JsonRpcReader(Readable.from(input), {
    framing: lineFraming,
    maxLineBytes: 1e6,
    now: () => at,
    onMessage: (event) => run.acceptLine(event),
    ...(takes && {
      takeLine: (bytes: Buffer, start: number, end: number) => {
        const isTaken = run.takeLine(bytes, start, end);
        if (isTaken) taken++;
        return isTaken;
      },
    }),
    onSlice: () => run.flush(),
    backlog: new Backlog(),
    forClient: () => undefined,
  });
  await new Promise<void>((resolve) => {
    reader.onClose(resolve);
    reader.listen(() => undefined);
  });
  await journal.close();
  run.accept({ ev: 'exit', code: 0, signal: null });
  const records = log.store.query().map((record) => ({ ...record, raw: log.store.raw(record.seq) }));
  const written = readFileSync(path, 'utf8');
  rmSync(folder, { recursive: true });
  return { described: describeRun(log, at), records, journal: written, taken };
}

/** The log that a journal tells, and how many of its lines were taken from their bytes. */
function readJournal(journal: string, takes: boolean): { readonly described: string; readonly taken: number } {
  const log = new RunLog(new RecordStore(1e7), at);
  const reader = new LogReader(new RunLogSink(log, at), { redactor: new Redactor({ values: [secret] }) });
  let taken = 0;
  const lines = new LineReader(1e6, undefined, (bytes, start, end) => {
    const isTaken = takes && reader.takeLine(bytes, start, end);
    if (isTaken) taken++;
    return isTaken;
  });
  lines.push(Buffer.from(journal));
  for (let next = lines.next(); next; next = lines.next()) if (next !== takenLine) reader.line(next, at);
  reader.complete();
  return { described: describeRun(log, at), taken };
}

function logOf(fields: object): string {
  return JSON.stringify({ jsonrpc: '2.0', method: 'log', params: { level: 'info', message: 'hello', ...fields } });
}

async function takenOf(lines: readonly string[], asked?: string): Promise<number> {
  const { taken } = await read([Buffer.from(lines.map((one) => `${one}\n`).join(''))], true, asked);
  return taken;
}

describe('log messages from their bytes', () => {
  holds(
    'tell the same as when their lines are parsed, in the log and in the journal',
    200,
    fc.asyncProperty(chunks, async (input) => {
      const [{ taken: _taken, ...quick }, { taken: _none, ...parsed }] = [
        await read(input, true),
        await read(input, false),
      ];
      assert.deepEqual(quick, parsed);
      assert.equal(readJournal(quick.journal, true).described, readJournal(quick.journal, false).described);
    }),
  );

  holds(
    'tell the same over MCP',
    100,
    fc.asyncProperty(chunks, async (input) => {
      const asMcp = input.map((bytes) => {
        const text = bytes.toString('latin1').replaceAll('"log"', '"notifications/message"');
        return Buffer.from(text.replaceAll('"message":', '"data":'), 'latin1');
      });
      const [{ taken: _taken, ...quick }, { taken: _none, ...parsed }] = [
        await read(asMcp, true, 'debug', 'mcp'),
        await read(asMcp, false, 'debug', 'mcp'),
      ];
      assert.deepEqual(quick, parsed);
    }),
  );

  it('are taken over MCP where their data is a text', async () => {
    const line =
      '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","logger":"db","data":"ready"}}';
    const { taken, described } = await read([Buffer.from(`${line}\n`)], true, 'debug', 'mcp');
    assert.equal(taken, 1);
    assert.match(described, /info +log +connection +db: ready/);
  });

  it('are taken, whatever order their fields have, with and without data, in any language', async () => {
    const lines = [
      logOf({}),
      logOf({ sessionId: 's', logger: 'db', timestamp: '2026-01-05T09:00:00.000Z', data: { file: 'a.ts', ms: 5 } }),
      logOf({ data: { nested: { deep: [1, 2] } } }),
      '{"method": "log", "params": {"message": "größe ✓", "level": "debug"}, "jsonrpc": "2.0"}',
      '{"jsonrpc":"2.0","method":"log","params":{"level":"info","message":"a test that passed"}}\r',
    ];
    assert.equal(await takenOf(lines), lines.length);
  });

  it('are taken from a journal once it is known to be one', async () => {
    const { journal } = await read([Buffer.from(`${logOf({ timestamp: '2026-01-05T09:00:00Z' })}\n`.repeat(50))], true);
    const again = readJournal(journal, true);
    assert.ok(again.taken >= 30);
    assert.equal(again.described, readJournal(journal, false).described);
    assert.match(again.described, /connection: info 51/);
  });

  it('are left to the parser where a rule has something to say, a secret is in them, or they are not as they should be', async () => {
    assert.equal(await takenOf([logOf({ level: 'debug' }), logOf({})], 'info'), 1);
    const others = [
      logOf({ message: `the key is ${secret}` }),
      logOf({ data: { apiKey: 'b1946ac92492d2347c6235b4d2611184' } }),
      logOf({ message: 'two\nlines' }),
      logOf({ own: 1 }),
      logOf({ level: 'loud' }),
      logOf({ message: undefined }),
      '{"jsonrpc":"2.0","method":"log","params":{"level":"info","message":"no JSON","data":{"a":01}}}',
      '{"jsonrpc":"2.0","method":"log","params":{"level":"info","level":"debug","message":"which?"}}',
    ];
    assert.equal(await takenOf(others), 0);
  });
});
