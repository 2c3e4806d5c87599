// A line from end to end, as in production, with a wire listener. Records are shown in slices.
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { wantedCodes } from '../../src/query/compiledQuery';
import { alertsIn } from '../../src/alerts/alertSettings';
import { AlertWatch } from '../../src/alerts/alertWatch';
import { input } from './input';
import { LiveRun, rethrow } from './liveRun';
import { Meter } from './meter';

const folder = mkdtempSync(join(tmpdir(), 'agent-logs-bench-'));
const run = new LiveRun(folder, 'journal');
const { log } = run;
// Like an output channel, which writes wire lines only if they are shown.
const showsWire = process.argv.includes('--wire');
let wireChars = 0;
run.reader.run.onEvent((event) => {
  if (showsWire && event.dir !== 'ev') wireChars += event.line.length;
});

const valueOf = (option: string): string | undefined =>
  process.argv.find((arg) => arg.startsWith(`--${option}=`))?.slice(option.length + 3);
// A level that all messages are below, or `none` for an agent that wasn't asked to log.
const asked = valueOf('asked') ?? 'debug';
run.begin(asked === 'none' ? {} : { logging: { level: asked } }, Number(valueOf('sessions') ?? 20));

const alert = valueOf('alert');
if (alert !== undefined) watchFor(alert);

const logs = wantedCodes(({ kind }) => kind === 'log');
const meter = new Meter();
// Views read few records of a flood, so only the untimed run reads all texts.
const readsAll = process.argv.includes('--read-all');
log.onDidChange((change) => {
  if (!readsAll) return meter.tookUnread(change.newest(logs, 0).older);
  for (const { kind, message } of change.records) if (kind === 'log') meter.took(message);
});
await run.read(input());
if (showsWire && wireChars === 0) throw new Error('no wire line came');
rmSync(folder, { recursive: true });
meter.done();

/** Alerts the user to records that match a query. */
function watchFor(query: string): void {
  const watch = new AlertWatch<undefined>(alertsIn([{ when: query }]).alerts, {
    memory: { get: () => undefined, set: () => undefined },
    now: Date.now,
    onAlert: () => undefined,
    onDisabled: (_alert, error) => rethrow('', error),
  });
  watch.follow(undefined, { log, after: log.lastSeq, since: undefined, isReread: false, costs: 'own' });
}
