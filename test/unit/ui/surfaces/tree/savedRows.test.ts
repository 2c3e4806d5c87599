import '../../../../support/vscodeStub';
import assert from 'node:assert/strict';
import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ThemeIcon } from 'vscode';
import { SavedSessions } from '../../../../../src/past/saved/list/savedSessions';
import { GroupRow } from '../../../../../src/ui/surfaces/tree/rows/groupRow';
import { MoreRow } from '../../../../../src/ui/surfaces/tree/rows/moreRow';
import type { RootRows } from '../../../../../src/ui/surfaces/tree/rows/rootRows';
import type { Row } from '../../../../../src/ui/surfaces/tree/rows/row';
import { SavedGroupRow } from '../../../../../src/ui/surfaces/tree/rows/savedGroupRow';
import { SavedAgentRow } from '../../../../../src/ui/surfaces/tree/rows/savedAgentRow';
import { SavedSessionRow } from '../../../../../src/ui/surfaces/tree/rows/savedSessionRow';
import { parseSessionFilter } from '../../../../../src/past/saved/list/sessionFilter';
import { shortLabel } from '../../../../../src/ui/surfaces/tree/format';
import { makeUnusualSessions } from '../../../../support/unusualSessions';
import { makeManySessions } from '../../../../support/manySessions';
import { isWindows } from '../../../../support/platform';
import { savedHomeOptions } from '../../../../support/savedHome';
import { SavedRows } from '../../../../support/treeRows';
import type { RowSources } from '../../../../../src/ui/surfaces/tree/rows/rowSources';

const labels = (rows: readonly Row[]): unknown[] => rows.map((row) => row.item().label);

