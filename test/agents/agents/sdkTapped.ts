import { readFileSync } from 'node:fs';
import type { FileRun } from '../../../src/past/files/fileRun';
import type { FileRuns } from '../../../src/past/files/fileRuns';
import type { RunView } from '../../../src/runLog/runView';
import { describe as describeRecord } from '../checks';
import { within } from '../../faults/waiting';
import { filesOf } from '../replay';
import type { RealAgent } from '../realAgent';
import { untapped } from '../tapProgram';
import type { Trial } from '../trial';
import { sdkExample } from './sdkExample';

/** In milliseconds. */
const readMs = 20_000;
/** Time between two looks, in milliseconds. */
const lookMs = 50;

/** The example agent of ACP's SDK behind the tap. Compares its output with the tap's journal, live and afterwards. */
export const sdkTapped: RealAgent = {
  ...sdkExample,
  name: 'sdk-tapped',
  installedWith: sdkExample.name,
  scenarios: [
    { name: 'turn', tapped: true, play: playTurn },
    { name: 'tap-killed', tapped: true, play: playKilled },
  ],
};

async function playTurn(trial: Trial): Promise<void> {
  const { checks, sandbox } = trial;
  await trial.start();
  const sessionId = await trial.newSession();
  trial.permissions.habit = 'wait';
  const turn = trial.prompt(sessionId, 'Change the configuration.');
  const files = filesOf(sandbox);
  const file = await shown(trial, files, sessionId);
  checks.equal('the state of the file meanwhile', file.state.type, 'following');
  const meanwhile = file.log.store.query({ sessionId }).length;
  checks.that('the file shows the session meanwhile', meanwhile > 0);
  trial.permissions.allowAll();
  checks.equal('the stop reason', await turn, 'end_turn');
  await trial.stopsWell();
  await untilState(trial, file, 'ended');
  checks.that('the file grew', file.log.store.query({ sessionId }).length > meanwhile);
  const end = file.state.type === 'ended' ? file.state.termination : undefined;
  checks.equal('the end in the file', [end?.reason, end?.exitCode], ['completed', 0]);
  checkSame(trial, 'the file that was followed shows', file, trial.run);
  const later = await opened(trial, file);
  checkSame(trial, 'the file that is opened later shows', later, trial.run);
  await files.dispose();
  await checkWithout(trial);
}

/** The same turn without the tap gives the same lines and records. */
async function checkWithout(trial: Trial): Promise<void> {
  const { definition } = trial.run;
  if ('url' in definition) return;
  const alone = trial.beside({ ...untapped(definition), name: 'alone' });
  alone.permissions.habit = 'allow';
  await alone.start();
  await alone.prompt(await alone.newSession(), 'Change the configuration.');
  await alone.stop();
  await alone.run.journal?.close();
  trial.checks.equal('what the agent writes behind the tap', linesOf(trial), linesOf(alone));
  checkSame(trial, 'behind the tap the run shows', trial.run, alone.run);
}

/** Another process kills the tap during a turn: what it wrote is readable. */
async function playKilled(trial: Trial): Promise<void> {
  const { checks, sandbox } = trial;
  await trial.start();
  const sessionId = await trial.newSession();
  trial.permissions.habit = 'wait';
  const turn = trial.refusal(trial.prompt(sessionId, 'Change the configuration.'));
  const files = filesOf(sandbox);
  const file = await shown(trial, files, sessionId);
  checks.equal('the tap is what is killed', file.info.writer, trial.pid);
  process.kill(trial.pid, 'SIGKILL');
  checks.equal('the signal', (await trial.ended(15)).signal, 'SIGKILL');
  checks.that('the prompt fails', (await turn) !== undefined);
  await untilState(trial, file, 'ended');
  checkBrokenOff(trial, 'the file that was followed', file, sessionId);
  checkBrokenOff(trial, 'the file that is opened later', await opened(trial, file), sessionId);
  const text = readFileSync(file.info.paths[0] ?? '', 'utf8');
  checks.that('the file has lines', text.split('\n').length > 5);
  await files.dispose();
}

function checkBrokenOff({ checks }: Trial, what: string, file: FileRun, sessionId: string): void {
  const termination = file.state.type === 'ended' ? file.state.termination : undefined;
  checks.equal(`how ${what} ends`, [termination?.reason, termination?.terminatedBy], ['terminated', 'system']);
  checks.inOrder(what, file.log.store.query({ sessionId }), [{ logger: 'prompt' }, { logger: 'tool' }]);
  const told = file.log.store.query({ sessionId: null });
  checks.inOrder(what, told, [
    { kind: 'lifecycle', level: 'warning', message: /^The process that wrote this file has exited/ },
  ]);
}

/** The run that the tap is writing, as a window sees it, once it shows a tool. The tap writes its journal in batches. */
async function shown(trial: Trial, files: FileRuns, sessionId: string): Promise<FileRun> {
  await trial.until({ logger: 'tool' });
  for (let left = readMs; files.open.length === 0 && left > 0; left -= lookMs) {
    await trial.wait(lookMs);
    await files.refresh();
  }
  const [file] = files.open;
  trial.checks.equal('the runs of taps that are shown', [files.open.length, file?.info.origin], [1, 'tapped']);
  if (!file) throw new Error('no run of a tap is shown');
  await untilState(trial, file, 'following');
  const showsTool = (): boolean => file.log.store.query({ sessionId }).some(({ logger }) => logger === 'tool');
  for (let left = readMs; !showsTool() && left > 0; left -= lookMs) await trial.wait(lookMs);
  return file;
}

/** The same file in another window. */
async function opened({ sandbox }: Trial, { info }: FileRun): Promise<FileRun> {
  const files = filesOf(sandbox);
  const file = await files.at(info.paths[0] ?? '', 'opened');
  await within(file.read(), readMs, 'reading the file');
  await within(reached(file, 'ended'), readMs, 'the end of the file');
  return file;
}

function untilState(trial: Trial, file: FileRun, type: RunView['state']['type']): Promise<void> {
  return trial.step(`until the file is ${type}`, () => reached(file, type), readMs / 1000);
}

function reached(file: FileRun, type: RunView['state']['type']): Promise<void> {
  if (file.state.type === type) return Promise.resolve();
  return new Promise((resolve) => {
    const listener = file.onDidChangeState((state) => {
      if (state.type !== type) return;
      listener.dispose();
      resolve();
    });
  });
}

function checkSame({ checks }: Trial, what: string, one: RunView, other: RunView): void {
  const [found, expected] = [sessionRecords(one), sessionRecords(other)];
  const at = expected.findIndex((line, i) => line !== found[i]);
  const same = at < 0 && found.length === expected.length;
  checks.that(`${what} the same ${expected.length} records`, same, `${found[at]} INSTEAD OF ${expected[at]}`);
}

/** The records of the sessions, without values that differ between runs. */
function sessionRecords({ log }: RunView): string[] {
  return log.sessions.flatMap(({ id }) =>
    log.store
      .query({ sessionId: id })
      .map((record) => `${describeRecord({ ...record, message: '' })} ${neutral(record.message, id)}`),
  );
}

function linesOf({ events, run }: Trial): string[] {
  const id = run.log.sessions[0]?.id ?? '';
  return events.flatMap((event) => (event.dir === 'a2c' || event.dir === 'c2a' ? [neutral(event.line, id)] : []));
}

function neutral(text: string, sessionId: string): string {
  return text.replaceAll(sessionId, '<session>').replace(/\d+(?:\.\d+)? m?s\b/g, '<time>');
}
