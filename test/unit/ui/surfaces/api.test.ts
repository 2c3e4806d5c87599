import '../../../support/vscodeStub';
import assert from 'node:assert/strict';
import type { RunView } from '../../../../src/runLog/runView';
import type { LevelControl } from '../../../../src/ui/services/level/levelControl';
import type { Usage } from '../../../../src/work/activity';
import { ApiRun } from '../../../../src/ui/surfaces/api';

describe('what other extensions get of a run', () => {
  it('calls the basis of counts unknown if they are of one model request', () => {
    const bases: readonly Usage['basis'][] = ['turn', 'cumulative', 'request', 'unknown'];
    const spans = [{ id: 'turn-0' }, ...bases.map((basis) => ({ id: 'turn', usage: { inputTokens: 5, basis } }))];
    const run = { log: { onDidChange: () => undefined, spans: () => spans } } as unknown as RunView;
    const [bare, ...counted] = new ApiRun(run, {} as unknown as LevelControl).spans();
    assert.deepEqual(bare, { id: 'turn-0' });
    const counts = counted.map(({ usage }) => `${usage?.inputTokens} ${usage?.basis}`);
    assert.deepEqual(counts, ['5 turn', '5 cumulative', '5 unknown', '5 unknown']);
  });
});
