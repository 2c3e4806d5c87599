import assert from 'node:assert/strict';
import type { OtlpReport } from '../../../src/otlp/otlpDelivery';
import { OtlpConverter } from '../../../src/otlp/otlpRecord';
import { otlpSpanSender } from '../../../src/otlp/otlpSender';
import { OtlpSpans } from '../../../src/otlp/otlpSpan';
import type { Span } from '../../../src/timeline/span';
import { DiagnosedWire } from '../../support/diagnosedWire';
import { OtlpReceiver } from '../../support/otlpReceiver';

const attributes = { 'service.name': 'Bookshop', 'service.instance.id': 'run-1' };
const traceId = '0af7651916cd43dd8448eb211c80319c';
const parentId = 'b7ad6b7169203331';

/** A turn with a tool call, whose client has a trace. */
function tracedTurn(): { readonly wire: DiagnosedWire; readonly ended: Span[] } {
  const wire = DiagnosedWire.withSession();
  const ended: Span[] = [];
  wire.log.onSpanEnded((span) => ended.push(span));
  const params = { sessionId: 'session-1', prompt: [{ type: 'text', text: 'private words' }] };
  wire.ask('session/prompt', { ...params, _meta: { traceparent: `00-${traceId}-${parentId}-01` } });
  wire.update({ sessionUpdate: 'tool_call', toolCallId: 'call-7', title: 'cat private.txt' });
  wire.wait(20).update({ sessionUpdate: 'tool_call_update', toolCallId: 'call-7', status: 'failed' });
  wire.answer({ stopReason: 'end_turn', usage: { inputTokens: 12, outputTokens: 3, totalTokens: 15 } });
  return { wire, ended };
}

/** Sends such a turn to a collector. */
async function sentTo(receiver: OtlpReceiver): Promise<{ receiver: OtlpReceiver; reports: readonly OtlpReport[] }> {
  const { wire, ended } = tracedTurn();
  const reports: OtlpReport[] = [];
  const endpoint = { url: receiver.tracesUrl, headers: {}, timeout: 500 };
  const sender = otlpSpanSender(endpoint, (report) => reports.push(report));
  sender.add({ attributes, raw: () => undefined, span: (id) => wire.log.span(id) }, ended);
  await sender.end(5000);
  await receiver.close();
  return { receiver, reports };
}

describe('OTLP spans', () => {
  it('reach a collector in one trace that the client started, without content', async () => {
    const { receiver } = await sentTo(await OtlpReceiver.start());
    const [tool, turn] = receiver.spans;
    assert.ok(tool && turn);
    assert.deepEqual([turn.name, turn.kind, turn.traceId], ['invoke_agent Bookshop', 3, traceId]);
    assert.equal(turn.parentSpanId, parentId);
    assert.deepEqual([tool.name, tool.traceId, tool.parentSpanId], ['execute_tool', traceId, turn.spanId]);
    assert.deepEqual(tool.status, { code: 2 });
    assert.deepEqual(turn.resource, attributes);
    const about = ['operation.name', 'agent.name', 'conversation.id'].map((name) => turn.attributes[`gen_ai.${name}`]);
    assert.deepEqual(about, ['invoke_agent', 'Bookshop', 'session-1']);
    assert.equal(tool.attributes['gen_ai.tool.call.id'], 'call-7');
    assert.equal(tool.attributes['error.type'], '_OTHER');
    assert.ok(BigInt(tool.endTimeUnixNano) - BigInt(tool.startTimeUnixNano) >= 20_000_000n);
    assert.doesNotMatch(JSON.stringify(receiver.spans), /private/);
  });

  it('have the IDs that the records of their turn have', () => {
    const { wire, ended } = tracedTurn();
    const spanAt = ({ sessionId, seq }: { sessionId?: string; seq: number }): Span | undefined =>
      wire.log.turnAt(sessionId, seq);
    const source = { attributes, raw: () => undefined, span: (id: string) => wire.log.span(id), spanAt };
    const turn = ended.find(({ kind }) => kind === 'turn')!;
    const records = wire.log.store.query({ sessionId: 'session-1' });
    const inTurn = records.filter(({ seq }) => seq >= turn.firstSeq && seq <= turn.lastSeq);
    const { traceId: trace, spanId } = new OtlpSpans(source).contextOf(turn);
    assert.ok(inTurn.length > 1);
    for (const record of inTurn) {
      const { spanContext } = new OtlpConverter(source).convert(record);
      assert.deepEqual([spanContext?.traceId, spanContext?.spanId], [trace, spanId]);
    }
    const [before] = records.filter(({ seq }) => seq < turn.firstSeq);
    if (before) assert.equal(new OtlpConverter(source).convert(before).spanContext, undefined);
  });

  it('are exported once if a turn was given up and continued, or never did', () => {
    const wire = new DiagnosedWire('stream-json');
    const ended: Span[] = [];
    wire.log.onSpanEnded((span) => ended.push(span));
    const init = (session_id: string): object => ({ type: 'system', subtype: 'init', session_id });
    const message = { content: [{ type: 'text', text: 'On it.' }] };
    const words = (session_id: string): object => ({ type: 'assistant', session_id, message });
    // Two agents write to one stream.
    for (const line of [init('a'), words('a'), init('b'), words('b')]) wire.send('a2c', line);
    const turnOf = (sessionId: string): Span | undefined => wire.log.spans({ kinds: ['turn'], sessionId })[0];
    assert.equal(turnOf('a')?.outcome, 'unanswered');
    assert.equal(ended.length, 0);
    wire.send('a2c', words('a'));
    assert.equal(turnOf('a')?.endedAt, undefined);
    wire.send('a2c', { type: 'result', subtype: 'success', session_id: 'a' });
    const outcomes = (): string[] => ended.map(({ sessionId, outcome }) => `${sessionId} ${outcome}`);
    assert.deepEqual(outcomes(), ['a ok']);
    wire.send('a2c', init('c')).send('a2c', words('c'));
    wire.process({ ev: 'exit', code: 0, signal: null });
    assert.deepEqual(outcomes().sort(), ['a ok', 'b unanswered', 'c unanswered']);
  });

  it('are counted as not sent if the collector rejects them', async () => {
    const collector = await OtlpReceiver.start();
    collector.answers = [{ status: 200, body: JSON.stringify({ partialSuccess: { rejectedSpans: '1' } }) }];
    const { reports } = await sentTo(collector);
    assert.deepEqual(reports, [{ type: 'connected' }, { type: 'not-sent', notSent: 1 }]);
  });
});
