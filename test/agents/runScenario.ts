import { delimiter } from 'node:path';
import type { Check } from './checks';
import { checkGenerally } from './general';
import { HttpServer } from './httpServer';
import type { Installed } from './install';
import { MockModel } from './mockModel';
import type { RealAgent, Scenario } from './realAgent';
import type { Sandbox, Sandboxes } from './sandbox';
import type { TapProgram } from './tapProgram';
import type { Step } from './trial';
import { Trial } from './trial';
import type { ProcessDefinition } from '../../src/live/config/launchSpec';
import { kinds } from '../../src/text/record';
import type { ProcessReaper } from '../../src/live/process/processReaper';

export interface Stage {
  readonly sandboxes: Sandboxes;
  readonly reaper: ProcessReaper;
  readonly tap: TapProgram;
  /** Receives each finished run. */
  readonly record: (name: string, trial: Trial) => void;
}

/** The result of one scenario. */
export interface ScenarioResult {
  readonly agent: string;
  readonly version: string;
  readonly scenario: string;
  readonly checks: readonly Check[];
  readonly steps: readonly Step[];
  /** Number of records by kind. */
  readonly records: ReadonlyMap<string, number>;
  readonly ms: number;
}

/** Runs one scenario, from an empty home directory until the last process has exited. */
export async function runScenario(
  agent: RealAgent,
  installed: Installed,
  scenario: Scenario,
  stage: Stage,
): Promise<ScenarioResult> {
  const start = performance.now();
  const sandbox = stage.sandboxes.next();
  const model = await MockModel.start(scenario.model ?? 'ok');
  agent.configure?.(sandbox, model);
  const env = agent.modelEnv?.(model) ?? {};
  const plain = definitionOf(agent, installed, scenario, env);
  const started = scenario.tapped === true ? await stage.tap.before(plain, sandbox.taps) : plain;
  const service = scenario.http && (await HttpServer.start(started, scenario.http, sandbox, environment(sandbox)));
  const trial = new Trial(service?.definition ?? started, sandbox, environment(sandbox), stage.reaper);
  await attempt(trial, 'the scenario is played to its end', () => scenario.play(trial));
  await attempt(trial, 'it is stopped', () => stopped(trial));
  await attempt(trial, 'the run is looked over', () => checkGenerally(trial));
  await service?.stop();
  await model.close();
  stage.record(`${agent.name}-${scenario.name}`, trial);
  return {
    agent: agent.name,
    version: agent.version,
    scenario: scenario.name,
    checks: trial.checks.all,
    steps: trial.steps,
    records: new Map(kinds.map((kind) => [kind, trial.run.log.store.query({ kinds: [kind] }).length])),
    ms: Math.round(performance.now() - start),
  };
}

/** Turns an error into a failed check, so that the next step still runs. */
async function attempt({ checks }: Trial, what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
    checks.that(what, true);
  } catch (error) {
    checks.that(what, false, String(error));
  }
}

async function stopped(trial: Trial): Promise<void> {
  if (trial.run.state.type !== 'ended') await trial.stop();
}

/** The agent as users would define it in `agentLogs.agents`. */
function definitionOf(
  agent: RealAgent,
  { command, args, nodeFolder }: Installed,
  scenario: Scenario,
  env: Readonly<Record<string, string>>,
): ProcessDefinition {
  return {
    name: agent.name,
    protocol: agent.protocol ?? 'acp',
    command,
    args: [...args, ...(agent.args ?? []), ...(scenario.args ?? [])],
    env: {
      HOME: '${userHome}',
      ...(nodeFolder !== undefined && { PATH: `${nodeFolder}${delimiter}\${env:PATH}` }),
      ...agent.env,
      ...env,
    },
    cwd: '${workspaceFolder}',
    ...(agent.lsp && { lsp: agent.lsp }),
  };
}

/** The parts of our environment that agents need to run. Excludes everything else, above all API keys and personal settings. */
function environment(sandbox: Sandbox): NodeJS.ProcessEnv {
  const kept = ['PATH', 'LANG', 'SystemRoot', 'ComSpec', 'PATHEXT'];
  return {
    ...Object.fromEntries(kept.map((name) => [name, process.env[name]])),
    USERPROFILE: sandbox.home,
    TMPDIR: sandbox.temp,
    TEMP: sandbox.temp,
    TMP: sandbox.temp,
    DO_NOT_TRACK: '1',
    NO_UPDATE_NOTIFIER: '1',
  };
}
