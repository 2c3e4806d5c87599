import '../../../../support/vscodeStub';
import assert from 'node:assert/strict';
import type { ThemeIcon } from 'vscode';
import type { Run } from '../../../../../src/live/run';
import type { Runs } from '../../../../../src/runs/runs';
import type { RootRows } from '../../../../../src/ui/surfaces/tree/rows/rootRows';
import type { Row } from '../../../../../src/ui/surfaces/tree/rows/row';
import { rowsWith, useTreeRows } from '../../../../support/treeRows';
import { agentDefinitions } from '../../../../../src/live/config/agentDefinition';
import { start } from '../../../../support/testRun';
import { shortTime } from '../../../../../src/ui/surfaces/tree/format';
import { RunRow } from '../../../../../src/ui/surfaces/tree/rows/runRow';
import { MoreRow } from '../../../../../src/ui/surfaces/tree/rows/moreRow';
import { pageSize } from '../../../../../src/ui/surfaces/tree/rows/groupRow';
import type { CommandTarget } from '../../../../../src/ui/kit/commandTarget';
import type { WatchedServer } from '../../../../../src/mcpServers/watchMemory';

const idsOf = (all: readonly Row[]): string[] => all.map(({ id }) => id);

describe('the row of an agent', () => {
  const { testRuns, fixture } = useTreeRows();
  let runs: Runs;
  let run: Run;
  let rows: RootRows;

  beforeEach(() => {
    ({ runs, run, rows } = fixture());
    runs.add(run);
  });

  it('shows the sessions of an only run below the agent, with its state and actions', () => {
    run.log.record({ receivedAt: 0, level: 'info', kind: 'log', message: 'x', sessionId: 's1' });
    const [agent] = rows.all();
    assert.ok(agent);
    assert.deepEqual(idsOf(agent.children()), [`session:${run.id}:s1`, `connection:${run.id}`]);
    assert.deepEqual([agent.children()[0]?.parent, rows.run(run).drawn], [agent, agent]);
    assert.match(String(agent.item().description), /^starting · \d\d:\d\d:\d\d · /);
    assert.match(agent.item().contextValue ?? '', /^agent .*\bstop\b.*\bexport\b/);
    assert.match(agent.tooltip(), /^silent: starting\n/);

    const second = testRuns.create('silent');
    runs.add(second);
    assert.deepEqual(idsOf(agent.children()), [`run:${second.id}`, `run:${run.id}`]);
    assert.deepEqual([rows.run(run).drawn, rows.run(run).parent], [rows.run(run), agent]);
    assert.equal(agent.item().description, undefined);
  });

  it('speaks of a server if it is one, as do the rows below it', () => {
    for (const [fake, name] of Object.entries({ silent: 'agent', 'mcp-silent': 'server', 'lsp-silent': 'server' })) {
      const one = testRuns.create(fake);
      runs.add(one);
      const first = `${name[0]?.toUpperCase()}${name.slice(1)}`;
      const label = rows.agent(fake).item().accessibilityInformation?.label ?? '';
      assert.ok(label.startsWith(`${first} ${fake}, `), label);
      one.log.work.requests.add({ id: 1, method: 'x/ask', direction: 'in', startedAt: 0 });
      const request = rows.group(one, undefined).children()[0]?.item();
      assert.match(String(request?.description), new RegExp(`^request from the ${name}, open for `));
      Object.defineProperty(one, 'agent', { value: { serverInfo: { name: 'Own' } } });
      assert.match(rows.run(one).tooltip(), new RegExp(`^${first}: Own$`, 'm'));
    }
  });

  it('shows the worst of what is below an agent while its row is collapsed', () => {
    const agent = rows.agent('silent');
    const icon = (): string => (agent.item().iconPath as ThemeIcon).id;
    assert.equal(icon(), 'loading~spin');
    run.log.record({ receivedAt: 0, level: 'warning', kind: 'log', message: 'slow', sessionId: 's' });
    agent.unfolded(false);
    assert.ok(agent.isStale());
    assert.equal(icon(), 'warning');
    assert.match(agent.item().accessibilityInformation?.label ?? '', /, highest level: warning$/);
    run.log.record({ receivedAt: 0, level: 'error', kind: 'log', message: 'failed', sessionId: 's' });
    assert.ok(agent.isStale());
    assert.equal(icon(), 'error');
    agent.unfolded(true);
    assert.equal(icon(), 'loading~spin');

    runs.add(testRuns.create('silent'));
    assert.deepEqual([icon(), agent.item().description], ['robot', undefined]);
    agent.unfolded(false);
    assert.deepEqual([icon(), agent.item().description], ['error', 'starting']);
  });

  it('cuts a long name before a description, so that a narrow view shows both', () => {
    const name = 'Claude Code in the container of the shop';
    const long = rowsWith({ runs, agents: () => agentDefinitions({ [name]: { command: '' } }) }).agent(name);
    const item = long.item();
    assert.deepEqual([item.label, item.description], ['Claude Code in t…', 'not started']);
    assert.equal(item.accessibilityInformation?.label, `Agent ${name}, not started`);
    assert.equal(long.tooltip(), name);
  });

  it('keeps the name of a run that has ended', async () => {
    const first = testRuns.create('ignoresCancel');
    for (const one of [first, testRuns.create('ignoresCancel')]) runs.add(one);
    const label = (): unknown => rows.run(first).item().label;
    await start(first);
    const name = label();
    // Runs of one agent are told apart where a narrow view shows it.
    assert.equal(name, `fake ${shortTime(first.startedAt, 60_000)}`);
    await first.stop();
    assert.equal(label(), name);
    assert.match(String(rows.run(first).item().description), /^(stopped|exit|ended).* · info$/);
  });
});

