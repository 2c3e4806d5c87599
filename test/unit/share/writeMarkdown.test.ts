import assert from 'node:assert/strict';
import fc from 'fast-check';
import { lexer } from 'marked';
import { markdownOf, maxMarkdown } from '../../../src/share/markdown/writeMarkdown';
import { including } from '../../../src/share/review/choice';
import { Pauses } from '../../../src/share/review/pauses';
import { reviewed } from '../../../src/share/review/reviewed';
import type { SharedContent, SharedRecord, SharedRun, SharedSpan } from '../../../src/share/sharedRun';
import { sharedContents } from '../../../src/share/sharedRun';
import { flatTokens, hostileText, isInert } from '../../support/hostileMarkdown';
import { holds } from '../../support/property';
import { sharedMessage } from '../../support/sharedMessage';

describe('a run as Markdown', () => {
  it('has what went wrong first, then each turn with its steps, tokens and cost', () => {
    const text = markdownOf(sample('PROMPT', 'ANSWER'));
    const places = ['# PROMPT', '## What went wrong', '### Not logged in (error)', 'no key', '#3 '];
    const turn = ['✗ Turn 1 <code>PROMPT</code>', 'failed <code>no key</code>', '1.2k in, 10 out, $0.50', '**Prompt**'];
    const order = [...places, '## How it ended', '## Turns', ...turn].map((part) => text.indexOf(part));
    const sorted = order.toSorted((a, b) => a - b);
    assert.deepEqual(order, sorted, text);
    const steps = ['✗ <code>Bash: npm test</code> · failed <code>exit 1</code>', 'OUTPUT', '**Answer**'];
    const rest = ['```text\nANSWER\n```', '- error `api`: log line', 'STDERR', 'WIRE'];
    for (const part of [...places, ...turn, ...steps, ...rest]) assert.ok(text.includes(part), `${part}: ${text}`);
  });

  it('leaves out what the review leaves out, also from its heading', async () => {
    const marks: Readonly<Record<string, SharedContent>> = {
      ...{ PROMPT: 'prompts', ANSWER: 'answers', OUTPUT: 'tools', 'npm test': 'tools', STDERR: 'stderr', WIRE: 'wire' },
    };
    const choices: readonly (readonly SharedContent[])[] = [[], ['prompts'], ['answers'], ['tools']];
    for (const include of [...choices, sharedContents.filter((one) => one !== 'wire'), sharedContents]) {
      const text = markdownOf(await reviewed(sample('PROMPT', 'ANSWER'), including(include), noNames, new Pauses()));
      for (const [mark, content] of Object.entries(marks)) {
        assert.equal(text.includes(mark), include.includes(content), `${include.join()} ${mark}: ${text}`);
      }
      assert.equal(text.startsWith('# PROMPT'), include.length === sharedContents.length, include.join());
      assert.match(text, /✗ Turn 1 .*1\.2k in/);
    }
  });

  it('is as long as GitHub takes, with the newest turns, and says what is missing', () => {
    const turns = Array.from({ length: 3000 }, (_, n) => n);
    const large = (length: number, count: number): SharedRun => {
      const one = sample('p'.repeat(length), '<`@'.repeat(length));
      const some = turns.slice(0, count);
      const records = some.flatMap((n) => one.records.map((record) => ({ ...record, seq: record.seq + 10 * n })));
      return { ...one, records, spans: some.flatMap((n) => one.spans.map((span) => moved(span, n))) };
    };
    for (const [length, count, missing] of [
      [100_000, 1, /Texts are cut after 8000|^(?!.*didn’t fit)/s],
      [3000, 20, /Texts are cut after 500 characters/],
      [10, 3000, /Older turns that didn’t fit: \d+/],
      [100_000, 3000, /Prompts, answers and outputs of tools didn’t fit/],
    ] as const) {
      const text = markdownOf(large(length, count));
      assert.ok(text.length <= maxMarkdown, `${length} ${count}: ${text.length}`);
      assert.match(text, missing);
      assert.ok(text.includes(`Turn ${count} `), `${length} ${count}`);
    }
  });

  holds(
    'has no markup, mention, reference or link but its own, whatever a run says',
    150,
    fc.property(hostileText(), hostileText(), fc.boolean(), (prompt, answer, hasProtocol) => {
      const run: SharedRun = { ...sample(prompt, answer), ...(!hasProtocol && { protocol: 'saved' }) };
      const text = markdownOf(run);
      const tokens = flatTokens(lexer(text));
      for (const { type, raw } of tokens) {
        assert.ok(known.has(type), `${type} ${raw}`);
        if (type === 'html') {
          assert.match(raw, /^(?:<details><summary>[^<]*(?:<code>[^<]*<\/code>[^<]*)*<\/summary>|<\/details>)\s*$/);
        }
        const plain = type === 'html' ? raw.replace(/<code>[^<]*<\/code>|<\/?(?:details|summary)>/g, '') : raw;
        if (type === 'text' || type === 'html') assert.ok(isInert(plain), raw);
      }
      const html = tokens.filter(({ type }) => type === 'html').map(({ raw }) => raw.trim());
      assert.equal(html.length, 2 * html.filter((raw) => raw === '</details>').length, text);
    }),
  );
});

