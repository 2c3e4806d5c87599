import assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { noSteps } from '../../../src/work/step';
import { Work } from '../../../src/work/work';
import { AcpReader } from '../../../src/protocols/acp/acpReader';
import { acpExtensions } from '../../../src/agents/agents';
import type { Interpreter } from '../../../src/protocols/interpreter';
import { ownHead, ownKey, ownTail } from '../../../src/text/ownText';
import { StderrExcerpts } from '../../../src/protocols/stderr/stderrExcerpts';

/** How much more memory is in use while what this makes is kept, in MB. */
function megabytesOf(make: () => unknown): number {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void;
  gc();
  const before = process.memoryUsage().heapUsed;
  const kept = make();
  gc();
  const held = (process.memoryUsage().heapUsed - before) / 1e6;
  assert.ok(kept !== undefined);
  return held;
}

function long(i: number): string {
  return `${i} `.repeat(500_000).slice(0, 500_000);
}

function interpreted(paramsOf: (text: string) => Record<string, unknown>, method = 'session/update'): Interpreter {
  const interpreter = new AcpReader({ sink: { record() {}, session() {} }, work: new Work(noSteps) }, acpExtensions);
  for (let i = 0; i < 100; i++) {
    const line = JSON.stringify({ id: `${i}`, method, params: paramsOf(long(i)) });
    interpreter.accept({ t: i * 3000, dir: 'a2c', line, msg: JSON.parse(line) });
  }
  return interpreter;
}

describe('texts that are kept', () => {
  it('are cut', () => {
    assert.deepEqual([ownHead('abc', 3), ownHead('a bcd', 3), ownTail('abc d', 3)], ['abc', 'a ', ' d']);
    assert.deepEqual([ownKey('abc', 3), ownKey('abcd', 3)], ['abc', 'abc']);
  });

  const update = (fields: Record<string, unknown>): Record<string, unknown> => ({ sessionId: 's', update: fields });
  const cases: [string, () => unknown][] = [
    ['beginnings', () => Array.from({ length: 100 }, (_, i) => ownHead(long(i), 100))],
    ['titles', () => interpreted((text) => update({ sessionUpdate: 'tool_call', toolCallId: text, title: text }))],
    ['messages', () => interpreted((text) => update({ sessionUpdate: 'agent_message_chunk', messageId: text }))],
    ['terminals', () => interpreted((id) => update({ sessionUpdate: 'terminal_update', terminalId: id, command: id }))],
    ['questions', () => interpreted((id) => ({ options: [{ optionId: id, name: id }] }), 'session/request_permission')],
    [
      'lines of standard error',
      () => {
        const excerpts = new StderrExcerpts();
        for (let i = 0; i < 100; i++) excerpts.add(long(i));
        return excerpts;
      },
    ],
  ];
  for (const [what, make] of cases) {
    it(`keep no more in memory than is kept of them: ${what}`, () => {
      const held = megabytesOf(make);
      assert.ok(held < 15, `${held} MB of 50`);
    });
  }
});