describe('the row of a run', () => {
  const { fixture } = useTreeRows();

  it('shows the newest sessions, twice as many each time, and an older one that is revealed', async () => {
    const { runs, rows, run } = fixture();
    runs.add(run);
    for (let n = 0; n < pageSize * 3; n++) {
      const level = n === 3 ? 'error' : 'info';
      run.log.record({ receivedAt: n, level, kind: 'log', message: 'hello', sessionId: `s${n}` });
    }
    const row = rows.run(run);
    assert.ok(row instanceof RunRow);
    const sessions = (): (string | undefined)[] => row.children().flatMap(({ target }) => target.sessionId ?? []);
    const older = row.children()[0];
    assert.deepEqual([sessions().length, sessions()[0]], [pageSize, `s${pageSize * 2}`]);
    assert.ok(older instanceof MoreRow);
    assert.deepEqual([older.item().label, older.parent], [`${pageSize * 2} older…`, row.drawn]);
    // What went wrong isn't hidden with its session.
    assert.equal(older.item().description, '1 error');

    row.show('s90');
    assert.deepEqual([sessions().length, sessions()[0]], [pageSize * 3 - 90, 's90']);
    row.show('s149');
    assert.equal(sessions()[0], 's90');

    await older.showMore();
    assert.equal(sessions().length, (pageSize * 3 - 90) * 2);
    await older.showMore();
    assert.equal(sessions().length, pageSize * 3);
    assert.ok(!row.children().some((one) => one instanceof MoreRow));
  });
});

describe('the row of a record', () => {
  const { fixture } = useTreeRows();

  it('begins with its logger, that of a problem with its sentence, with the code in the tooltip', () => {
    const { rows, run } = fixture();
    const common = { receivedAt: 0, level: 'error' } as const;
    run.log.record({ ...common, kind: 'log', logger: 'search', message: 'The index is stale' });
    run.log.record({ ...common, kind: 'diagnosis', logger: 'failed-turn', message: 'Turn failed: overloaded.' });
    run.log.record({ ...common, kind: 'diagnosis', logger: 'agent-ended', message: 'Exited with code 1.' });
    const shown = rows.group(run, undefined).children();
    const labels = shown.map((row) => row.item().label);
    assert.deepEqual(labels, ['Exited with code 1.', 'Turn failed: overloaded.', 'search: The index is stale']);
    assert.match(shown[1]?.tooltip() ?? '', /^error · diagnosis · failed-turn · /);
  });
});

