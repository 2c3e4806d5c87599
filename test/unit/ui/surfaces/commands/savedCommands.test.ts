import { shownInformation } from '../../../../support/vscodeStub';
import assert from 'node:assert/strict';
import { FileRuns } from '../../../../../src/past/files/fileRuns';
import { SavedSessions } from '../../../../../src/past/saved/list/savedSessions';
import { commandIds } from '../../../../../src/ui/manifest/commands';
import type { CommandContext } from '../../../../../src/ui/surfaces/commands/commandContext';
import { savedCommands } from '../../../../../src/ui/surfaces/commands/savedCommands';
import { JournalFolder } from '../../../../../src/wire/journal/journalFolder';
import { savedHomeOptions } from '../../../../support/savedHome';

describe('Open Saved Session', () => {
  it('is no error if no agent has saved any', async () => {
    const nowhere = new JournalFolder('/nowhere');
    const sessions = new SavedSessions(savedHomeOptions('/nowhere'));
    const context = {
      local: { load: () => Promise.resolve(sessions), folders: [] },
      fileRuns: new FileRuns(nowhere, nowhere, () => assert.fail('read a file')),
    };
    const open = savedCommands[commandIds.openSavedSession];
    assert.equal(await open(context as unknown as CommandContext, undefined), undefined);
    assert.deepEqual(shownInformation.slice(-1), ['No agent has saved sessions on this machine.']);
  });
});
