import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Line } from '../../../../src/text/bytes/line';
import { RecordStore } from '../../../../src/store/store';
import { chromeTrace } from '../../../../src/export/chromeTrace';
import { otlpTrace } from '../../../../src/export/otlpTrace';
import { RunLogSink } from '../../../../src/past/files/runLogSink';
import { LogReader } from '../../../../src/runLog/reading/logReader';
import { RunLog } from '../../../../src/runLog/runLog';
import type { Span } from '../../../../src/timeline/span';
import { workKinds } from '../../../../src/timeline/span';
import { beginsDocument, DocumentReader } from '../../../../src/wire/lines/documentReader';
import { LineReader } from '../../../../src/wire/lines/lineReader';
import { rowsOf } from '../../../support/columns';
import { assertGolden } from '../../../support/golden';
import { holds } from '../../../support/property';
import { recordedSpans } from '../../../support/recordedSpans';
import { messagesOf } from '../../../support/savedRun';

const folder = 'test/fixtures/traces';
const now = 1_795_176_100_000;

function opened(text: string): RunLog {
  const log = new RunLog(new RecordStore(1e8), now);
  const reader = new LogReader(new RunLogSink(log, now), { redactor: undefined });
  for (const line of linesOf(Buffer.from(text))) reader.line(line, now);
  reader.complete();
  log.flush();
  return log;
}

/** As `followFile` splits a file. */
function linesOf(bytes: Buffer): readonly Line[] {
  const reader = beginsDocument(bytes) ? new DocumentReader(1e7) : new LineReader(1e7);
  reader.push(bytes);
  const lines: Line[] = [];
  for (let line = reader.next() ?? reader.end(); line; line = reader.next() ?? reader.end()) lines.push(line);
  return lines;
}

function described(log: RunLog): string {
  const spans = log.spans().map(({ kind, title, outcome, detail, toolName, model, usage, startedAt, endedAt = 0 }) => {
    return JSON.stringify({ kind, title, outcome, detail, toolName, model, usage, ms: endedAt - startedAt });
  });
  const records = log.store.query().map(({ level, logger = '', kind, message, sessionId = '' }) => {
    return `${level} ${kind} ${logger} [${sessionId.slice(-8)}] ${message}`;
  });
  return `${[...spans, '', ...records].join('\n')}\n`;
}

describe('traces: recordings', () => {
  for (const file of readdirSync(folder)) {
    it(`opens ${file} with its turns`, () => {
      const text = described(opened(readFileSync(join(folder, file), 'utf8')));
      assertGolden(join('test/golden/opened', `${file}.txt`), text);
    });
  }
});

describe('traces: what was exported', () => {
  const spans = recordedSpans('test/fixtures/streams/claude-permission.ndjson', 'stream-json');
  const trace = { runId: 'run-1', name: 'Agent', spans, now };
  const work = (all: readonly Span[], isTitled: boolean): unknown[] => {
    const own = all.filter(({ kind }) => kind === 'turn' || kind === 'tool');
    return own.map(({ kind, title, toolName, model, outcome, usage }) => ({
      ...{ kind, toolName, outcome, title: isTitled && title, model: kind === 'turn' && model },
      tokens: [usage?.inputTokens, usage?.outputTokens, usage?.costUsd],
    }));
  };

  for (const [what, write, isTitled] of [
    ['a Chrome trace', chromeTrace, true],
    ['OTLP/JSON, without its texts', otlpTrace, false],
  ] as const) {
    it(`comes back from ${what}`, async () => {
      const back = opened(await write(trace)).spans({ kinds: workKinds });
      assert.deepEqual(work(back, isTitled), work(spans, isTitled));
    });
  }
});

describe('traces: damaged files', () => {
  const lines = readdirSync(folder)
    .filter((file) => file.endsWith('.jsonl'))
    .flatMap((file) => readFileSync(join(folder, file), 'utf8').trim().split('\n'));

  const expected = turnsOf(opened(lines.join('\n')));

  holds(
    'reads reordered and repeated lines, with the same turns',
    100,
    fc.property(fc.shuffledSubarray(lines, { minLength: lines.length }), fc.subarray(lines), (all, again) => {
      assert.deepEqual(turnsOf(opened([...all, ...again].join('\n'))), expected);
    }),
  );

  holds(
    'reads lines that were cut',
    100,
    fc.property(fc.nat(lines.length - 1), fc.double({ min: 0, max: 1, noNaN: true }), (index, part) => {
      const cut = lines.map((line, n) => (n === index ? line.slice(0, Math.floor(line.length * part)) : line));
      const log = opened(cut.join('\n'));
      for (const message of messagesOf({ log })) assert.doesNotMatch(message, /^could not be read/);
      assert.ok(log.lastSeq > 0);
    }),
  );

  function turnsOf(log: RunLog): string[] {
    return rowsOf(log.spans({ kinds: ['turn'] }), 'startedAt', 'title', 'outcome').sort();
  }
});
