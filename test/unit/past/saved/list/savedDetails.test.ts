import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { readAbout as clineAbout } from '../../../../../src/agents/cline/about';
import { readAbout as copilotAbout } from '../../../../../src/agents/copilot/about';
import { readAbout as kimiAbout } from '../../../../../src/agents/kimi/about';
import { redactedDetails, savedDetails } from '../../../../../src/past/saved/list/savedDetails';
import { ClaudeLines } from '../../../../support/claudeLines';
import { holds } from '../../../../support/property';

const folder = 'test/fixtures/saved';
const texts = readdirSync(folder)
  .filter((name) => name.endsWith('.jsonl'))
  .map((name) => readFileSync(join(folder, name), 'utf8'));
const beginning = fc.constantFrom(...texts.flatMap((text) => text.split('\n').slice(0, 5)));

describe('details of a saved session', () => {
  holds(
    'say what the whole file says of its id and folder, wherever they are cut',
    60,
    fc.property(fc.constantFrom(...texts), fc.nat(), fc.nat(), (text, head, tail) => {
      const whole = savedDetails(text.split('\n'));
      const lines = text.split('\n');
      const cut = savedDetails(lines.slice(0, 6 + (head % 5)), lines.slice(-1 - (tail % 10)));
      assert.equal(cut.id, whole.id);
      assert.equal(cut.folder, whole.folder);
    }),
  );

  holds(
    'never fail to read, however hostile',
    200,
    fc.property(fc.array(fc.oneof(fc.string(), fc.json(), beginning), { maxLength: 12 }), fc.nat(), (lines, at) => {
      const all = lines.join('\n');
      const { title = '', problem = '' } = savedDetails(all.slice(0, at % (all.length + 1)).split('\n'), lines);
      assert.ok(title.length <= 210 && problem.length <= 310);
    }),
  );

  holds(
    'are no files beside a session, whatever is in them',
    200,
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      assert.ok(copilotAbout(text));
      assert.ok(clineAbout(text));
      assert.ok(kimiAbout(text));
    }),
  );

  it('have the message of a provider’s answer, and what kind of failure it is', () => {
    const session = new ClaudeLines('s1');
    const body = { type: 'error', error: { type: 'overloaded_error', message: `Overloaded. ${'Wait. '.repeat(60)}` } };
    const content = [{ type: 'text', text: `API Error: 529 ${JSON.stringify(body)}` }];
    const lines = [
      session.prompt('u1', 'Sort'),
      session.line('assistant', 'u2', {
        message: { id: 'm1', role: 'assistant', model: '<synthetic>', content, stop_reason: 'stop_sequence' },
        isApiErrorMessage: true,
      }),
      session.end('u3'),
    ].map((line) => JSON.stringify(line));
    const { outcome, problem, failure } = redactedDetails(savedDetails(lines), undefined);
    assert.deepEqual([outcome, failure], ['error', 'overloaded']);
    assert.match(problem ?? '', /^API Error: 529 Overloaded\. Wait\. /);
  });

  it('skip a line of a megabyte', () => {
    const message = { role: 'user', content: 'x'.repeat(1e6) };
    const line = JSON.stringify({ type: 'user', parentUuid: null, sessionId: 's1', message });
    assert.deepEqual(savedDetails([line]), {});
  });
});
