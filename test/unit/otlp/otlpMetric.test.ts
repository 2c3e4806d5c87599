import assert from 'node:assert/strict';
import { OtlpBatches } from '../../../src/otlp/otlpBatches';
import type { OtlpReport } from '../../../src/otlp/otlpDelivery';
import { OtlpDelivery } from '../../../src/otlp/otlpDelivery';
import { otlpMetrics } from '../../../src/otlp/otlpHttp';
import type { OtlpSource } from '../../../src/otlp/otlpRecord';
import { durationSignal, otlpDurationSender } from '../../../src/otlp/otlpSender';
import type { Span } from '../../../src/timeline/span';
import { column } from '../../support/columns';
import type { ReceivedPoint } from '../../support/otlpReceiver';
import { OtlpReceiver } from '../../support/otlpReceiver';

const agentBounds = [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 51.2, 102.4, 204.8, 409.6];
const toolBounds = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];

function source(name: string): OtlpSource {
  return { attributes: { 'service.name': name, 'service.instance.id': `run of ${name}` }, raw: () => undefined };
}

function span(kind: Span['kind'], took: number, more: Partial<Span> = {}): Span {
  const times = { startedAt: 1000, endedAt: 1000 + took };
  return { id: 'one', kind, title: 'private words', outcome: 'ok', firstSeq: 1, lastSeq: 2, ...times, ...more };
}

