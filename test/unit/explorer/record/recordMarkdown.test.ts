import assert from 'node:assert/strict';
import { english } from '../../../../src/text/translator';
import type { RecordDetails } from '../../../../src/explorer/page/messages';
import { recordMarkdown } from '../../../../src/explorer/record/recordMarkdown';

const texts = { time: '2026-11-22 10:00:00.000', ownTime: '', session: 'a title', logger: 'db' };
const flags = { missing: 0, hasRaw: true, hasJournal: false };
const record: RecordDetails = { seq: 7, level: 3, kind: 'log', message: 'slow ``` query', ...texts, ...flags };

describe('a record in Markdown', () => {
  it('has its message, fields, data and raw line', () => {
    assert.deepEqual(recordMarkdown(record, '{\n  "a": 1\n}', '{"a":1}', english).split('\n\n'), [
      '# warning · log',
      '````\nslow ``` query\n````',
      '- Time: 2026-11-22 10:00:00.000\n- Session: a title\n- Logger: db\n- Record: 7',
      '## Data',
      '```json\n{\n  "a": 1\n}\n```',
      '## Raw line',
      '```json\n{"a":1}\n```',
      '',
    ]);
  });

  it('explains a problem, without links or HTML of an agent', () => {
    const what = 'failed: <img src=x> [click](command:x)';
    const problem = {
      ...{ title: 'Turn failed', what, why: 'Because.', advice: '' },
      ...{ number: 1, count: 1, since: 0, buttons: [], settledBy: [] },
      evidence: [{ seq: 5, level: 4, at: 0, message: 'Error: 429' }],
      change: [{ seq: 2, level: 6, at: 0, message: 'a.ts (+1)' }],
      before: [{ seq: 3, level: 3, at: 0, message: 'Retrying' }],
    };
    const text = recordMarkdown({ ...record, kind: 'diagnosis', problem }, '{}', undefined, english);
    const shown = 'failed: \\<img src=x> \\[click\\](command:x)';
    assert.ok(text.startsWith(`# Turn failed\n\n## What happened\n\n${shown}\n\n## Why\n\nBecause.\n\n## Evidence`));
    assert.ok(text.includes('## Evidence\n\n- Record 5 · error: Error: 429'));
    assert.ok(text.includes('## Warnings and errors before it\n\n- Record 3 · warning: Retrying'));
    assert.ok(!text.includes('## Data'));
  });
});
