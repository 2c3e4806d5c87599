import '../../../../support/vscodeStub';
import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ThemeIcon } from 'vscode';
import { agentDefinitions } from '../../../../../src/live/config/agentDefinition';
import { FileRuns } from '../../../../../src/past/files/fileRuns';
import { Runs } from '../../../../../src/runs/runs';
import { SavedSessions } from '../../../../../src/past/saved/list/savedSessions';
import type { SavedSource } from '../../../../../src/ui/services/localSessions';
import { GroupRow } from '../../../../../src/ui/surfaces/tree/rows/groupRow';
import { MoreRow } from '../../../../../src/ui/surfaces/tree/rows/moreRow';
import { RootRows } from '../../../../../src/ui/surfaces/tree/rows/rootRows';
import type { Row } from '../../../../../src/ui/surfaces/tree/rows/row';
import { SavedGroupRow } from '../../../../../src/ui/surfaces/tree/rows/savedGroupRow';
import { SavedSessionRow } from '../../../../../src/ui/surfaces/tree/rows/savedSessionRow';
import { JournalFolder } from '../../../../../src/wire/journal/journalFolder';
import { parseSessionFilter } from '../../../../../src/past/saved/list/sessionFilter';
import { shortLabel } from '../../../../../src/ui/surfaces/tree/format';
import { makeUnusualSessions } from '../../../../support/unusualSessions';
import { makeManySessions } from '../../../../support/manySessions';
import { makeSavedHome, savedHomeOptions } from '../../../../support/savedHome';

