import '../../../support/vscodeStub';
import assert from 'node:assert/strict';
import { AnswerRuns } from '../../../../src/answers/answerRuns';
import { Answers } from '../../../../src/answers/answers';
import { attentionVariables } from '../../../../src/alerts/attentionCommand';
import type { SavedSession } from '../../../../src/past/saved/savedSession';
import type { SavedSessions } from '../../../../src/past/saved/list/savedSessions';
import type { SessionNow } from '../../../../src/past/saved/now/stateChanges';
import { redactorFor } from '../../../../src/redact/redactorFor';
import { Runs, RunViews } from '../../../../src/runs/runs';
import { savedSearchedSessions } from '../../../../src/search/searchedSession';
import type { Row } from '../../../../src/ui/surfaces/tree/rows/row';
import { recentSaved } from '../../../../src/ui/surfaces/search/recentSessions';
import { describeNow, nameOfNow } from '../../../../src/ui/services/now/describeNow';
import { redactionWith } from '../../../support/redaction';
import { makeSavedHome } from '../../../support/savedHome';
import { SavedRows } from '../../../support/treeRows';

/** The folder that nearly all sessions of the fixtures worked in, and that their files are named after. */
const secret = /project\b/;

describe('the folders of saved sessions', () => {
  const redaction = redactionWith(new RegExp(secret, 'g'));
  const all = new SavedRows(makeSavedHome, redaction);
  const savedWith = (redactor = redactorFor(redaction)): SavedSessions => all.sessions({ redactor });

  /** Fails unless there is something to show, and all of it is redacted. */
  function assertRedacted(texts: readonly (string | undefined)[]): void {
    assert.match(texts.join('\n'), /\[redacted\]/);
    for (const text of texts) assert.doesNotMatch(text ?? '', secret);
  }

  const asNow = (session: SavedSession): SessionNow => {
    const state = { type: 'done', at: 0 } as const;
    return { key: session.path, session, agentName: session.agent, state, isUnread: true };
  };

  it('are redacted in the tree: rows, tooltips and accessible names, below the agents and in Now', async () => {
    const sessions = savedWith();
    const now = (await sessions.newest({})).map(asNow);
    const load = (): Promise<SavedSessions> => Promise.resolve(sessions);
    const rows = all.rows({ load }, { sessionsNow: { shown: now, waiting: now } });
    await rows.prepare();
    const texts: (string | undefined)[] = [];
    const walk = async (row: Row, depth: number): Promise<void> => {
      if (depth < 2) await row.load();
      await row.prepareTooltip();
      texts.push(row.text(), row.item().accessibilityInformation?.label, row.tooltip());
      if (depth < 2) for (const child of row.children()) await walk(child, depth + 1);
    };
    for (const row of rows.all()) await walk(row, 0);
    assertRedacted(texts);
    // Each saved session is a row in the group, and in Now.
    assert.ok(texts.filter((text) => text?.startsWith('Saved session ')).length >= 14);
    assertRedacted(now.flatMap((one) => [nameOfNow(one), describeNow(one, 0), JSON.stringify(one.session.folder)]));
  });

  it('are redacted in pickers and above hits', async () => {
    const sessions = savedWith();
    const recent = await recentSaved(sessions, ['/home/dev/project'], all.fileRuns);
    assertRedacted(recent.map((one) => ('heading' in one ? one.heading : `${one.label} ${one.description}`)));
    const searched = await savedSearchedSessions(sessions, all.fileRuns, new AbortController().signal);
    assertRedacted((await Promise.all(searched.map((one) => one.label()))).map((label) => JSON.stringify(label)));
  });

  it('are redacted for agents that ask, and for programs that are run', async () => {
    const sessions = savedWith();
    const views = new RunViews(new Runs(), all.fileRuns);
    const source = { isShown: true, load: () => Promise.resolve(sessions) };
    const runs = new AnswerRuns(views, all.fileRuns, source, { isHere: () => true, isFirst: () => false });
    const answers = new Answers(runs, { redaction: () => redaction, checkMcpServers: () => assert.fail('checked') });
    const token = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose: () => undefined }) };
    assertRedacted([JSON.stringify(await answers.answer('list_runs', {}, () => false, token))]);
    const [first] = await sessions.newest({});
    assert.ok(first);
    const change = { ...asNow(first), before: undefined, isFirst: false };
    assertRedacted(Object.values(attentionVariables(change, (text) => text)));
  });

  it('still tell which sessions belong to a folder', async () => {
    const [plain, redacted] = [all.sessions(), savedWith()];
    for (const folder of ['/home/dev/project', '/home/me/project', '/home/dev', '/home']) {
      const found = await Promise.all([plain, redacted].map((saved) => saved.newest({ folders: [folder] })));
      const [expected = [], actual = []] = found.map((list) => list.map(({ id }) => id));
      assert.ok(expected.length > 0);
      assert.deepEqual(actual, expected, folder);
    }
  });
});
