import assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { interpretation } from '../../../src/runLog/reading/interpretation';
import { Conversation } from '../../../src/diagnosis/conversation/conversation';
import { FindingReporter } from '../../../src/diagnosis/findingReporter';
import { Problems } from '../../../src/diagnosis/problems';
import { SeriesOfFindings } from '../../../src/diagnosis/series';
import { Summaries } from '../../../src/diagnosis/summaries';
import { verbatim } from '../../../src/text/translator';
import { noSteps } from '../../../src/work/step';
import { Work } from '../../../src/work/work';
import type { DiagnosisSink } from '../../../src/diagnosis/sessionSummary';
import type { Protocol } from '../../../src/wire/protocol';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const ignore = (): void => undefined;
const nowhere = (): DiagnosisSink => ({ lastSeq: 0, record: ignore, session: ignore, work: new Work(noSteps) });

/** The growth of the heap after this number of lines, in bytes. */
function heldAfter(protocol: Protocol, lines: number, lineOf: (i: number) => string | object): number {
  const interpreter = interpretation(protocol, nowhere());
  const held = (): number => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = held();
  for (let i = 0; i < lines; i++) {
    const what = lineOf(i);
    const line = typeof what === 'string' ? what : JSON.stringify(what);
    const msg: unknown = typeof what === 'string' ? undefined : JSON.parse(line);
    interpreter.accept({ t: i, dir: 'a2c', line, ...(msg !== undefined && { msg }) });
  }
  const more = held() - before;
  assert.ok(interpreter);
  return more;
}

describe('diagnosis: memory', () => {
  it('keeps no later finding after a rule has thrown', () => {
    const series = new SeriesOfFindings(() => 0);
    const problems = new Problems(() => 0);
    const summaries = new Summaries(problems, ignore);
    const conversation = new Conversation('acp', new Work(noSteps));
    const reporter = new FindingReporter(conversation, new Set(), series, problems, summaries, ignore);
    assert.throws(() => reporter.collect(() => assert.fail('a bug')));
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let i = 0; i < 20_000; i++) {
      reporter.report({ code: 'silence', level: 'notice', what: verbatim('x'), raw: `line ${i}` }, { at: i });
    }
    collect();
    const held = process.memoryUsage().heapUsed - before;
    assert.ok(held < 1e6, `${held}`);
    assert.ok(reporter);
  });

  it('keeps no finding if there is no turn that it could belong to', () => {
    assert.ok(heldAfter('mcp', 20_000, (i) => `log line ${i} `.padEnd(1000, 'x')) < 5e6);
  });

  it("keeps only the displayed part of a tool's output", () => {
    const held = heldAfter('acp', 100, (i) => {
      const content = [{ type: 'content', content: { type: 'text', text: `line ${i} `.padEnd(200_000, 'x') } }];
      const update = { sessionUpdate: 'tool_call_update', toolCallId: `${i}`, status: 'completed', content };
      return { jsonrpc: '2.0', method: 'session/update', params: { sessionId: 's', update } };
    });
    assert.ok(held < 5e6, `${held}`);
  });

  it('keeps no more of the results in a stream', () => {
    const held = heldAfter('stream-json', 600, (i) => {
      const id = `tool-${Math.floor(i / 2)}`;
      const text = `line ${i} `.padEnd(200_000, 'x');
      const [type, part] =
        i % 2 === 0
          ? ['assistant', { type: 'tool_use', id, name: 'Bash', input: { command: 'make' } }]
          : ['user', { type: 'tool_result', tool_use_id: id, is_error: false, content: text }];
      return { type, session_id: 's', message: { role: type, content: [part] } };
    });
    assert.ok(held < 8e6, `${held}`);
  });
});