const known = new Set('heading list list_item paragraph text space code codespan strong html'.split(' '));
const noNames = { users: [], hosts: [] };

function moved(span: SharedSpan, n: number): SharedSpan {
  const { id, parent, firstSeq, lastSeq } = span;
  const places = { id: `${id}-${n}`, firstSeq: firstSeq + 10 * n, lastSeq: lastSeq + 10 * n };
  return { ...span, ...places, ...(parent !== undefined && { parent: `${parent}-${n}` }) };
}

/** A run of one turn that failed, with texts of any origin wherever a run has some. */
function sample(prompt: string, answer: string): SharedRun {
  const sessionId = '1-abcdefgh';
  const record = (seq: number, fields: Partial<SharedRecord>): SharedRecord => ({
    ...{ seq, receivedAt: 1000 + seq, level: 'info', kind: 'activity', sessionId, message: answer },
    ...fields,
  });
  const rest = answer.replaceAll('ANSWER', '');
  const problem = { code: 'authentication-required', count: 1, since: 1, evidence: [3] };
  const times = { startedAt: 1000, endedAt: 3000, firstSeq: 1, sessionId, outcome: 'error' } as const;
  return {
    ...{ name: prompt, protocol: 'acp', startedAt: 1000, sharedAt: 9000, cut: [] },
    termination: {
      ...{ reason: 'error', terminatedBy: 'agent', exitCode: 1 },
      stderr: { head: rest, truncated: false, totalLines: 1 },
    },
    sessions: [{ id: sessionId, title: prompt }],
    records: [
      record(1, { logger: 'prompt', content: 'prompt', message: prompt }),
      record(2, { logger: 'tool', content: 'tool', message: `OUTPUT ${rest}`, data: { x: 'OUTPUT' } }),
      record(3, { level: 'error', logger: 'api', message: `log line ${rest}` }),
      record(4, { logger: 'agent', content: 'answer', message: answer }),
      record(5, { kind: 'stderr', message: `STDERR ${rest}` }),
      record(6, { kind: 'diagnosis', level: 'error', logger: problem.code, message: `no key ${rest}`, data: problem }),
    ],
    messages: [
      sharedMessage({
        ...{ at: 1000, kind: 'request', direction: 'out', method: 'session/prompt', sessionId, status: 'ok', id: '1' },
        ...{ answerSize: 1, took: 1, answerSeq: 2, message: 'WIRE', answer: 'WIRE' },
      }),
    ],
    spans: [
      {
        ...{ id: 'turn-1', kind: 'turn', title: prompt, ...times, detail: 'no key', lastSeq: 6 },
        usage: { inputTokens: 1200, outputTokens: 10, costUsd: 0.5, basis: 'turn' },
      },
      {
        ...{ id: 'tool-2', parent: 'turn-1', kind: 'tool', title: 'npm test', toolName: 'Bash', ...times },
        ...{ detail: 'exit 1', lastSeq: 2 },
      },
    ],
  };
}
