import '../../support/vscodeStub';
import assert from 'node:assert/strict';
import type { EndSeverity, Termination } from '../../../src/wire/termination';
import {
  describeExitCode,
  endEntry,
  inEnglishTermination,
  isCrash,
  severityOfEnd,
} from '../../../src/wire/termination';
import { english, t } from '../../../src/text/translator';
import { runEnd } from '../../../src/explorer/page/runEnd';
import type { RunView } from '../../../src/runLog/runView';
import { runIcon } from '../../../src/ui/surfaces/tree/icons';

type Row = readonly [Termination, EndSeverity, isCrash: boolean];

const brokenOff = t('the journal breaks off here');

const rows: readonly Row[] = [
  [{ reason: 'completed', terminatedBy: 'agent', exitCode: 0 }, 'exited', false],
  [{ reason: 'completed', terminatedBy: 'system' }, 'exited', false],
  [{ reason: 'completed', terminatedBy: 'client' }, 'stopped', false],
  [{ reason: 'terminated', terminatedBy: 'client', signal: 'SIGKILL' }, 'stopped', false],
  [{ reason: 'error', terminatedBy: 'client' }, 'failed', false],
  [{ reason: 'error', terminatedBy: 'agent', exitCode: 1 }, 'failed', true],
  [{ reason: 'error', terminatedBy: 'system' }, 'failed', true],
  [{ reason: 'terminated', terminatedBy: 'system', signal: 'SIGKILL' }, 'failed', true],
  // Such as a published run whose extension knows no signal.
  [{ reason: 'terminated', terminatedBy: 'system' }, 'failed', true],
  [{ reason: 'terminated', terminatedBy: 'agent' }, 'failed', true],
  [{ reason: 'terminated', terminatedBy: 'system', message: brokenOff, isUnknown: true }, 'unknown', false],
];

describe('how bad an end is', () => {
  it('is the same in the tree, in the explorer, in the log and for notifications', () => {
    for (const [termination, severity, crashed] of rows) {
      const what = JSON.stringify(termination);
      const run = { state: { type: 'ended', at: 0, termination } } as unknown as RunView;
      assert.equal(severityOfEnd(termination), severity, what);
      assert.equal(isCrash(termination), crashed, what);
      assert.equal(runEnd(termination, [], english).isFailure, severity === 'failed', what);
      assert.equal(runIcon(run, 0).id === 'error', severity === 'failed', what);
      assert.equal(endEntry('Mine', termination) !== undefined, severity === 'failed' || severity === 'unknown', what);
    }
  });

  it('is not claimed to be known if the journal breaks off', () => {
    const termination = rows.at(-1)?.[0] ?? assert.fail();
    assert.equal(endEntry('Mine', termination), '[agent] Mine has no recorded end: the journal breaks off here.');
    const message = 'the journal breaks off here';
    assert.deepEqual(inEnglishTermination(termination), { reason: 'terminated', terminatedBy: 'system', message });
  });
});

describe('an exit code', () => {
  it('is shown as people know it, also those of Windows', () => {
    const codes = [0, 3, 255, 256, 4711, 0xffffffff, 0xc0000005, -1073741819, 0xc000013a, 0xdeadbeef];
    const named = ['0xC0000005 (access violation)', '0xC0000005 (access violation)', '0xC000013A (Ctrl+C)'];
    assert.deepEqual(codes.map(describeExitCode), ['0', '3', '255', '256', '4711', '-1', ...named, '0xDEADBEEF']);
  });
});
