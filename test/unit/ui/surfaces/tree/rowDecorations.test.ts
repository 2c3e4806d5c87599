import '../../../../support/vscodeStub';
import assert from 'node:assert/strict';
import { mock } from 'node:test';
import type { Level } from '../../../../../src/text/level';
import type { Run } from '../../../../../src/live/run';
import { Runs } from '../../../../../src/runs/runs';
import { agentUri, RowDecorations, runUri } from '../../../../../src/ui/surfaces/tree/rowDecorations';
import { useTreeRows } from '../../../../support/treeRows';

describe('marks of rows', () => {
  const { testRuns } = useTreeRows();

  let runs: Runs;
  let run: Run;
  let marks: RowDecorations;

  beforeEach(() => {
    runs = new Runs();
    run = testRuns.create('silent');
    runs.add(run);
    marks = new RowDecorations(runs, runs);
  });

  afterEach(() => {
    marks.dispose();
    mock.timers.reset();
  });

  function log(of: Run, level: Level, count = 1): void {
    for (let i = 0; i < count; i++) of.log.record({ receivedAt: i, level, kind: 'log', message: 'x', sessionId: 's' });
  }

  const markOf = (uri = agentUri('silent')): string | undefined => {
    const mark = marks.provideFileDecoration(uri);
    return mark && [mark.badge, mark.tooltip, mark.color?.id].join(' | ');
  };

  it('count errors, or warnings if there are none', () => {
    log(run, 'notice');
    assert.equal(markOf(), undefined);
    log(run, 'warning', 2);
    assert.equal(markOf(), '2 | 2 warnings | list.warningForeground');
    log(run, 'error');
    assert.equal(markOf(), '1 | 1 error, 2 warnings | list.errorForeground');
    log(run, 'alert', 11);
    assert.equal(markOf(runUri(run)), '9+ | 12 errors, 2 warnings | list.errorForeground');
  });

  it('are of the runs that are live, or of the latest', () => {
    log(run, 'error');
    runs.add(testRuns.create('silent'));
    assert.match(markOf() ?? '', /^1 /);
    assert.equal(markOf(agentUri('other')), undefined);
  });

  it('are drawn again once if they are another, and only if they were drawn', () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const fired: string[] = [];
    marks.onDidChangeFileDecorations((uris) => fired.push(...uris.map(({ path }) => path)));
    markOf();
    log(run, 'error', 2);
    for (let i = 0; i < 3; i++) marks.changedIn(run);
    mock.timers.tick(300);
    assert.deepEqual(fired, ['/agent/silent']);
    assert.match(markOf() ?? '', /^2 /);
    marks.changedIn(run);
    mock.timers.tick(300);
    assert.equal(fired.length, 1);
  });
});
