// What a window redraws after each change of a run with many sessions: rows, marks, and what commands apply to.
import '../../test/support/vscodeStub';
import { agentDefinitions } from '../../src/live/config/agentDefinition';
import { actionsOfAny } from '../../src/runs/actions';
import { FileRuns } from '../../src/past/files/fileRuns';
import { Runs } from '../../src/runs/runs';
import { RootRows } from '../../src/ui/surfaces/tree/rows/rootRows';
import { troubleOf, troubleOfAgent } from '../../src/ui/surfaces/tree/trouble';
import { JournalFolder } from '../../src/wire/journal/journalFolder';
import { TestRuns } from '../../test/support/testRun';

export interface MeasuredTree {
  /** Milliseconds for one change: the median and the longest of many. */
  readonly parts: Readonly<Record<Part, readonly [median: number, longest: number]>>;
}

type Part = 'rows' | 'marks' | 'commands';

const count = Number(process.argv[2] ?? 10);
const changes = 100;
const testRuns = new TestRuns();
const run = await testRuns.start('bookshop');
const runs = new Runs();
runs.add(run);
const definitions = agentDefinitions({});
const rows = new RootRows({
  runs,
  fileRuns: new FileRuns(new JournalFolder('/nowhere'), new JournalFolder('/nowhere'), () => {
    throw new Error('no file is read');
  }),
  agents: () => definitions,
  isTrusted: () => true,
  showsActivity: () => true,
  prices: () => ({}),
  saved: { isShown: false, folders: [], load: () => Promise.reject(new Error('no session is read')) },
  sessionsNow: { shown: [], waiting: [] },
  mcpServers: { watched: [], refresh: () => Promise.resolve() },
  installed: () => Promise.resolve([]),
  now: Date.now,
  redraw: () => undefined,
});

let sessions = 0;
for (let n = 0; n < count; n++) logInNewSession();
redraw();

const times: Record<Part, number[]> = { rows: [], marks: [], commands: [] };
for (let n = 0; n < changes; n++) {
  logInNewSession();
  timed('rows', redraw);
  timed('marks', () => [troubleOf(run), troubleOfAgent(runs, run.name)]);
  timed('commands', () => actionsOfAny([run]));
}
await testRuns.end();
const parts = Object.fromEntries(
  Object.entries(times).map(([part, all]) => {
    all.sort((a, b) => a - b);
    return [part, [all[changes / 2], all.at(-1)]];
  }),
);
process.stdout.write(`${JSON.stringify({ parts })}\n`, () => process.exit(0));

function logInNewSession(): void {
  const sessionId = `session-${sessions++}`;
  for (const level of ['info', 'warning'] as const) {
    run.log.record({ receivedAt: Date.now(), level, kind: 'log', message: `hello from ${sessionId}`, sessionId });
  }
  run.log.flush();
}

/** As VS Code does if the rows below an agent have changed. */
function redraw(): void {
  for (const root of rows.all()) {
    root.item();
    for (const row of root.children()) row.item();
  }
}

function timed(part: Part, work: () => unknown): void {
  const start = performance.now();
  work();
  times[part].push(performance.now() - start);
}
