import '../../../../support/vscodeStub';
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileRuns } from '../../../../../src/past/files/fileRuns';
import { SavedSessions } from '../../../../../src/past/saved/list/savedSessions';
import type { Row } from '../../../../../src/ui/surfaces/tree/rows/row';
import type { RowSources } from '../../../../../src/ui/surfaces/tree/rows/rowSources';
import { SavedAgentRow } from '../../../../../src/ui/surfaces/tree/rows/savedAgentRow';
import { SavedSessionRow } from '../../../../../src/ui/surfaces/tree/rows/savedSessionRow';
import { JournalFolder } from '../../../../../src/wire/journal/journalFolder';
import { makeSavedHome, savedHomeOptions } from '../../../../support/savedHome';

describe('rows of kept sessions', () => {
  let home: string;
  let fileRuns: FileRuns;
  let sessions: SavedSessions;
  let claude: SavedAgentRow;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'agent-logs-'));
    makeSavedHome(home);
    const nowhere = new JournalFolder('/nowhere');
    fileRuns = new FileRuns(nowhere, nowhere, () => ({ level: 'info', maxMemory: 1e6, redaction: undefined }));
    const options = savedHomeOptions(home);
    sessions = new SavedSessions({ ...options, keptPath: join(home, 'kept') });
    const saved = { isShown: true, folders: [] };
    const sources = { fileRuns, saved, now: options.now, redraw: () => undefined } as unknown as RowSources;
    const parent = { isOnScreen: false, target: undefined } as unknown as Row & { readonly isOnScreen: boolean };
    claude = new SavedAgentRow(parent, 'claude', sessions, sources);
  });
  afterEach(async () => {
    claude.dispose();
    await fileRuns.dispose();
    rmSync(home, { recursive: true, force: true });
  });

  it('begin with how many sessions their agent will delete soon', async () => {
    writeFileSync(join(home, '.claude/settings.json'), '{ "cleanupPeriodDays": 8 }');
    await claude.load();
    const [first, ...others] = claude.children();
    const item = first?.item();
    assert.deepEqual([item?.label, item?.description], ['2 sessions will be deleted within 3 days', 'Keep a Copy…']);
    assert.equal(others.length, 2);
  });

  it('say that a session was kept, once its agent has deleted it', async () => {
    await claude.load();
    const [row] = claude.children();
    assert.ok(row instanceof SavedSessionRow && row.session);
    await sessions.keep(row.session, { by: 'user' });
    await claude.renew();
    const [both, other] = claude.children();
    assert.match(both?.item().contextValue ?? '', /\bkeepCopy\b.*\bdeleteCopy\b/);
    assert.doesNotMatch(other?.item().contextValue ?? '', /\bdeleteCopy\b/);
    assert.match(both?.tooltip() ?? '', /\nA copy was kept: /);
    rmSync(row.session.path);
    await claude.renew();
    assert.equal(claude.children().length, 2);
    const [copy] = claude.children();
    assert.match(String(copy?.item().description), /^authentication_failed.* · failed · kept · .* ago/);
    assert.match(copy?.item().contextValue ?? '', /^run (?!.*\bkeepCopy\b).*\bdeleteCopy\b/);
    assert.match(copy?.tooltip() ?? '', /\nClaude Code has deleted this session\. The copy was made: /);
  });
});
