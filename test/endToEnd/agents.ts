import { CancellationToken } from 'vscode-jsonrpc/node';
import type { Run } from '../../src/live/run';
import { ended, gone, isAlive, linesOf, recordOf } from '../support/testRun';
import type { Scenario, Stage } from './scenario';

function startSample({ runs, sampleAgent }: Stage): Promise<Run> {
  return runs.start('sampleAgent', { level: 'debug', spec: { args: [sampleAgent] } });
}

async function settled(promise: Promise<unknown>): Promise<PromiseSettledResult<unknown>> {
  const [result] = await Promise.allSettled([promise]);
  return result;
}

function howItEnded({ state }: Run): string {
  if (state.type !== 'ended') return `still ${state.type}`;
  const { reason, terminatedBy, exitCode } = state.termination;
  return `ended: ${reason}, by ${terminatedBy}${exitCode === undefined ? '' : `, exit code ${exitCode}`}`;
}

export const agentScenarios: readonly Scenario[] = [
  {
    name: 'the sample agent is started, prompted and stopped',
    async play(stage) {
      const run = await startSample(stage);
      const sessionId = await run.newSession();
      const { stopReason } = await run.prompt(sessionId, '/levels');
      await run.stop();
      const logged = linesOf(run, 'log').filter((line) => line.includes('sample.levels'));
      return [`stop reason: ${stopReason}`, ...logged, howItEnded(run)];
    },
  },
  {
    name: 'the sample agent crashes',
    async play(stage) {
      const run = await startSample(stage);
      const turn = run.prompt(await run.newSession(), '/crash 7');
      const [{ status }] = await Promise.all([settled(turn), ended(run)]);
      return [`the prompt is ${status}`, howItEnded(run)];
    },
  },
  {
    name: 'an agent that ignores every request to end is killed',
    async play({ runs }) {
      const run = await runs.start('deafToSigterm');
      await run.stop({ close: 100, terminate: 100 });
      return [howItEnded(run), `alive: ${isAlive(run.pid!)}`];
    },
  },
  {
    name: 'a stubborn agent takes its child along',
    notUnderWine: 'no taskkill /t, and no PowerShell to find a child by',
    async play({ runs }) {
      const run = await runs.start('leavesChild');
      const { message, data } = await recordOf(run, ({ kind }) => kind === 'log');
      const child = Number(/\d+/.exec(`${message} ${JSON.stringify(data ?? '')}`)?.[0]);
      const before = isAlive(child);
      await run.stop();
      await gone(child);
      return [`child alive before: ${before}`, `child alive afterwards: ${isAlive(child)}`];
    },
  },
  {
    name: 'an agent that isn’t installed',
    async play({ runs }) {
      const run = runs.create('missing', { spec: { command: 'no-such-agent' } });
      const { status } = await settled(run.start({ token: CancellationToken.None, onWaiting: () => undefined }));
      return [`its start is ${status}`, howItEnded(run)];
    },
  },
];
