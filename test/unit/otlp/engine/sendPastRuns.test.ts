import assert from 'node:assert/strict';
import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PastExport, PastExported } from '../../../../src/otlp/engine/sendPastRuns';
import { exportWords, sendPastRuns } from '../../../../src/otlp/engine/sendPastRuns';
import { SavedSessions } from '../../../../src/past/saved/list/savedSessions';
import { inEnglish } from '../../../../src/text/translator';
import { JournalFolder } from '../../../../src/wire/journal/journalFolder';
import type { Answer } from '../../../support/otlpReceiver';
import { OtlpReceiver } from '../../../support/otlpReceiver';
import { makeSavedHome, savedHomeOptions } from '../../../support/savedHome';
import { useFolder } from '../../../support/tempFolder';
import { withoutPauses } from '../../../support/withoutPauses';

describe('export of past runs to a collector', () => {
  const folder = useFolder();
  let home: string;
  let receiver: OtlpReceiver;
  let url: string;
  let problems: string[];
  beforeEach(async () => {
    home = folder.path;
    receiver = await OtlpReceiver.start();
    url = `http://127.0.0.1:${receiver.port}`;
    problems = [];
  });
  afterEach(() => receiver.close());

  function send(given: Partial<PastExport> = {}, env: Record<string, string> = {}): Promise<PastExported> {
    const journals = new JournalFolder(join(home, 'journals'));
    const sessions = new SavedSessions(savedHomeOptions(home));
    return withoutPauses(() =>
      sendPastRuns({
        url,
        names: { address: '--otlp', headers: 'OTEL_EXPORTER_OTLP_HEADERS' },
        headers: {},
        filter: '',
        again: false,
        sources: { sessions, journals: async () => [await journals.list()], redaction: undefined },
        machine: { platform: 'linux', home, env: { XDG_STATE_HOME: join(home, 'state'), ...env } },
        signal: new AbortController().signal,
        onProblem: (problem) => problems.push(inEnglish(problem)),
        onWait: () => undefined,
        onProgress: () => undefined,
        ...given,
      }),
    );
  }

  function ids(): readonly string[] {
    const { logs, spans } = receiver;
    return [
      ...logs.map(({ attributes }) => String(attributes['log.record.uid'])),
      ...spans.map(({ traceId, spanId }) => `${traceId} ${spanId}`),
    ].sort();
  }

  const faults: readonly Answer[] = [
    ...([{ status: 429, retryAfter: '30' }, 'cut', { status: 503 }] as const),
    ...([{ status: 429, retryAfter: 'Sun, 06 Nov 1994 08:49:37 GMT' }, 'cut', { status: 502 }] as const),
    { status: 507, body: 'no space left on device' },
  ];
  for (const format of ['http/json none', 'http/protobuf none', 'http/protobuf gzip', 'http/json gzip']) {
    const [protocol = '', compression = ''] = format.split(' ');
    it(`loses and doubles nothing with faults in between: ${format}`, async () => {
      makeSavedHome(home);
      process.env['OTEL_EXPORTER_OTLP_COMPRESSION'] = compression;
      try {
        const env = { OTEL_EXPORTER_OTLP_PROTOCOL: protocol };
        const results: PastExported[] = [];
        receiver.answers = [...faults];
        do results.push(await send({}, env));
        while (results.at(-1)?.left !== 0);
        const [first, second] = results;
        assert.match(inEnglish(first!.reason!), /HTTP 507 .*/);
        assert.deepEqual([first?.left, results.length], [14, 2]);
        assert.deepEqual([second?.records, second?.spans], [receiver.logs.length, receiver.spans.length]);
        assert.equal(new Set(ids()).size, ids().length);
        assert.ok(ids().length > 250);
        const { headers } = receiver.requests.at(-1)!;
        assert.equal(headers['content-type'], `application/${protocol === 'http/json' ? 'json' : 'x-protobuf'}`);
        assert.equal(headers['content-encoding'], compression === 'gzip' ? 'gzip' : undefined);
      } finally {
        delete process.env['OTEL_EXPORTER_OTLP_COMPRESSION'];
      }
    });
  }

  it('tells what came twice, because its answer was lost, by the same ID', async () => {
    makeSavedHome(home);
    receiver.answers = ['lose'];
    const { records } = await send();
    assert.ok(receiver.logs.length > records);
    assert.equal(new Set(receiver.logs.map(({ attributes }) => attributes['log.record.uid'])).size, records);
  });

  it('counts what a full disk rejected among what was taken', async () => {
    makeSavedHome(home);
    receiver.answers = [{ rejected: 3, why: 'no space left on device' }];
    const first = await send({ filter: 'agent:claude' });
    assert.deepEqual([first.rejected, first.left], [3, 0]);
    assert.equal(inEnglish(first.reason!), 'no space left on device');
    assert.equal(receiver.logs.length, first.records);
    const second = await send({ filter: 'agent:claude' });
    assert.deepEqual([second.records, second.unchanged], [0, 2]);
    const third = await send({ filter: 'agent:claude', again: true });
    assert.equal(third.records, first.records + 3);
  });

  it('sends the sessions and journals that fit a filter, but no journal that is being written', async () => {
    makeSavedHome(home);
    const pathOf = (name: string): string => join(home, 'journals', `2026-11-20T10-00-00-000Z ${name} 01234567.ndjson`);
    const journal = (name: string, header: object, ...lines: readonly object[]): void => {
      const first = { journal: 1, protocol: 'acp', command: ['x'], cwd: '/home/me/project', part: 1, ...header };
      const text = [{ startedAt: '2026-11-20T10:00:00.000Z', ...first }, ...lines].map((line) => JSON.stringify(line));
      writeFileSync(pathOf(name), `${text.join('\n')}\n`);
    };
    mkdirSync(join(home, 'journals'));
    const at = (ms: number): object => ({ t: new Date(1_795_168_800_000 + ms).toISOString(), ms });
    const prompt = { jsonrpc: '2.0', id: 1, method: 'session/prompt', params: { sessionId: 's', prompt: [] } };
    const answer = { jsonrpc: '2.0', id: 1, result: { stopReason: 'end_turn' } };
    const end = { ...at(30), dir: 'ev', ev: 'exit', code: 0 };
    const lines = [
      { ...at(10), dir: 'c2a', msg: prompt },
      { ...at(20), dir: 'a2c', msg: answer },
    ];
    journal('Bookshop', { agent: 'Bookshop' }, ...lines, end);
    journal('Busy', { agent: 'Busy bookshop', host: { pid: process.pid } }, ...lines);
    // Its writer has it open.
    const open = openSync(pathOf('Busy'), 'a');
    const result = await send({ filter: 'agent:bookshop' });
    closeSync(open);
    assert.deepEqual([result.sessions, result.left, problems], [1, 0, []]);
    const sources = receiver.spans.map(({ name, resource }) => `${name} ${String(resource['agent_logs.source'])}`);
    assert.deepEqual([...new Set(sources)], ['invoke_agent Bookshop journal']);
    const all = await send({ filter: '-agent:busy' });
    assert.deepEqual([all.sessions, all.unchanged, all.left], [14, 1, 0]);
  });

  it("takes OpenTelemetry's variables, and never shows a key", async () => {
    makeSavedHome(home);
    const endpoint = `http://127.0.0.1:${receiver.port}/otlp?api-key=secret`;
    receiver.answers = [{ status: 404 }];
    const attributes = { OTEL_RESOURCE_ATTRIBUTES: 'team=payments%20and%20more' };
    const given = { url: undefined, headers: { 'X-Own': 'yes' } };
    const result = await send(given, { ...attributes, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
    assert.equal(result.to, `http://127.0.0.1:${receiver.port}/otlp`);
    assert.doesNotMatch(inEnglish(exportWords(result)) + inEnglish(result.reason!), /secret/);
    const [request, ...others] = receiver.requests;
    assert.deepEqual([request?.path, request?.headers['x-own']], ['/otlp/v1/logs?api-key=secret', 'yes']);
    assert.deepEqual(others, []);
    await send({ filter: 'agent:pi' }, attributes);
    assert.deepEqual([...new Set(receiver.logs.map(({ resource }) => resource['team']))], ['payments and more']);
  });

  for (const [name, given, env, message] of [
    ['no address', { url: undefined }, {}, /Name the collector in --otlp or OTEL_EXPORTER_OTLP_ENDPOINT/],
    ['another scheme', { url: 'ftp://x' }, {}, /--otlp must be an http:\/\/ or https:\/\/ URL/],
    ['a password', { url: 'http://me:pw@x' }, {}, /Set an `Authorization` header in OTEL_EXPORTER_OTLP_HEADERS/],
    ['gRPC', {}, { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, /OTEL_EXPORTER_OTLP_PROTOCOL is grpc/],
  ] as const) {
    it(`refuses ${name}`, async () => {
      await assert.rejects(send(given, env), message);
      assert.equal(receiver.requests.length, 0);
    });
  }

  it('stops if there is no collector', async () => {
    makeSavedHome(home);
    await receiver.close();
    const result = await send();
    assert.deepEqual([result.sessions, result.records, result.left], [0, 0, 14]);
    assert.match(inEnglish(result.reason!), /ECONNREFUSED/);
    receiver = await OtlpReceiver.start();
  });
});