describe('OTLP metrics', () => {
  let receiver: OtlpReceiver;
  let reports: OtlpReport[];

  beforeEach(async () => {
    receiver = await OtlpReceiver.start();
    reports = [];
  });

  afterEach(() => receiver.close());

  /** The points that a request for these spans had. */
  async function pointsOf(spans: readonly Span[]): Promise<readonly ReceivedPoint[]> {
    const endpoint = { url: receiver.metricsUrl, headers: {}, timeout: 500 };
    const sender = otlpDurationSender(endpoint, (report) => reports.push(report));
    sender.add(source('Bookshop'), spans);
    await sender.end(5000);
    return receiver.points.flat();
  }

  it('are histograms of the conventions, without content', async () => {
    const others = (['permission', 'request', 'compaction'] as const).map((kind) => span(kind, 5000));
    const bash = span('tool', 50, { toolName: 'Bash', callId: 'call-7' });
    const turns = [span('turn', 100), span('turn', 900_000)];
    const points = await pointsOf([...turns, bash, span('subagent', 3000), ...others]);
    const [turn, subagent, tool] = points;
    assert.ok(turn && subagent && tool);
    assert.equal(points.length, 3);
    assert.deepEqual([turn.metric, turn.unit, turn.scope], ['gen_ai.invoke_agent.duration', 's', 'agent-logs']);
    assert.deepEqual(turn.attributes, { 'gen_ai.agent.name': 'Bookshop' });
    assert.deepEqual(turn.resource, source('Bookshop').attributes);
    assert.deepEqual(turn.explicitBounds, agentBounds);
    assert.deepEqual(turn.bucketCounts, [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    assert.deepEqual([turn.count, turn.sum, turn.min, turn.max, turn.temporality], [2, 900.1, 0.1, 900, 2]);
    assert.deepEqual([subagent.metric, subagent.attributes], ['gen_ai.invoke_agent.duration', {}]);
    assert.deepEqual([tool.metric, tool.explicitBounds], ['gen_ai.execute_tool.duration', toolBounds]);
    assert.deepEqual(tool.attributes, { 'gen_ai.tool.name': 'Bash' });
    assert.deepEqual(tool.bucketCounts, [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    assert.doesNotMatch(JSON.stringify(receiver.points), /private|call-7/);
    assert.deepEqual(reports, [{ type: 'connected' }]);
  });

  it('are counted by the type of the error, and by tool', async () => {
    const points = await pointsOf([
      span('tool', 10, { toolName: 'Bash', outcome: 'error', detail: 'exit 3' }),
      span('tool', 10, { toolName: 'Bash', outcome: 'cancelled' }),
      span('tool', 10, { toolName: 'Read' }),
      span('tool', 10),
      span('turn', 10, { outcome: 'unanswered' }),
    ]);
    const agent = { 'gen_ai.agent.name': 'Bookshop', 'error.type': 'unanswered' };
    const failed = { 'gen_ai.tool.name': 'Bash', 'error.type': 'exit 3' };
    const tools = ['Bash', 'Read', 'unknown'].map((name) => ({ 'gen_ai.tool.name': name }));
    assert.deepEqual(column(points, 'attributes'), [agent, failed, ...tools]);
  });

  it('have a bounded number of series', async () => {
    const points = await pointsOf(Array.from({ length: 600 }, (_, i) => span('tool', 10, { toolName: `tool ${i}` })));
    const rest = points.filter(({ attributes }) => attributes['otel.metric.overflow'] === true);
    assert.equal(receiver.points.length, 2);
    assert.equal(new Set(points.map(({ attributes }) => JSON.stringify(attributes))).size, 501);
    assert.equal(rest.at(-1)?.count, 100);
  });

  it('add up in one series for each run, and count nothing twice if a request is repeated', async () => {
    const { sender, source: one } = senderWith({});
    receiver.answers = [{ status: 400 }];
    const [mine, other] = [one('Mine'), one('Other')];
    await sender(turns(mine, 1000)); // lost
    await sender([...turns(mine, 2000), ...turns(other, 3000)]);
    await sender(turns(mine, 4000));
    const counts = receiver.points.map((points) =>
      points.map(({ resource, count, sum }) => `${String(resource['service.name'])} ${count} ${sum}`).join(', '),
    );
    assert.deepEqual(counts, ['Mine 1 2, Other 1 3', 'Mine 2 6']);
    const [first, second] = receiver.points.map(([point]) => point);
    assert.equal(first?.startTimeUnixNano, second?.startTimeUnixNano);
    assert.ok(BigInt(first?.timeUnixNano ?? 0) < BigInt(second?.timeUnixNano ?? 0));
  });

  it('are deltas if the variable for exporters asks for them', async () => {
    const { sender, source: one } = senderWith({ OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: 'Delta' });
    const mine = one('Mine');
    await sender(turns(mine, 2000));
    await sender(turns(mine, 4000));
    const [first, second] = receiver.points.map(([point]) => point);
    assert.deepEqual([first?.temporality, first?.count, first?.sum], [1, 1, 2]);
    assert.deepEqual([second?.temporality, second?.count, second?.sum], [1, 1, 4]);
    assert.ok(BigInt(first?.timeUnixNano ?? 0) <= BigInt(second?.startTimeUnixNano ?? 0));
  });

  it('are counted as not sent if the collector rejects them', async () => {
    receiver.answers = [{ status: 200, body: JSON.stringify({ partialSuccess: { rejectedDataPoints: '1' } }) }];
    await pointsOf([span('turn', 10), span('tool', 10)]);
    assert.deepEqual(reports, [{ type: 'connected' }, { type: 'not-sent', notSent: 1 }]);
  });

  type Convert = ReturnType<ReturnType<typeof durationSignal>['converter']>;

  function senderWith(env: Readonly<Record<string, string>>): {
    sender: ReturnType<typeof otlpMetrics>;
    source: (name: string) => Convert;
  } {
    let time = 1_800_000_000_000;
    const now = (): number => (time += 1000);
    return {
      sender: otlpMetrics({ url: receiver.metricsUrl, headers: {}, timeout: 500 }, env, now),
      source: (name) => durationSignal(now).converter(source(name)),
    };
  }

  function turns(convert: Convert, took: number): NonNullable<ReturnType<Convert>>[] {
    const converted = convert(span('turn', took));
    return converted ? [converted] : [];
  }

  it('take no memory for what they do not count', () => {
    const delivery = new OtlpDelivery((report) => reports.push(report));
    const batches = new OtlpBatches(() => Promise.resolve({ type: 'sent' }), delivery, durationSignal(Date.now));
    batches.add(source('Mine'), [span('permission', 10), span('request', 10)]);
    assert.equal(batches.waiting, 0);
    batches.close();
  });
});