describe('rows of saved sessions', () => {
  const all = new SavedRows();

  async function groupOf(rows: RootRows): Promise<SavedGroupRow> {
    await rows.prepare();
    const group = rows.all().at(-1);
    assert.ok(group instanceof SavedGroupRow);
    await group.load();
    return group;
  }

  /** The row of Claude Code, and those of all. */
  async function unfolded(rows = all.rows()): Promise<{ readonly rows: RootRows; readonly claude: Row }> {
    return { rows, claude: await all.unfold(rows, 'claude') };
  }

  function sessionRow(row: Row | undefined): SavedSessionRow {
    return row instanceof SavedSessionRow ? row : assert.fail(row?.id);
  }

  it('are below one group, which is only shown in an empty view if there are any', async () => {
    let loads = 0;
    const sessions = new SavedSessions(savedHomeOptions('/nowhere'));
    const rows = all.rows({ load: () => (loads++, Promise.resolve(sessions)) });
    await rows.prepare();
    assert.deepEqual([rows.all(), loads], [[], 1]);
    assert.deepEqual(rows.saved.children(), []);
    assert.equal(rows.saved.item().label, 'On This Machine');
  });

  it('are not read if they may not be shown', async () => {
    const rows = all.rows({ isShown: false, load: () => assert.fail('read sessions') });
    await rows.prepare();
    assert.deepEqual(rows.all(), []);
  });

  it('lead from the agents, that with the newest session first, to their sessions', async () => {
    const rows = all.rows();
    const agents = (await groupOf(rows)).children();
    const times = agents.map((row) => (row as unknown as { newestAt: number }).newestAt);
    const newestFirst = times.toSorted((a, b) => b - a);
    assert.deepEqual(times, newestFirst);
    assert.ok(labels(agents).includes('Claude Code') && labels(agents).includes('Codex'));
    const { claude } = await unfolded(rows);
    assert.equal(claude.children().length, 2);
    assert.match(String(claude.item().description), /^2 sessions · /);
    for (const row of claude.children().map(sessionRow)) {
      assert.equal(row.parent, claude);
      assert.match(row.item().contextValue ?? '', /^run .*\bkeepCopy\b/);
      assert.equal(row.item().command?.command, 'agentLogs.openSavedSession');
      assert.equal(row.run.state.type, 'unread');
    }
    assert.deepEqual(all.fileRuns.open, []);
  });

  it('show the folder, the model and how the session ended', async () => {
    const [newest] = (await unfolded()).claude.children();
    const item = newest!.item();
    assert.match(String(item.description), /^not logged in · failed · .* ago/);
    assert.equal((item.iconPath as ThemeIcon).id, 'error');
    assert.match(item.accessibilityInformation?.label ?? '', /^Saved session /);
    assert.match(newest!.tooltip(), /\nauthentication_failed.*\n(?:.*\n)*.*\.jsonl · /);
  });

  it('say first what is unusual about a session, and shorten its title for that', async () => {
    rmSync(join(all.home, '.claude'), { recursive: true });
    makeUnusualSessions(all.home);
    const rows = (await unfolded()).claude.children();
    const items = rows.map((row) => row.item());
    const shown = items.map(({ label, description }) => [label, String(description).split(' · ')[0]]);
    assert.deepEqual(shown, [
      ['Add a discount', 'shop'],
      [shortLabel('Run the slow tests'), 'open'],
      [shortLabel('Sell records instead of books'), 'fork'],
      ['Plan the bookshop', 'shop'],
    ]);
    assert.match(rows[2]!.tooltip(), /^Forked from session …00000000$/m);
  });

  it('show those of the workspace first, and the others on request', async () => {
    const { sessions } = await all.sessions().list('claude');
    const { claude } = await unfolded(all.rows({ folders: [sessions.at(-1)!.folder!] }));
    const here = claude.children();
    const more = here.at(-1);
    assert.equal(more?.id, 'savedMore:claude:folders');
    assert.ok(more instanceof MoreRow && here.length < sessions.length + 1);
    await more.showMore();
    assert.equal(claude.children()[0], here[0]);
    assert.equal(claude.children().length, sessions.length);
    assert.ok(all.redrawn.includes(claude));
    const elsewhere = await unfolded(all.rows({ folders: ['/elsewhere'] }));
    assert.equal(elsewhere.claude.children().length, 2, 'all at once if the workspace has none');
  });

  it('are those of a filter, while there is one', async () => {
    const { rows, claude } = await unfolded(all.rows({ filter: parseSessionFilter('outcome:failed') }));
    assert.equal(claude.children().length, 1);
    assert.match(String(claude.item().description), /^1 of 2 sessions · /);
    const group = rows.saved;
    assert.equal(group.item().description, 'only outcome:failed');
    assert.match(group.item().contextValue ?? '', /\bshowAllSessions\b/);

    all.saved.filter = parseSessionFilter('agent:codex nothing');
    group.filterChanged();
    assert.ok(all.redrawn.includes(group));
    assert.deepEqual(labels(group.children()), ['Codex']);
    const codex = await all.unfold(rows, 'codex');
    assert.deepEqual(labels(codex.children()), ['No session matches']);
    assert.match(String(codex.item().description), /^0 of 2 sessions · /);

    all.saved.filter = parseSessionFilter('agent:nobody');
    assert.deepEqual(labels(group.children()), ['No agent matches']);
    all.saved.filter = undefined;
    group.filterChanged();
    assert.equal(group.item().description, undefined);
    assert.match(String(claude.item().description), /^2 sessions · /);
  });

  it('are looked through in parts if there are many', async () => {
    makeManySessions(all.home, { count: 6000, now: 1_796_000_000_000 });
    const { claude } = await unfolded(all.rows({ filter: parseSessionFilter('needle model:haiku') }));
    const [none, older] = claude.children();
    assert.match(none?.text() ?? '', /^No match in the newest 2,5\d\d sessions$/);
    assert.match(String(older?.item().description), /^2,5\d\d of 3,002 looked through$/);
    assert.ok(older instanceof MoreRow);
    await older.showMore();
    assert.deepEqual(labels(claude.children()), ['No session matches']);
  });

  it('read a session when its row is expanded, and make another run of it after it was closed', async () => {
    const { rows, claude } = await unfolded();
    const row = sessionRow(claude.children()[0]);
    await row.load();
    await row.file.read();
    assert.deepEqual(all.fileRuns.open, [row.file]);
    assert.ok(row.children().length > 0);
    assert.equal(claude.children()[0], row);
    assert.equal(rows.run(row.file), row);
    all.fileRuns.close(row.file);
    rows.forget(row.file);
    const again = sessionRow(claude.children()[0]);
    assert.notEqual(again, row);
    assert.deepEqual([again.session, again.file.state.type], [row.session, 'unread']);
  });

  it('are listed again when another run of a listed session is opened, such as by a search', async () => {
    const { rows, claude } = await unfolded();
    const row = sessionRow(claude.children()[0]);
    all.redrawn = [];
    const opened = await all.fileRuns.show(all.fileRuns.saved(row.file.info));
    assert.notEqual(opened, row.file);
    const now = rows.run(opened);
    assert.deepEqual(all.redrawn, [claude]);
    assert.equal(claude.children()[0], now);
    await opened.read();
    assert.ok(now.children().length > 0);
    assert.deepEqual(all.redrawn, [claude]);
  });

  it('have their records and subagents directly below them', async () => {
    const sessions = (await unfolded()).claude.children().map(sessionRow);
    const row = sessions.find(({ file }) => /7a11\.jsonl$/.test(file.info.paths[0]!)) ?? assert.fail();
    await row.load();
    await row.file.read();
    const [subagent, ...others] = row.children();
    assert.equal(row.file.log.sessions.length, 2);
    assert.ok(subagent instanceof GroupRow);
    assert.ok(others.length > 10 && others.every(({ target }) => target.record !== undefined));
    for (const child of row.children()) assert.equal(child.parent, row);
    assert.match(String(row.item().description), / \d+ records\b/);
  });

  /** As when a folder has changed. */
  const renew = (row: Row): Promise<void> => (row instanceof SavedAgentRow ? row.renew() : assert.fail(row.id));

  it('follow a session that grows', async () => {
    const { claude } = await unfolded();
    const before = sessionRow(claude.children()[0]);
    appendFileSync(before.session!.path, '{"type":"progress"}\n');
    await renew(claude);
    assert.ok(all.redrawn.includes(claude));
    const after = sessionRow(claude.children().find((row) => row.id === before.id));
    assert.equal(after.session!.size, before.session!.size + 20);
  });

  it('say that they could not be read again, until they can', async () => {
    const { claude } = await unfolded();
    const renewed = async (): Promise<unknown> => {
      all.redrawn = [];
      await renew(claude);
      return [labels(claude.children()).slice(2), all.redrawn];
    };
    const sessions = await all.saved.load();
    assert.deepEqual(await renewed(), [[], []]);
    const readable = sessions.lister.bind(sessions);
    sessions.lister = () => () => Promise.reject(new Error('no rights'));
    assert.deepEqual(await renewed(), [["These sessions can't be read: no rights"], [claude]]);
    assert.deepEqual(await renewed(), [["These sessions can't be read: no rights"], []]);
    sessions.lister = readable;
    assert.deepEqual(await renewed(), [[], [claude]]);
  });

  it('say that the agents could not be found again, until they can', async () => {
    const group = await groupOf(all.rows());
    const before = labels(group.children());
    const sessions = await all.saved.load();
    const agents = sessions.agents.bind(sessions);
    sessions.agents = () => Promise.reject(new Error('no rights'));
    all.redrawn = [];
    group.unfolded(false);
    group.unfolded(true);
    for (let turns = 0; all.redrawn.length === 0 && turns < 100; turns++) await new Promise(setImmediate);
    assert.deepEqual([labels(group.children()), all.redrawn], [['no rights', ...before], [group]]);
    sessions.agents = agents;
    await group.load();
    assert.deepEqual(labels(group.children()), before);
  });

  it('say why there are none', async () => {
    const { saved } = all.rows({ load: () => Promise.reject(new Error('no rights')) });
    await saved.load();
    assert.deepEqual(labels(saved.children()), ['no rights']);
  });
});

