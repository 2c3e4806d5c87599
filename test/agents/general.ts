import type { LogRecord } from '../../src/text/record';
import { levels } from '../../src/text/level';
import { objectOf, textOf } from '../../src/text/json';
import type { WireEvent, WireMessage } from '../../src/wire/wireEvent';
import { describe } from './checks';
import type { ProcessInfo } from './processes';
import { checkReplay } from './replay';
import { groupMembers, livingIn, untilGone } from './processes';
import type { Trial } from './trial';

/** How long children that left the agent's group may take to exit after it, in milliseconds. */
const escapedMs = 5000;

/** How far a message that comes in chunks may be out of order, in milliseconds. */
const tolerance = 2000;

/** Checks that apply to every run, whatever the agent did. */
export async function checkGenerally(trial: Trial): Promise<void> {
  checkGroups(trial);
  checkNothingLost(trial);
  checkSessions(trial);
  checkEnd(trial);
  await checkNobodyLeft(trial);
  await checkReplay(trial);
}

function checkGroups({ run, checks }: Trial): void {
  checks.equal('the count of records dropped', run.log.store.dropped, 0);
  for (const group of [run.log.connection, ...run.log.sessions]) {
    const counted = levels.reduce((sum, level) => sum + group.counts[level], 0);
    const kept = run.log.store.query({ sessionId: group.id ?? null });
    const name = group.id === undefined ? 'the connection' : 'a session';
    checks.equal(`${name}'s count of records`, counted, kept.length);
    const back = kept.find(({ receivedAt }, i) => receivedAt + tolerance < (kept[i - 1]?.receivedAt ?? 0));
    checks.that(`${name}'s records are in the order of their time`, back === undefined, back && describe(back));
  }
}

/** Checks that each line the agent wrote is the source of a record. */
function checkNothingLost({ run, events, checks }: Trial): void {
  const kept = new Set(run.log.store.query().flatMap(({ seq }) => (run.log.store.raw(seq) ?? '').split('\n')));
  const lost = events.filter(
    (event) =>
      (event.dir === 'a2c' || event.dir === 'err') &&
      event.line.trim() !== '' &&
      !kept.has(event.line) &&
      !isProgress(event),
  );
  checks.that('no line of the agent is lost', lost.length === 0, lost.map(lineOf).join(' | '));
  const junk = run.log.store.query({ text: 'stdout' }).filter(({ logger }) => logger === 'stdout');
  checks.that('all of its standard output is understood', junk.length === 0, junk.map(describe).join(' | '));
}

/** Checks that lines that name a session are filed under it. */
function checkSessions({ run, events, checks }: Trial): void {
  const bySource = new Map<string, LogRecord[]>();
  for (const record of run.log.store.query()) {
    for (const line of (run.log.store.raw(record.seq) ?? '').split('\n')) {
      bySource.set(line, [...(bySource.get(line) ?? []), record]);
    }
  }
  const astray = events.filter(isMessage).filter((event) => {
    const { params, result } = objectOf(event.msg);
    const sessionId = textOf(objectOf(params)['sessionId']) ?? textOf(objectOf(result)['sessionId']);
    // What a session says of its subagent may be in either.
    const other = textOf(objectOf(objectOf(params)['update'])['sessionId']);
    return (bySource.get(event.line) ?? []).some(
      (record) => sessionId !== undefined && record.sessionId !== sessionId && record.sessionId !== other,
    );
  });
  checks.that('what names a session is in that session', astray.length === 0, astray.map(lineOf).join(' | '));
}

function checkEnd({ run, checks }: Trial): void {
  checks.equal('the state in the end', run.state.type, 'ended');
  const open = run.log.requests.map(({ method }) => method);
  checks.equal('what is still open', open, []);
  const lifecycle = run.log.store.query({ kinds: ['lifecycle'] }).map(({ message }) => message);
  const begins = /^(started|connecting to) /.test(lifecycle[0] ?? '');
  checks.that('the log begins with the start', begins, lifecycle[0]);
  const ends = lifecycle.filter((message) => /^(exited|ended|disconnected|the connection is lost)\b/.test(message));
  checks.that('the log tells of one end', ends.length === 1, ends.join(' | ') || 'none');
}

/** Checks that no process started by the agent outlives it. */
async function checkNobodyLeft({ run, sandbox, checks, steps }: Trial): Promise<void> {
  const { pid } = run;
  if (pid === undefined) return;
  const group = await untilGone(() => groupMembers(pid), 1000);
  checks.that('nobody is left in the process group', group.left.length === 0, group.left.map(name).join(' | '));
  if (group.took > 0) steps.push({ name: 'group gone', ms: group.took });
  const escaped = await untilGone(() => livingIn(sandbox.home), escapedMs);
  checks.that('nobody is left outside the group', escaped.left.length === 0, escaped.left.map(name).join(' | '));
  if (escaped.took > 0) steps.push({ name: 'others gone', ms: escaped.took });
}

/** Progress is shown on its request, not as a record. */
function isProgress(event: WireEvent): boolean {
  return isMessage(event) && objectOf(event.msg)['method'] === 'notifications/progress';
}

function isMessage(event: WireEvent): event is WireMessage {
  return event.dir === 'a2c' || event.dir === 'c2a';
}

function lineOf(event: WireEvent): string {
  return 'line' in event ? event.line : event.ev;
}

function name({ pid, args }: ProcessInfo): string {
  return `${pid} ${args}`;
}
