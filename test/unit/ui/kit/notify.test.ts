import { statusBar } from '../../../support/vscodeStub';
import assert from 'node:assert/strict';
import { askAbout } from '../../../../src/ui/kit/notify';

describe('a question about something long', () => {
  it('is in the status bar until it is answered', async () => {
    assert.equal(await askAbout("Start it through the tap? Don't commit it.", 'Watch'), 'Watch');
    assert.equal(statusBar.atQuestions.at(-1), '$(bell-dot) Start it through the tap?');
    assert.equal(statusBar.shown.size, 0);
  });
});