describe('rows of kept sessions', () => {
  const all = new SavedRows();
  let sessions: SavedSessions;
  let claude: SavedAgentRow;
  beforeEach(() => {
    sessions = all.sessions({ keptPath: join(all.home, 'kept') });
    const { now } = savedHomeOptions(all.home);
    const saved = { isShown: true, folders: [] };
    const { fileRuns } = all;
    const sources = { fileRuns, saved, now, prices: () => ({}), redraw: () => undefined } as unknown as RowSources;
    const parent = { isOnScreen: false, target: undefined } as unknown as Row & { readonly isOnScreen: boolean };
    claude = new SavedAgentRow(parent, 'claude', sessions, sources);
  });
  afterEach(() => claude.dispose());

  it('begin with how many sessions their agent will delete soon', async () => {
    writeFileSync(join(all.home, '.claude/settings.json'), '{ "cleanupPeriodDays": 8 }');
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
    // Windows keeps a deleted file until it is closed.
    const original = isWindows ? row.file : await all.fileRuns.show(row.file);
    rmSync(row.session.path);
    await claude.renew();
    assert.equal(claude.children().length, 2, 'once, though the original is open');
    const [copy] = claude.children();
    assert.ok(copy instanceof SavedSessionRow && copy.file.id === original.id);
    assert.match(String(copy.item().description), /^not logged in · failed · kept · .* ago/);
    assert.match(copy.item().contextValue ?? '', /^run (?!.*\bkeepCopy\b).*\bdeleteCopy\b/);
    assert.match(copy.tooltip(), /\nClaude Code has deleted this session\. The copy was made: /);
  });
});
