import '../../../../support/vscodeStub';
import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ThemeIcon } from 'vscode';
import { agentDefinitions } from '../../../../../src/live/config/agentDefinition';
import type { FileRun } from '../../../../../src/past/files/fileRun';
import { FileRuns } from '../../../../../src/past/files/fileRuns';
import type { Run } from '../../../../../src/live/run';
import { Runs } from '../../../../../src/runs/runs';
import { AgentRow } from '../../../../../src/ui/surfaces/tree/rows/agentRow';
import { GroupRow, pageSize } from '../../../../../src/ui/surfaces/tree/rows/groupRow';
import { InvalidAgentRow } from '../../../../../src/ui/surfaces/tree/rows/invalidAgentRow';
import { MoreRow } from '../../../../../src/ui/surfaces/tree/rows/moreRow';
import { RecordRow } from '../../../../../src/ui/surfaces/tree/rows/recordRow';
import { RequestRow } from '../../../../../src/ui/surfaces/tree/rows/requestRow';
import type { RootRows } from '../../../../../src/ui/surfaces/tree/rows/rootRows';
import type { Row } from '../../../../../src/ui/surfaces/tree/rows/row';
import type { RowSources } from '../../../../../src/ui/surfaces/tree/rows/rowSources';
import { RunRow } from '../../../../../src/ui/surfaces/tree/rows/runRow';
import { JournalFolder } from '../../../../../src/wire/journal/journalFolder';
import { journalLine } from '../../../../../src/wire/journal/journalLine';
import { DiagnosedWire } from '../../../../support/diagnosedWire';
import { useTreeRows, rowsWith } from '../../../../support/treeRows';

