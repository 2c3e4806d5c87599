import assert from 'node:assert/strict';
import { recordDetails } from '../../../../src/explorer/record/recordDetails';
import { spanRows } from '../../../../src/explorer/turns/turnRows';
import type { RunLog } from '../../../../src/runLog/runLog';
import type { RunView } from '../../../../src/runLog/runView';
import { collectRun } from '../../../../src/share/collectRun';
import { workKinds } from '../../../../src/timeline/span';
import { english } from '../../../../src/text/translator';
import { resultOf, whenDone } from '../../../support/queriedLog';
import { readSaved } from '../../../support/savedRun';

describe('files that a run changed', () => {
  let log: RunLog;
  const run = (): RunView => ({ log, state: { type: 'following', size: 1 } }) as unknown as RunView;
  const details = (seq: number) => {
    const record = log.store.get(seq);
    assert.ok(record);
    return recordDetails(record, run(), () => [], english);
  };
  const edit = () => log.spans().find(({ changes }) => changes) ?? assert.fail('no change');

  before(() => {
    log = readSaved('test/fixtures/changes/claude-saved.jsonl');
  });

  it('are in the rows of turns and calls', () => {
    const rows = spanRows(log.spans({ kinds: workKinds }), run(), 0, english).filter(({ changes }) => changes !== '');
    const shown = rows.map(({ kind, changes, files }) => [kind, changes, files.map(({ path, what }) => [path, what])]);
    const [readme, notes] = [
      ['/home/dev/project/README.md', '+3 −1'],
      ['/home/dev/project/notes.md', 'new, +3'],
    ];
    const turn = ['turn', '2 files, +6 −1', [readme, notes]];
    assert.deepEqual(shown, [turn, ['tool', 'README.md +3 −1', [readme]], ['tool', 'notes.md new, +3', [notes]]]);
    assert.match(rows[0]?.summary ?? '', / · 2 files, \+6 −1/);
  });

  it('are in the details of the records of their call', () => {
    const { id, firstSeq, lastSeq } = edit();
    for (const seq of [firstSeq, lastSeq]) {
      assert.deepEqual(details(seq).changed, { id, files: [{ path: '/home/dev/project/README.md', what: '+3 −1' }] });
    }
    assert.equal(details(firstSeq - 1).changed, undefined);
  });

  it('are named by the problem of a command that failed after them, which links the last change', () => {
    const problem = log.problems.all.find(({ code }) => code === 'tool-failed') ?? assert.fail('no problem');
    const [last] = details(problem.seq).problem?.change ?? [];
    const write = log.spans().findLast(({ changes, kind }) => changes && kind === 'tool');
    assert.deepEqual([last?.seq, last?.message], [write?.lastSeq, '/home/dev/project/notes.md (new, +3)']);
  });

  it('are found by the records of their calls', async () => {
    const { firstSeq, lastSeq } = edit();
    const result = resultOf(log, 'file:README.md');
    await whenDone(result);
    for (const [index, seq] of [firstSeq, lastSeq].entries()) {
      assert.deepEqual(result.indexOf(seq), { index, isMatch: true });
    }
    const facets = ['README.md', 'notes.md'].map((value) => ({ value, count: 1 }));
    assert.deepEqual(await result.facets('file'), facets);
    result.dispose();
  });

  it('are shared with a diff', async () => {
    const view = { ...run(), name: 'A', protocol: 'stream-json' as const, startedAt: 0 };
    const shared = await collectRun(view, { part: { type: 'run' }, now: 0 });
    const diffs = shared.spans.flatMap(({ diff }) => diff?.split('\n') ?? []);
    assert.deepEqual(diffs, [
      ...['--- /home/dev/project/README.md', '+++ /home/dev/project/README.md'],
      ...['-# projct', '+# project', '+', '+One more line.', ' ', ' A small parser.', ' It parses.'],
      ...['--- /dev/null', '+++ /home/dev/project/notes.md', '+First', '+Second', '+Third'],
    ]);
  });
});