describe('rows of saved sessions', () => {
  let home: string;
  let fileRuns: FileRuns;
  let redrawn: Row[];
  let shown: RootRows | undefined;
  let saved: { -readonly [K in keyof SavedSource]: SavedSource[K] };

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'agent-logs-'));
    makeSavedHome(home);
    redrawn = [];
    const nowhere = new JournalFolder('/nowhere');
    fileRuns = new FileRuns(nowhere, nowhere, () => ({ level: 'info', maxMemory: 1e6, redaction: undefined }));
  });

  afterEach(async () => {
    shown?.saved.reset(); // It watches the folders.
    await fileRuns.dispose();
    rmSync(home, { recursive: true, force: true });
  });

  function rowsWith(given: Partial<SavedSource> = {}): RootRows {
    const sessions = new SavedSessions(savedHomeOptions(home));
    const definitions = agentDefinitions({});
    saved = { isShown: true, folders: [], load: () => Promise.resolve(sessions), ...given };
    shown = new RootRows({
      runs: new Runs(),
      fileRuns,
      agents: () => definitions,
      isTrusted: () => true,
      showsActivity: () => true,
      prices: () => ({}),
      saved,
      sessionsNow: { shown: [], waiting: [] },
      mcpServers: { watched: [], refresh: () => Promise.resolve() },
      installed: () => Promise.resolve([]),
      now: () => 1_796_000_000_000,
      redraw: (row) => redrawn.push(row),
    });
    return shown;
  }

  async function groupOf(rows: RootRows): Promise<SavedGroupRow> {
    await rows.prepare();
    const group = rows.all().at(-1);
    assert.ok(group instanceof SavedGroupRow);
    await group.load();
    return group;
  }

  async function unfold(rows: RootRows, id: string): Promise<Row> {
    const agent = (await groupOf(rows)).children().find((row) => row.id === id);
    assert.ok(agent);
    await agent.load();
    return agent;
  }

  const labels = (rows: readonly Row[]): unknown[] => rows.map((row) => row.item().label);

  it('are below one group, which is only shown in an empty view if there are any', async () => {
    let loads = 0;
    const rows = rowsWith({
      load: () => {
        loads++;
        return Promise.resolve(new SavedSessions({ ...savedHomeOptions('/nowhere') }));
      },
    });
    await rows.prepare();
    assert.deepEqual([rows.all(), loads], [[], 1]);
    assert.deepEqual(rows.saved.children(), []);
    assert.equal(rows.saved.item().label, 'On This Machine');
  });

  it('are not read if they may not be shown', async () => {
    const rows = rowsWith({ isShown: false, load: () => assert.fail('read sessions') });
    await rows.prepare();
    assert.deepEqual(rows.all(), []);
  });

  it('lead from the agents, that with the newest session first, to their sessions', async () => {
    const rows = rowsWith();
    const agents = (await groupOf(rows)).children();
    const times = agents.map((row) => (row as unknown as { newestAt: number }).newestAt);
    assert.deepEqual(
      times,
      [...times].sort((a, b) => b - a),
    );
    assert.ok(labels(agents).includes('Claude Code') && labels(agents).includes('Codex'));
    const claude = await unfold(rows, 'saved:claude');
    assert.equal(claude.children().length, 2);
    assert.match(String(claude.item().description), /^2 sessions · /);
    for (const row of claude.children()) {
      assert.ok(row instanceof SavedSessionRow);
      assert.equal(row.parent, claude);
      assert.match(row.item().contextValue ?? '', /^run .*\bkeepCopy\b/);
      assert.equal(row.item().command?.command, 'agentLogs.openSavedSession');
      assert.equal(row.run.state.type, 'unread');
    }
    assert.deepEqual(fileRuns.open, []);
  });

  it('show the folder, the model and how the session ended', async () => {
    const rows = rowsWith();
    const [newest] = (await unfold(rows, 'saved:claude')).children();
    const item = newest!.item();
    assert.match(String(item.description), /^authentication_failed.* · failed · .* ago/);
    assert.equal((item.iconPath as ThemeIcon).id, 'error');
    assert.match(item.accessibilityInformation?.label ?? '', /^Saved session /);
    assert.match(newest!.tooltip(), /\.jsonl · /);
  });

  it('say first what is unusual about a session, and shorten its title for that', async () => {
    rmSync(join(home, '.claude'), { recursive: true });
    makeUnusualSessions(home);
    const rows = (await unfold(rowsWith(), 'saved:claude')).children().map((row) => row.item());
    assert.deepEqual(
      rows.map(({ label, description }) => [label, String(description).split(' · ')[0]]),
      [
        ['Add a discount', 'shop'],
        [shortLabel('Run the slow tests'), 'open'],
        [shortLabel('Sell records instead of books'), 'fork'],
        ['Plan the bookshop', 'shop'],
      ],
    );
  });

  it('show those of the workspace first, and the others on request', async () => {
    const all = await new SavedSessions(savedHomeOptions(home)).list('claude');
    const { folder } = all.sessions.at(-1)!;
    const rows = rowsWith({ folders: [folder!] });
    const claude = await unfold(rows, 'saved:claude');
    const here = claude.children();
    const more = here.at(-1);
    assert.equal(more?.id, 'savedMore:claude:folders');
    assert.ok(more instanceof MoreRow && here.length < all.sessions.length + 1);
    await more.showMore();
    assert.equal(claude.children()[0], here[0]);
    assert.equal(claude.children().length, all.sessions.length);
    assert.ok(redrawn.includes(claude));
  });

  it('are those of a filter, while there is one', async () => {
    const rows = rowsWith({ filter: parseSessionFilter('outcome:failed') });
    const claude = await unfold(rows, 'saved:claude');
    assert.equal(claude.children().length, 1);
    assert.match(String(claude.item().description), /^1 of 2 sessions · /);
    const group = rows.saved;
    assert.equal(group.item().description, 'only outcome:failed');
    assert.match(group.item().contextValue ?? '', /\bshowAllSessions\b/);

    saved.filter = parseSessionFilter('agent:codex nothing');
    group.filterChanged();
    assert.ok(redrawn.includes(group));
    assert.deepEqual(labels(group.children()), ['Codex']);
    const codex = await unfold(rows, 'saved:codex');
    assert.deepEqual(labels(codex.children()), ['No session matches']);
    assert.match(String(codex.item().description), /^0 of 2 sessions · /);

    saved.filter = parseSessionFilter('agent:nobody');
    assert.deepEqual(labels(group.children()), ['No agent matches']);
    saved.filter = undefined;
    group.filterChanged();
    assert.equal(group.item().description, undefined);
    assert.match(String(claude.item().description), /^2 sessions · /);
  });

  it('are looked through in parts if there are many', async () => {
    makeManySessions(home, { count: 6000, now: 1_796_000_000_000 });
    const rows = rowsWith({ filter: parseSessionFilter('needle model:haiku') });
    const claude = await unfold(rows, 'saved:claude');
    const [none, older] = claude.children();
    assert.match(none?.text() ?? '', /^No match in the newest 2,5\d\d sessions$/);
    assert.match(String(older?.item().description), /^2,5\d\d of 3,002 looked through$/);
    assert.ok(older instanceof MoreRow);
    await older.showMore();
    assert.deepEqual(labels(claude.children()), ['No session matches']);
  });

  it('say what the sessions of an agent used lately when the pointer is on it', async () => {
    const rows = rowsWith();
    const claude = (await groupOf(rows)).children().find(({ id }) => id === 'saved:claude');
    await claude!.prepareTooltip();
    const folder = join(home, '.claude');
    assert.equal(claude!.tooltip(), folder, 'nothing in the last week');
    makeManySessions(home, { count: 40, now: 1_796_000_000_000 });
    await claude!.prepareTooltip();
    assert.match(claude!.tooltip(), /^Today: 10.6k tokens\nLast 7 days: 10.6k tokens\nCost: its sessions don't say\. /);
  });

  it('show all at once if the workspace has none', async () => {
    const claude = await unfold(rowsWith({ folders: ['/elsewhere'] }), 'saved:claude');
    assert.equal(claude.children().length, 2);
  });

  it('read a session when its row is expanded, and make another run of it after it was closed', async () => {
    const rows = rowsWith();
    const claude = await unfold(rows, 'saved:claude');
    const [row] = claude.children();
    assert.ok(row instanceof SavedSessionRow);
    await row.load();
    await row.file.read();
    assert.deepEqual(fileRuns.open, [row.file]);
    assert.ok(row.children().length > 0);
    assert.equal(claude.children()[0], row);
    assert.equal(rows.run(row.file), row);
    fileRuns.close(row.file);
    rows.forget(row.file);
    const again = claude.children()[0];
    assert.ok(again instanceof SavedSessionRow && again !== row);
    assert.deepEqual([again.session, again.file.state.type], [row.session, 'unread']);
  });

  it('are listed again when another run of a listed session is opened, such as by a search', async () => {
    const rows = rowsWith();
    const claude = await unfold(rows, 'saved:claude');
    const [row] = claude.children();
    assert.ok(row instanceof SavedSessionRow);
    redrawn = [];
    const opened = await fileRuns.show(fileRuns.saved(row.file.info));
    assert.notEqual(opened, row.file);
    const now = rows.run(opened);
    assert.deepEqual(redrawn, [claude]);
    assert.equal(claude.children()[0], now);
    await opened.read();
    assert.ok(now.children().length > 0);
    assert.deepEqual(redrawn, [claude]);
  });

  it('have their records and subagents directly below them', async () => {
    const claude = await unfold(rowsWith(), 'saved:claude');
    const row = claude
      .children()
      .find((one) => one instanceof SavedSessionRow && /7a11\.jsonl$/.test(one.file.info.paths[0]!));
    assert.ok(row instanceof SavedSessionRow);
    await row.load();
    await row.file.read();
    const [subagent, ...others] = row.children();
    assert.equal(row.file.log.sessions.length, 2);
    assert.ok(subagent instanceof GroupRow);
    assert.ok(others.length > 10 && others.every(({ target }) => target.record !== undefined));
    for (const child of row.children()) assert.equal(child.parent, row);
    assert.match(String(row.item().description), / \d+ records\b/);
  });

  it('follow a session that grows', async () => {
    const rows = rowsWith();
    const claude = await unfold(rows, 'saved:claude');
    const [before] = claude.children();
    assert.ok(before instanceof SavedSessionRow);
    appendFileSync(before.session!.path, '{"type":"progress"}\n');
    await (claude as unknown as { renew(): Promise<void> }).renew();
    assert.ok(redrawn.includes(claude));
    const after = claude.children().find((row) => row.id === before.id);
    assert.ok(after instanceof SavedSessionRow);
    assert.equal(after.session!.size, before.session!.size + 20);
  });

  it('say that they could not be read again, until they can', async () => {
    const rows = rowsWith();
    const claude = await unfold(rows, 'saved:claude');
    const renew = async (): Promise<unknown> => {
      redrawn = [];
      await (claude as unknown as { renew(): Promise<void> }).renew();
      return [labels(claude.children()).slice(2), redrawn];
    };
    const sessions = await saved.load();
    assert.deepEqual(await renew(), [[], []]);
    const readable = sessions.lister.bind(sessions);
    sessions.lister = () => () => Promise.reject(new Error('no rights'));
    assert.deepEqual(await renew(), [["These sessions can't be read: no rights"], [claude]]);
    assert.deepEqual(await renew(), [["These sessions can't be read: no rights"], []]);
    sessions.lister = readable;
    assert.deepEqual(await renew(), [[], [claude]]);
  });

  it('say that the agents could not be found again, until they can', async () => {
    const rows = rowsWith();
    const group = await groupOf(rows);
    const all = labels(group.children());
    const sessions = await saved.load();
    const agents = sessions.agents.bind(sessions);
    sessions.agents = () => Promise.reject(new Error('no rights'));
    const fold = async (): Promise<unknown> => {
      redrawn = [];
      group.unfolded(false);
      group.unfolded(true);
      for (let turns = 0; redrawn.length === 0 && turns < 100; turns++) await new Promise(setImmediate);
      return [labels(group.children()), redrawn];
    };
    assert.deepEqual(await fold(), [['no rights', ...all], [group]]);
    sessions.agents = agents;
    await group.load();
    assert.deepEqual(labels(group.children()), all);
  });

  it('say why there are none', async () => {
    const rows = rowsWith({ load: () => Promise.reject(new Error('no rights')) });
    const { saved } = rows;
    await saved.load();
    assert.deepEqual(labels(saved.children()), ['no rights']);
  });
});
