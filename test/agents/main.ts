// Installs real agents from npm into `.agents/` and runs each of them with the extension's core: `npm run test:agents`.
//   npm run test:agents -- opencode codex          only these
//   npm run test:agents -- --record DIR            also writes each run's log to DIR
//   AGENT_LOGS_ALLOW_MISSING=1                     an agent that can't be installed isn't a failure
import { join } from 'node:path';
import { messageOf } from '../../src/runs/humanError';
import { ProcessReaper } from '../../src/runs/process/processReaper';
import { agents } from './catalogue';
import { Installer } from './install';
import { parseOptions } from './options';
import type { RealAgent } from './realAgent';
import { record } from './recording';
import { outcome, summary, table } from './report';
import type { Stage } from './runScenario';
import { runScenario } from './runScenario';
import { Sandboxes } from './sandbox';
import { TapProgram } from './tapProgram';
import type { ScenarioResult } from './scenarioResult';
import { notRun } from './scenarioResult';

async function main(): Promise<number> {
  const options = parseOptions(process.argv.slice(2), process.env);
  const unknown = options.names.filter((name) => !agents.some((agent) => agent.name === name));
  if (unknown.length > 0) {
    console.error(`There is no agent ${unknown.join(', ')}. There are: ${agents.map(({ name }) => name).join(', ')}.`);
    return 2;
  }
  const { names, record: folder } = options;
  const installer = new Installer(join(__dirname, '../../.agents'));
  const sandboxes = new Sandboxes();
  const stage: Stage = {
    reaper: new ProcessReaper(),
    sandboxes,
    tap: new TapProgram(join(sandboxes.common, 'cli.js')),
    record: (name, trial) => folder !== undefined && record(folder, name, trial),
  };
  const results: ScenarioResult[] = [];
  for (const agent of agents.filter(({ name }) => names.length === 0 || names.includes(name))) {
    results.push(...(await tryAgent(agent, installer, stage)));
  }
  console.log(`\n${table(results)}\n\n${summary(results)}`);
  const missing = results.some((result) => result.notRun !== undefined);
  const failed = results.some(({ checks }) => checks.some((check) => !check.passed));
  return failed || (missing && !options.allowMissing) ? 1 : 0;
}

async function tryAgent(agent: RealAgent, installer: Installer, stage: Stage): Promise<ScenarioResult[]> {
  console.log(`${agent.name}: ${agent.package}@${agent.version}`);
  let installed;
  try {
    installed = await installer.install(agent);
  } catch (error) {
    const result = notRun(agent, 'all', `could not be installed: ${messageOf(error)}`);
    console.log(outcome(result));
    return [result];
  }
  const results: ScenarioResult[] = [];
  for (const scenario of agent.scenarios) {
    const result = await runScenario(agent, installed, scenario, stage);
    console.log(outcome(result));
    results.push(result);
  }
  return results;
}

// Agents run in separate process groups, so an interrupted script must clean them up.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130));

void main().then((code) => (process.exitCode = code));