describe('rows of the tree', () => {
  const { testRuns, fixture } = useTreeRows();

  function log(run: Run, count: number, sessionId?: string): void {
    for (let i = 0; i < count; i++) {
      const own = { receivedAt: i, level: i % 2 === 0 ? 'info' : 'debug', kind: 'log', message: String(i) } as const;
      run.log.record({ ...own, ...(sessionId !== undefined && { sessionId }) });
    }
  }

  /** A run of a silent agent, and the rows that show it. */
  function shown(): ReturnType<typeof fixture> {
    const of = fixture();
    of.runs.add(of.run);
    return of;
  }

  const idsOf = (rows: readonly Row[]): string[] => rows.map(({ id }) => id);

  it('has none before the first run if the settings have no agents', () => {
    assert.deepEqual(fixture().rows.all(), []);
  });

  it('has the agents of the settings first, in their order, also before the first run', () => {
    const { runs, rows, run } = fixture('other', 'another');
    const [other, ...others] = rows.all();
    assert.deepEqual(idsOf(others), ['agent:another', 'starter:']);
    assert.deepEqual([other?.item().label, other?.item().description], ['other', 'not started']);
    runs.add(run);
    assert.deepEqual(idsOf(rows.all()), ['agent:other', 'agent:another', 'agent:silent']);
  });

  it('says first why no agent starts in an untrusted workspace, unless the welcome says it', () => {
    const runs = new Runs();
    const mcpServers = { watched: [] as { readonly name: string }[], refresh: () => Promise.resolve() };
    const given = mcpServers as unknown as RowSources['mcpServers'];
    const rows = rowsWith({ runs, isTrusted: () => false, mcpServers: given });
    assert.deepEqual(rows.all(), []);
    mcpServers.watched.push({ name: 'Watched' });
    const [untrusted] = rows.all();
    assert.equal(untrusted?.id, 'untrusted');
    mcpServers.watched.length = 0;
    runs.add(testRuns.create('silent'));
    assert.deepEqual(idsOf(rows.all()), ['untrusted', 'agent:silent']);
    assert.equal(rows.all()[0], untrusted, 'the same object, so that VS Code keeps its row');
    const { label, description, command } = untrusted.item();
    assert.deepEqual([label, description], ["Agents can't start", 'not trusted']);
    assert.equal(command?.command, 'workbench.trust.manage');
  });

  it('offers the sample agent and installed agents until something has run', async () => {
    const runs = new Runs();
    const agents = agentDefinitions({ Codex: { command: 'codex-acp' } });
    const installed = (): Promise<string[]> => Promise.resolve(['Codex', 'Gemini CLI']);
    const rows = rowsWith({ runs, agents: () => agents, installed });
    await rows.prepare();
    const shown = rows.all();
    assert.deepEqual(idsOf(shown), ['agent:Codex', 'starter:', 'starter:Gemini CLI']);
    const commands = shown.slice(1).map((row) => row.item().command?.command);
    assert.deepEqual(commands, ['agentLogs.startSampleAgent', 'agentLogs.addAgent']);
    assert.deepEqual(shown[2]!.item().command?.arguments, [{ agent: 'Gemini CLI' }]);
    runs.add(testRuns.create('silent'));
    assert.deepEqual(idsOf(rows.all()), ['agent:Codex', 'agent:silent']);
  });

  it('shows each problem of the settings once, also before the first run', () => {
    const { agents, problems, hints } = agentDefinitions({ Good: { command: 'x' }, Bad: { command: 7 } });
    const definitions = { agents, problems: [...problems, ...problems], hints };
    const rows = rowsWith({ agents: () => definitions });
    const [good, bad, ...others] = rows.all();
    assert.ok(good instanceof AgentRow && bad instanceof InvalidAgentRow);
    assert.deepEqual([good.agentName, bad.problem.agent, others], ['Good', 'Bad', []]);
    assert.deepEqual(bad.children(), []);
    assert.equal(rows.all()[1], bad);
  });

  it('keeps the order of agents when one is started', () => {
    const { runs, rows, run } = fixture('one', 'silent');
    runs.add(testRuns.create('crashesAtOnce'));
    const before = rows.all();
    runs.add(run);
    assert.deepEqual(rows.all(), before);
  });

  it('leads from an agent to its run, its connection and sessions, and their records, and back', () => {
    const { runs, rows, run } = shown();
    log(run, 3, 's1');
    const path: Row[] = [];
    runs.add(testRuns.create('silent'));
    for (let row = rows.all()[0]; row; row = row.children()[row instanceof AgentRow ? 1 : 0]) path.push(row);
    const kinds = path.map((row) => row.constructor);
    assert.deepEqual(kinds, [AgentRow, RunRow, GroupRow, RecordRow]);
    const parents = path.map(({ parent }) => parent);
    assert.deepEqual(parents, [undefined, ...path.slice(0, -1)]);
    assert.deepEqual(idsOf(path[1]!.children()), [`session:${run.id}:s1`, `connection:${run.id}`]);
  });

  it('has one object per agent, run and session, until the run is forgotten', () => {
    const { rows, run } = shown();
    assert.equal(rows.all()[0], rows.all()[0]);
    assert.equal(rows.group(run, 's'), rows.group(run, 's'));
    const before = rows.group(run, undefined);
    rows.forget(run);
    assert.notEqual(rows.group(run, undefined), before);
  });

  it('shows the newest records that reach the level, and twice as many each time', async () => {
    const { rows, run } = shown();
    log(run, pageSize * 12);
    const group = rows.group(run, undefined);
    const children = group.children();
    const older = children.at(-1);
    assert.equal(children.length, pageSize + 1);
    assert.equal(children[0]?.target.record?.message, String(pageSize * 12 - 2));
    assert.ok(older instanceof MoreRow);
    assert.equal(older.item().label, `${pageSize * 5} older…`);
    for (const pages of [2, 4]) {
      await older.showMore();
      assert.equal(group.children().length, pageSize * pages + 1);
    }
    await older.showMore();
    assert.equal(group.children().length, pageSize * 6);
  });

  it('shows open requests above the records', () => {
    const { rows, run } = shown();
    log(run, 1);
    run.log.work.requests.add({ id: 1, method: 'initialize', direction: 'out', startedAt: 0 });
    const [request, record, ...others] = rows.group(run, undefined).children();
    assert.ok(request instanceof RequestRow && record instanceof RecordRow && others.length === 0);
  });

  describe('of past runs', () => {
    let path: string;
    let folder: JournalFolder;
    let past: FileRuns;
    let rows: RootRows;

    beforeEach(() => {
      path = mkdtempSync(join(tmpdir(), 'agent-logs-'));
      folder = new JournalFolder(path);
      const options = { level: 'info', maxMemory: 1e6, redaction: undefined } as const;
      past = new FileRuns(folder, new JournalFolder('/nowhere'), () => options);
      rows = rowsWith({ fileRuns: past });
    });

    afterEach(async () => {
      await past.dispose();
      rmSync(path, { recursive: true, force: true });
    });

    const runsShown = (): (Row['target']['run'] | undefined)[] => rows.past.children().map(({ target }) => target.run);

    it('has one for each, of the object that is current', async () => {
      const file = folder.fileOf('A', 'abcdef12', 0)(1);
      const line = `${journalLine({ t: 0, dir: 'err', line: 'x' }, 0)}\n`;
      writeFileSync(file, line);
      const [before] = await past.refresh();
      assert.deepEqual(runsShown(), [before]);
      appendFileSync(file, line); // as another window would
      const [after] = await past.refresh();
      assert.ok(before && after && before !== after);
      assert.deepEqual(runsShown(), [after]);
      await past.show(before);
      assert.deepEqual(runsShown(), [before]);
    });

    it('has one for every run that is open, however old, and for none twice', async () => {
      for (let n = 0; n < 25; n++) {
        const t = n * 60_000;
        writeFileSync(folder.fileOf('A', `abcdef${n + 10}`, t)(1), `${journalLine({ t, dir: 'err', line: 'x' }, t)}\n`);
      }
      const oldest = (await past.refresh()).at(-1)!;
      const isShown = (run: FileRun): boolean => runsShown().includes(run);
      assert.deepEqual([runsShown().length, isShown(oldest)], [21, false]);
      await past.show(oldest);
      assert.deepEqual([runsShown().length, isShown(oldest)], [22, true]);
      const opened = await past.show(await past.at((await past.refresh())[0]!.info.paths[0]!, 'opened'));
      const ids = [rows.past, rows.agent('A')].flatMap((row) => idsOf(row.children()));
      assert.equal(new Set(ids).size, ids.length);
      assert.ok(opened.info.origin === 'past' || !isShown(opened));
    });

    it('reads one when its row is expanded, under another id after it was closed', async () => {
      const line = `${journalLine({ t: 0, dir: 'err', line: 'x' }, 0)}\n`;
      writeFileSync(folder.fileOf('A', 'abcdef12', 0)(1), line);
      await past.refresh();
      const [row] = rows.past.children();
      assert.ok(row instanceof RunRow);
      const { id } = row.item();
      await row.load();
      assert.deepEqual(past.open, [row.run]);
      past.close(past.open[0]!);
      assert.equal(row.item().id, `${id}:1`);
    });
  });

  describe('as drawn', () => {
    it('show a record as plain text, its data only on hover', () => {
      const { rows, run } = shown();
      const message = '[link](command:x)\nfailed';
      run.log.record({ receivedAt: 0, level: 'error', kind: 'log', logger: 'tool', message, data: { code: 7 } });
      const [row] = rows.group(run, undefined).children();
      const item = row!.item();
      assert.equal(item.label, 'tool: [link](command:x) failed');
      assert.match(String(item.description), /^error · \d\d:\d\d:\d\d$/);
      assert.match(item.contextValue ?? '', /^record\b/);
      assert.deepEqual([(item.iconPath as ThemeIcon).id, item.tooltip], ['error', undefined]);
      assert.match(row!.tooltip(), /^error · log · .*\n\[link\]\(command:x\)\nfailed\n.*"?code"?: ?7/s);
      assert.match(item.accessibilityInformation?.label ?? '', /^error, log, tool: /);
      assert.equal(item.id, `record:${run.id}:1:leaf`);
    });

    it('are stale once their text would be another', () => {
      const { rows, run } = shown();
      const group = rows.group(run, undefined);
      assert.equal(group.isStale(), false);
      group.item();
      assert.equal(group.isStale(), false);
      log(run, 1);
      assert.equal(group.isStale(), true);
    });

    it("show how a session's last turn spent its time, after the cause of a failure", () => {
      const { runs, rows, run } = fixture();
      const wire = DiagnosedWire.withSession().prompt().wait(1000);
      const shown = Object.create(run, { log: { value: wire.log } }) as Run;
      runs.add(shown);
      const row = rows.group(shown, 'session-1');
      const description = (): string => String(row.item().description);
      const isBusy = /^waiting [\d.]+ (min|s)/;
      assert.match(description(), isBusy);
      assert.doesNotMatch(description(), /model \d/);
      assert.match(row.tooltip(), /^waiting .*\n[\d.]+ \w+.*: model /m);

      wire.update({ sessionUpdate: 'tool_call', toolCallId: '1', title: 'npm test' }).wait(2000);
      wire.update({ sessionUpdate: 'tool_call_update', toolCallId: '1', status: 'completed' });
      wire.chunk('Done.').answer({ stopReason: 'end_turn' });
      const summary = '3.0 s: model 1.0 s, tools 2.0 s · 1 tool call';
      assert.match(description(), new RegExp(`^${summary} · \\d+ records`));
      assert.ok(row.tooltip().split('\n').includes(summary));

      wire.prompt().wait(4000).update({ sessionUpdate: 'usage_update', used: 120_000, size: 200_000 });
      assert.match(description(), /^waiting .*? · ctx 60 % · /);
      wire.refuse(-32603, 'Rate limit reached');
      assert.match(description(), /^rate limited · turn failed after 4\.0 s · ctx 60 % · model 4\.0 s · /);
      assert.match(row.text(), /^.{0,17}rate limited/);
      assert.match(row.tooltip(), /^4\.0 s: model 4\.0 s\nContext: 120,000 of 200,000 \(60 %\)$/m);
      assert.match(row.item().accessibilityInformation?.label ?? '', /, rate limited, turn failed after 4\.0 s, ctx/);
    });

    it('have their label as the tooltip if there is nothing else to say', () => {
      const { rows } = fixture('one');
      assert.equal(rows.agent('one').tooltip(), 'one');
    });
  });
});
