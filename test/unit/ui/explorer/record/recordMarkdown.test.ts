import assert from 'node:assert/strict';
import type { RecordDetails } from '../../../../../src/ui/explorer/messages';
import type { PageStrings } from '../../../../../src/ui/explorer/pageStrings';
import { recordMarkdown } from '../../../../../src/ui/explorer/record/recordMarkdown';
import { levels } from '../../../../../src/log/level';

const strings = {
  levels,
  kinds: {
    log: 'log',
    notice: 'notice',
    stderr: 'stderr',
    activity: 'activity',
    lifecycle: 'lifecycle',
    diagnosis: 'diagnosis',
    wire: 'wire',
  },
  time: 'Time',
  ownTime: 'Own time',
  session: 'Session',
  logger: 'Logger',
  record: 'Record',
  data: 'Data',
  rawLine: 'Raw line',
  what: 'What happened',
  why: 'Why',
  advice: 'What to do',
  evidence: 'Evidence',
  before: 'Before',
  noAdvice: 'Nothing known.',
} as Partial<PageStrings> as PageStrings;

const record: RecordDetails = {
  seq: 7,
  time: '2026-11-22 10:00:00.000',
  ownTime: '',
  level: 3,
  kind: 'log',
  session: 'a title',
  logger: 'db',
  message: 'slow ``` query',
  missing: 0,
  hasRaw: true,
  hasJournal: false,
};

describe('a record in Markdown', () => {
  it('has its message, fields, data and raw line', () => {
    assert.equal(
      recordMarkdown(record, strings, '{\n  "a": 1\n}', '{"a":1}'),
      [
        '# warning · log',
        '````\nslow ``` query\n````',
        '- Time: 2026-11-22 10:00:00.000\n- Session: a title\n- Logger: db\n- Record: 7',
        '## Data',
        '```json\n{\n  "a": 1\n}\n```',
        '## Raw line',
        '```json\n{"a":1}\n```',
        '',
      ].join('\n\n'),
    );
  });

  it('explains a problem, without links or HTML of an agent', () => {
    const problem = {
      title: 'Turn failed',
      what: 'failed: <img src=x> [click](command:x)',
      why: 'Because.',
      advice: '',
      count: 1,
      since: 0,
      buttons: [],
      evidence: [{ seq: 5, level: 4, at: 0, message: 'Error: 429' }],
      before: [{ seq: 3, level: 3, at: 0, message: 'Retrying' }],
    };
    const text = recordMarkdown({ ...record, kind: 'diagnosis', problem }, strings, '{}', undefined);
    assert.ok(
      text.startsWith(
        '# Turn failed\n\n## What happened\n\nfailed: \\<img src=x> \\[click\\](command:x)\n\n## Why\n\nBecause.\n\n## What to do\n\nNothing known.',
      ),
    );
    assert.ok(text.includes('## Evidence\n\n- Record 5 · error: Error: 429'));
    assert.ok(text.includes('## Before\n\n- Record 3 · warning: Retrying'));
    assert.ok(!text.includes('## Data'));
  });
});
