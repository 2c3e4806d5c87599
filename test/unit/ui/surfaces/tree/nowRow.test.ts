import '../../../../support/vscodeStub';
import assert from 'node:assert/strict';
import type { SavedSession } from '../../../../../src/past/saved/savedSession';
import type { SessionState } from '../../../../../src/past/saved/now/sessionState';
import type { SessionNow } from '../../../../../src/past/saved/now/stateChanges';
import { t } from '../../../../../src/text/translator';
import { commandIds } from '../../../../../src/ui/manifest/commands';
import type { Row } from '../../../../../src/ui/surfaces/tree/rows/row';
import type { RowSources } from '../../../../../src/ui/surfaces/tree/rows/rowSources';
import { useTreeRows, rowsWith } from '../../../../support/treeRows';

const file = { path: '/s1.jsonl', size: 1, modifiedAt: 0 };
const session: SavedSession = { agent: 'pi', id: 's1', folder: '/home/dev/shop', ...file };

describe('the rows of sessions that work or wait', () => {
  const { fixture } = useTreeRows();

  function sessionNow(title: string, state: SessionState): SessionNow {
    return { key: title, session: { ...session, title }, agentName: 'pi', state, isUnread: true };
  }

  const rowsOf = (shown: RowSources['sessionsNow']['shown']): readonly Row[] =>
    rowsWith({ sessionsNow: { shown, waiting: [] } })
      .all()[0]!
      .children();

  it('are above all others, and only there if there are any', () => {
    let shown: SessionNow[] = [];
    const waits = { type: 'waiting-for-person', asking: 'permission', since: 0, subject: 'Bash: npm test' } as const;
    const now = {
      get shown() {
        return shown;
      },
      get waiting() {
        return shown.filter(({ state }) => state.type === 'waiting');
      },
    };
    const rows = rowsWith({ sessionsNow: now, now: () => 65_000 });
    assert.ok(!rows.all().some(({ id }) => id === 'now'));
    shown = [
      sessionNow('Sort', { type: 'waiting', doing: waits }),
      sessionNow('Find', { type: 'failed', at: 5000, why: 'No credit' }),
      sessionNow('Draw', { type: 'done', at: 5000 }),
      sessionNow('Move', { type: 'working', doing: { type: 'running-tool', since: 60_000, title: 'bash: ls' } }),
    ];
    const [group] = rows.all();
    assert.equal(group?.text(), 'Now · 1 waiting');
    const texts = group.children().map((row) => row.text());
    assert.deepEqual(texts, [
      'Sort · waiting 1 min 5 s: permission for Bash: npm test · pi · shop',
      'Find · No credit · failed · pi · shop · 1 min ago',
      'Draw · done · pi · shop · 1 min ago',
      'Move · running for 5.0 s: bash: ls · pi · shop',
    ]);
    const row = group.children()[0] ?? assert.fail();
    const item = row.item();
    assert.equal(item.command?.command, commandIds.openSavedSession);
    assert.equal(item.accessibilityInformation?.label.split(', ')[0], 'Sort');
    assert.match(row.tooltip(), /waiting for you for 1 min 5 s: permission for Bash: npm test\npi\nFolder: /);
    shown = shown.slice(0, 1).map((one) => ({ ...one, isUnread: false }));
    assert.equal(rows.all()[0]?.children()[0], row, 'the same row, which VS Code knows');
  });

  it('have the whole cause in their tooltips', () => {
    const why = `No credit: ${'x'.repeat(200)} end`;
    const failed = { type: 'failed', at: 0, why } as const;
    const shown = [sessionNow('Find', failed), sessionNow('Sort', { ...failed, cause: t('rate limited') })];
    const [own, known] = rowsOf(shown);
    assert.ok(own!.tooltip().includes(`${why} · failed`));
    assert.ok(own!.text().length < 150, own!.text());
    assert.ok(known!.tooltip().includes(`\nrate limited · failed\n${why}\n`));
    assert.match(known!.text(), /^Sort · rate limited · failed · pi /);
  });

  it('are those of a run, too, which a click opens, with the actions that its session has', () => {
    const { run } = fixture();
    run.log.session({ type: 'seen', sessionId: 's1', at: 0 });
    const live = { ...sessionNow('Sort', { type: 'done', at: 0 }), session: { id: 's1', modifiedAt: 0, run } };
    const { command, contextValue = '' } = rowsOf([live])[0]?.item() ?? assert.fail();
    assert.equal(command?.command, commandIds.openExplorer);
    const [target, ...others] = (command.arguments ?? []) as { readonly run: unknown }[];
    assert.deepEqual([target?.run === run, others], [true, []]);
    assert.match(contextValue, /^session .*\bcopySessionId\b/);
    assert.doesNotMatch(contextValue, /openSavedSession/);
  });

  it('show no links and no line breaks of a title', () => {
    const evil = 'Sort\n[x](command:workbench.action.quit) \u202e$(flame)';
    const shown = [sessionNow(evil, { type: 'done', at: 0 })];
    const row = rowsOf(shown)[0] ?? assert.fail();
    assert.doesNotMatch(row.text(), /[\n\u202e]/);
    assert.doesNotMatch(row.tooltip(), /\u202e/);
  });
});
