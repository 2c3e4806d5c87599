import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import type { FileRun } from '../../../src/past/files/fileRun';
import type { FileRuns } from '../../../src/past/files/fileRuns';
import { FarRuns } from '../../../src/runs/farRuns';
import type { Run } from '../../../src/live/run';
import { Runs, RunViews } from '../../../src/runs/runs';
import { JournalFolder } from '../../../src/wire/journal/journalFolder';
import { journalLine } from '../../../src/wire/journal/journalLine';
import type { WireEvent } from '../../../src/wire/wireEvent';
import { column } from '../../support/columns';
import { WrittenRun } from '../../support/explorerWindow';
import { agentEvents, callEvents, serverEvents } from '../../support/joinedRuns';
import { newFileRuns } from '../../support/fileRuns';
import { useFolder } from '../../support/tempFolder';
import { startedAt } from '../../support/wireRows';

describe('runs at the other ends of calls', () => {
  let lists: number;
  let runs: Runs;
  let fileRuns: FileRuns;
  let views: RunViews;
  let now: number;
  let far: FarRuns;
  afterEach(async () => {
    far.dispose();
    await fileRuns.dispose();
  });
  const home = useFolder();
  beforeEach(() => {
    [lists, now] = [0, 0];
    const folder = new JournalFolder(home.path);
    const list = (): ReturnType<JournalFolder['list']> => {
      lists++;
      return folder.list();
    };
    runs = new Runs();
    fileRuns = newFileRuns(Object.assign(Object.create(folder) as JournalFolder, { list }), { level: 'debug' });
    views = new RunViews(runs, fileRuns);
    far = new FarRuns(views, fileRuns, () => now);
  });

  /** Writes the journal of a run that has ended. */
  function journal(name: string, id: string, protocol: string, events: readonly WireEvent[]): string {
    const about = { journal: 1, agent: name, protocol, command: ['a'], cwd: '/', redacted: true };
    const header = { ...about, startedAt: new Date(startedAt).toISOString() };
    const exit: WireEvent = { t: startedAt + 5000, dir: 'ev', ev: 'exit', code: 0, signal: null };
    const lines = [JSON.stringify(header), ...[...events, exit].map((event) => journalLine(event, startedAt))];
    const file = new JournalFolder(home.path).fileOf(name, id, startedAt)(1);
    writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
    return file;
  }

  /** Journals of a server and of the agent that called it. Returns that of the server. */
  function both(events = serverEvents()): string {
    journal('Bookshop', 'bbbbbbbb', 'acp', agentEvents());
    return journal('books', 'aaaaaaaa', 'mcp', events);
  }

  async function opened(name: string): Promise<FileRun> {
    const found = (await fileRuns.refresh()).find((run) => run.name === name);
    assert.ok(found);
    const run = await fileRuns.show(found);
    await run.read();
    return run;
  }

  it('are read from the journals of past servers if a past agent’s journal is opened', async () => {
    both();
    const agent = await opened('Bookshop');
    const [end] = [...(await far.allEndsOf(agent)).values()].flat();
    assert.deepEqual([end?.run.name, end?.span.toolName, end?.by], ['books', 'find', 'inferred']);
    assert.deepEqual(column(views.all, 'name'), ['Bookshop']);
  });

  it('are read from the journals of past agents if a past server’s journal is opened', async () => {
    both();
    let changes = 0;
    far.onDidChange(() => changes++);
    const server = await opened('books');
    assert.equal(far.endsOf(server).size, 0);
    const before = changes;
    const [end] = [...(await far.allEndsOf(server)).values()].flat();
    assert.deepEqual([end?.run.name, end?.span.title], ['Bookshop', 'mcp__books__find']);
    assert.ok(changes > before);
  });

  it('don’t include those of another time', async () => {
    both(serverEvents().map((event) => ({ ...event, t: event.t + 60_000 })));
    assert.equal((await far.allEndsOf(await opened('Bookshop'))).size, 0);
  });

  it('are found while they aren’t shown, even if their file is gone', async () => {
    const file = both();
    const [end] = [...(await far.allEndsOf(await opened('Bookshop'))).values()].flat();
    const { id = '' } = end?.run ?? {};
    assert.ok(far.find(id));
    rmSync(file);
    await fileRuns.refresh();
    assert.equal(views.find(id), undefined);
    assert.equal(far.find(id), end?.run);
  });

  it('are read again after they were shown and closed', async () => {
    both();
    const agent = await opened('Bookshop');
    const [end] = [...(await far.allEndsOf(agent)).values()].flat();
    const shown = await fileRuns.show(end?.run as FileRun);
    fileRuns.close(shown);
    const [again] = [...(await far.allEndsOf(agent)).values()].flat();
    assert.ok(again);
    assert.notEqual(again.run, shown);
  });

  it('are looked for twice a minute at most while calls come in', async () => {
    const live = new WrittenRun(agentEvents());
    runs.add(live.view as unknown as Run);
    for (let call = 2; call < 50; call++) {
      await far.allEndsOf(live.view);
      live.write(...callEvents(`call-${call}`, 1000 + call));
      now += 1000;
    }
    live.dispose();
    assert.equal(lists, 2);
  });
});