describe('the row of watched MCP servers', () => {
  it('names them, also before the first run', async () => {
    const server = { file: '/p/.mcp.json', client: 'Claude Code', wrapping: { words: [] } };
    const watched: WatchedServer[] = [];
    const refresh = (): Promise<void> => {
      watched.push({ ...server, path: ['mcpServers', 'a'] }, { ...server, path: ['mcpServers', 'b'] });
      return Promise.resolve();
    };
    const rows = rowsWith({ mcpServers: { watched, refresh } });
    const find = (): Row | undefined => rows.all().find(({ id }) => id === 'watchedServers');
    assert.equal(find(), undefined);
    await rows.prepare();
    assert.equal(find()?.text(), 'Watched MCP Servers · a, b');
    assert.match(find()?.tooltip() ?? '', /^Their commands .+\na · Claude Code · \/p\/\.mcp\.json\nb · /);
  });
});

describe('a click on a row', () => {
  const { fixture } = useTreeRows();
  let runs: Runs;
  let run: Run;
  beforeEach(() => {
    ({ runs, run } = fixture());
    runs.add(run);
  });

  it('opens the explorer of an agent, a run, a connection or a session, and keeps the focus', () => {
    run.log.record({ receivedAt: 1, level: 'info', kind: 'log', message: 'one', sessionId: 'session-1' });
    const rows = rowsWith({ runs });
    const clicked = (row: Row): unknown => {
      const { command, arguments: [target] = [] } = row.item().command ?? {};
      const { run: of, sessionId, keepsFocus } = target as CommandTarget;
      return [command, of === run, sessionId, keepsFocus];
    };
    const open = 'agentLogs.openExplorer';
    for (const row of [rows.agent('silent'), rows.run(run), rows.group(run, undefined)]) {
      assert.deepEqual(clicked(row), [open, true, undefined, true], row.id);
      assert.equal(row.target.row, row, row.id);
    }
    assert.deepEqual(clicked(rows.group(run, 'session-1')), [open, true, 'session-1', true]);
    const prompt = { id: 1, method: 'session/prompt', direction: 'out', startedAt: 1, sessionId: 'session-1' } as const;
    run.log.work.requests.add(prompt);
    const [request] = rows.group(run, 'session-1').children();
    assert.deepEqual(clicked(request!), [open, true, 'session-1', true]);
    const [target] = (request!.item().command?.arguments ?? []) as CommandTarget[];
    assert.equal(target?.request?.method, 'session/prompt');
    assert.equal(rows.agent('never started').item().command, undefined);
  });

  const asked = { id: 1, method: 'tools/call', direction: 'out', startedAt: 0 } as const;

  it('meets the same request while its time goes on, which is drawn again seldom', () => {
    run.log.work.requests.add(asked);
    let now = 0;
    const rows = rowsWith({ runs, now: () => now });
    const [request] = rows.group(run, undefined).children();
    assert.equal(rows.group(run, undefined).children()[0], request);
    request!.item();
    let drawn = 0;
    for (; now < 60_000; now += 1000) {
      if (!request!.isStale()) continue;
      request!.item();
      drawn++;
    }
    assert.equal(drawn, 9 + 5, 'each second, then every ten');
  });

  it("meets the same request while its time goes on, which isn't on the rows above it as well", () => {
    run.log.work.requests.add(asked);
    run.log.summary(undefined, { activity: { type: 'waiting-for-answer', since: 0, method: 'tools/call' } });
    const rows = rowsWith({ runs, now: () => 20_000 });
    const [agent, connection] = [rows.agent('silent'), rows.group(run, undefined)];
    const isTimed = (): boolean => agent.item().description?.toString().includes('waiting 20 s') === true;
    assert.ok(isTimed());
    connection.unfolded(true);
    assert.match(String(agent.item().description), /^waiting for the answer to tools\/call · /);
    agent.unfolded(false);
    assert.ok(isTimed(), 'the row of the request is out of sight');
    agent.unfolded(true);
    assert.ok(!isTimed());
    connection.unfolded(false);
    assert.ok(isTimed());
  });
});
