import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { detailsOfEnds } from '../../../../src/agents/vscode/ends';
import { SessionReplay } from '../../../../src/agents/vscode/sessionReplay';
import { parsedJson } from '../../../../src/text/jsonText';
import { holds } from '../../../support/property';
import { messagesOf, readSavedLines, savedLines } from '../../../support/savedRun';
import { millisecondsFor } from '../../../support/doubling';

const folder = 'test/fixtures/saved';
const files = readdirSync(folder)
  .filter((name) => name.startsWith('vscode-') && name.endsWith('.jsonl'))
  .map((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'));
const file = fc.constantFrom(...files);

/** Reads changes as VS Code's, even if the first line is missing. */
function read(lines: readonly string[]): string[] {
  const replay = new SessionReplay();
  for (const line of lines) replay.apply(parsedJson(line), line.length);
  const messages = messagesOf({ log: readSavedLines([...replay.lines(true)].map(({ line }) => JSON.stringify(line))) });
  for (const message of messages) {
    assert.ok(message.length < 5000);
    assert.ok(!message.startsWith('could not be read'), message);
  }
  return messages;
}

describe("damaged sessions of VS Code's chat", () => {
  holds(
    'are read without a line, and say only what it changed less',
    100,
    fc.property(file, fc.nat(), (lines, at) => {
      const cut = read(lines.toSpliced(at % lines.length, 1));
      if (at % lines.length > 0) assert.ok(cut.some((message) => message.startsWith('session started')));
    }),
  );

  holds(
    'are read in any order',
    100,
    fc.property(file, fc.nat(), fc.nat(), (lines, from, to) => {
      const order = [...lines];
      const [line = ''] = order.splice(from % lines.length, 1);
      order.splice(to % lines.length, 0, line);
      read(order);
    }),
  );

  holds(
    'are read with lines twice, without losing a prompt or an end',
    100,
    fc.property(file, fc.nat(), (lines, at) => {
      const index = at % lines.length;
      const twice = read(lines.toSpliced(index, 0, lines[index] ?? ''));
      const { k, kind } = parsedJson(lines[index] ?? '') as { k?: unknown[]; kind: number };
      // Appending again appends again.
      if (kind === 2 && k?.length === 1) return;
      for (const message of read(lines)) {
        if (/^(?:ended|failed|interrupted) after/.test(message)) assert.ok(twice.includes(message), message);
      }
    }),
  );

  holds(
    'are read up to any character',
    100,
    fc.property(file, fc.nat(), (lines, at) => {
      const text = lines.join('\n');
      read(text.slice(0, at % text.length).split('\n'));
      detailsOfEnds(text.slice(0, at % text.length), text.slice(-(at % 3000)));
    }),
  );

  holds(
    'are read with any values',
    20,
    fc.property(
      file,
      fc.nat(),
      fc.array(fc.oneof(fc.string(), fc.nat(5)), { maxLength: 5 }),
      fc.jsonValue(),
      (lines, at, k, v) => {
        const odd = [0, 1, 2, 3, 4].map((kind) => JSON.stringify({ kind, k: ['requests', 0, ...k], v }));
        read(lines.toSpliced(1 + (at % lines.length), 0, ...odd.slice(1)));
        for (const field of ['response', 'result', 'modelState', 'message', 'timestamp', 'requestId', 'agent']) {
          read([...lines, JSON.stringify({ kind: 1, k: ['requests', 0, field], v })]);
        }
        const parts = [v, { kind: v }, { kind: 'hook', hookType: v }];
        read([...lines, JSON.stringify({ kind: 2, k: ['requests', 0, 'response'], v: parts })]);
      },
    ),
  );

  it("don't change the prototype of objects", () => {
    read([
      '{"kind":0,"v":{"sessionId":"s","requests":[]}}',
      '{"kind":1,"k":["__proto__","polluted"],"v":1}',
      '{"kind":1,"k":["requests","constructor"],"v":1}',
    ]);
    assert.equal('polluted' in {}, false);
  });

  it('take time in proportion to the number of changes of a request', () => {
    const replayed = (count: number): void => {
      const replay = new SessionReplay();
      replay.apply({ kind: 0, v: { sessionId: 's', requests: [{ requestId: 'r', response: [] }] } }, 1);
      let passed = 0;
      for (let index = 0; index < count; index++) {
        const call = { toolCallId: `c${index}`, toolId: 't', pastTenseMessage: 'Done' };
        const part = { kind: 'toolInvocationSerialized', ...call };
        replay.apply({ kind: 2, k: ['requests', 0, 'response'], v: [part, { kind: 'thinking', value: 'x' }] }, 1);
        passed += [...replay.lines(true)].length;
      }
      assert.ok(passed < count * 6);
    };
    replayed(500);
    assert.ok(millisecondsFor(replayed, 8000) < 2000);
  });

  it('are the same lines in the tests and in a run', () => {
    const [lines = []] = files;
    assert.ok(savedLines(lines)[0]?.includes('vscode.session'));
  });
});
