import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { RecordStore } from '../../../src/store/store';
import { isObject } from '../../../src/text/json';
import { interpretation } from '../../../src/runLog/reading/interpretation';
import { RunReader } from '../../../src/runLog/reading/runReader';
import { RunLog } from '../../../src/runLog/runLog';
import { RunLogSink } from '../../../src/past/files/runLogSink';
import type { WireEvent } from '../../../src/wire/wireEvent';
import { readTranscript } from '../../support/transcript';

const transcripts = 'test/fixtures/transcripts';

/** Everything that views, exports, reports and tools may show of a run: its records without `sessionId`, and its termination. */
function shown(events: readonly WireEvent[]): { readonly texts: string[]; readonly log: RunLog } {
  const log = new RunLog(new RecordStore(1e8), events[0]?.t ?? 0);
  const sink = new RunLogSink(log, 0);
  const reader = new RunReader(sink, interpretation('acp', sink), { redactor: undefined });
  for (const event of events) reader.accept(event);
  reader.finish();
  const { termination } = reader;
  if (termination) sink.end('agent', termination, reader.endedAt);
  const texts = log.store.query().map(({ message, data }) => JSON.stringify({ message, data }));
  return { texts: [...texts, JSON.stringify(sink.termination ?? null)], log };
}

function* sessionIdsIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (/session_?id$/i.test(name) && typeof member === 'string' && member.length >= 12) yield member;
    yield* sessionIdsIn(member);
  }
}

function message(t: number, dir: 'a2c' | 'c2a', msg: object): WireEvent {
  const whole = { jsonrpc: '2.0', ...msg };
  return { t, dir, line: JSON.stringify(whole), msg: whole };
}

describe('session IDs in records and terminations', () => {
  for (const file of readdirSync(transcripts)) {
    it(`are shortened everywhere in ${file}`, () => {
      const events = readTranscript(join(transcripts, file));
      const ids = new Set(events.flatMap((event) => [...sessionIdsIn('msg' in event ? event.msg : undefined)]));
      for (const text of shown(events).texts) for (const id of ids) assert.ok(!text.includes(id), `${id} in ${text}`);
    });
  }

  const [parent, child] = ['6ebfdcf3-07ac-4cb9-abf5-cc7f1532855d', 'a2d1429aed932c151'];
  const update = (t: number, sessionId: string, fields: object): WireEvent =>
    message(t, 'a2c', { method: 'session/update', params: { sessionId, update: fields } });
  const run: readonly WireEvent[] = [
    { t: 1, dir: 'ev', ev: 'spawn', pid: 7, command: ['agent'], cwd: '/' },
    { t: 2, dir: 'err', line: `{"level":"info","msg":"created","id":"${parent}"}` },
    message(3, 'c2a', { id: 1, method: 'session/new', params: { cwd: '/' } }),
    message(4, 'a2c', { id: 1, result: { sessionId: parent } }),
    update(5, parent, { sessionUpdate: 'subagent_update', sessionId: child }),
    update(6, parent, { sessionUpdate: 'session_message', senderSessionId: parent, recipientSessionId: child }),
    update(7, child, { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: `I am ${child}` } }),
    update(8, child, {
      sessionUpdate: 'tool_call',
      toolCallId: 'call',
      title: `cat /tmp/${parent}/tasks`,
      status: 'completed',
      rawInput: { files: [{ path: `/tmp/${parent}/${child}` }] },
    }),
    message(9, 'a2c', {
      method: 'log',
      params: { level: 'info', sessionId: parent, message: `resume with ${parent}` },
    }),
    { t: 10, dir: 'err', line: `Session ${parent} failed` },
    ...Array.from({ length: 120 }, (_, n): WireEvent => ({ t: 11, dir: 'err', line: `${n}: see ${child}` })),
    { t: 12, dir: 'ev', ev: 'exit', code: 3, signal: null },
  ];

  it('are shortened in messages, data, and the stderr excerpt of a termination', () => {
    const { texts, log } = shown(run);
    for (const text of texts) assert.ok(!text.includes(parent) && !text.includes(child), text);
    assert.match(texts.at(-1) ?? '', /Session …1532855d failed.*see …d932c151/s);
    assert.ok(log.store.query().some(({ message: text }) => text === 'resume with …1532855d'));
  });

  it('stay whole in API fields, raw lines and searches', () => {
    const { log } = shown(run);
    assert.deepEqual(
      log.sessions.map(({ id }) => id),
      [parent, child],
    );
    const [found] = log.store.query({ text: `resume with ${parent}` });
    assert.equal(found?.sessionId, parent);
    assert.ok(isObject(JSON.parse(log.store.raw(found.seq) ?? '')) && log.store.raw(found.seq)?.includes(parent));
  });

  it('are shortened for a subagent whose session has not started', () => {
    const early = shown(run.slice(0, 5)).texts;
    assert.ok(early.some((text) => text.includes('…d932c151')));
    for (const text of early) assert.ok(!text.includes(child), text);
  });
});
