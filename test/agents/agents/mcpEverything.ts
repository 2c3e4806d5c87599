import { CancellationTokenSource } from 'vscode-jsonrpc/node';
import type { ToolProgress } from '../../../src/live/connection/agentClient';
import { Cancelled } from '../../../src/time/waiting';
import type { RealAgent } from '../realAgent';
import type { Trial } from '../trial';

/** MCP's reference server for all protocol features, over each of its transports. */
export const mcpEverything: RealAgent = {
  name: 'mcp-everything',
  package: '@modelcontextprotocol/server-everything',
  version: '2026.8.31',
  protocol: 'mcp',
  program: 'mcp-server-everything',
  scenarios: [
    { name: 'stdio', args: ['stdio'], play: playStdio },
    { name: 'http', args: ['streamableHttp'], http: { portVariable: 'PORT', path: '/mcp' }, play },
    { name: 'old-http', args: ['sse'], http: { portVariable: 'PORT', path: '/sse' }, play },
  ],
};

async function playStdio(trial: Trial): Promise<void> {
  await play(trial);
  const termination = await trial.stop();
  trial.checks.equal('who ended it', termination.terminatedBy, 'client');
}

async function play(trial: Trial): Promise<void> {
  await trial.start();
  await checkTools(trial);
  await checkLogging(trial);
  await checkProgress(trial);
  await checkCancel(trial);
}

async function checkTools(trial: Trial): Promise<void> {
  const tools = await trial.step('tools', () => trial.run.listTools());
  const names = tools.map(({ name }) => name);
  trial.checks.that('there is a long operation', names.includes('trigger-long-running-operation'), names.join(' '));
  trial.checks.equal('the echo', await trial.callTool('echo', { message: 'ä' }), 'Echo: ä');
}

/** The server logs now and then, at a level it chooses. */
async function checkLogging(trial: Trial): Promise<void> {
  const { run, checks } = trial;
  checks.equal('setLevel("debug")', await trial.step('level', () => run.setLevel('debug')), 'applied');
  await trial.callTool('toggle-simulated-logging', {});
  await trial.until({ kind: 'log' }, 20);
  await trial.callTool('toggle-simulated-logging', {});
}

async function checkProgress(trial: Trial): Promise<void> {
  const { checks } = trial;
  const steps: ToolProgress[] = [];
  const args = { duration: 1, steps: 4 };
  const text = await trial.callTool('trigger-long-running-operation', args, { onProgress: (step) => steps.push(step) });
  checks.that('the long operation is completed', /completed/i.test(text), text);
  checks.equal(
    'its progress',
    steps.map(({ progress, total }) => [progress, total]),
    [1, 2, 3, 4].map((step) => [step, 4]),
  );
}

async function checkCancel(trial: Trial): Promise<void> {
  const { run, checks } = trial;
  const source = new CancellationTokenSource();
  const { token } = source;
  let reached = (): void => undefined;
  const half = new Promise<void>((resolve) => (reached = resolve));
  const onProgress = ({ progress }: ToolProgress): void => {
    if (progress === 2) reached();
  };
  const call = run.callTool('trigger-long-running-operation', { duration: 4, steps: 8 }, { token, onProgress });
  const outcome = trial.refusal(call).then((error) => ({ error, at: performance.now() }));
  await trial.step('half-way', () => half);
  const cancelledAt = performance.now();
  source.cancel();
  const { error, at } = await outcome;
  checks.that('the call is cancelled', error instanceof Cancelled, String(error));
  checks.that('at once', at - cancelledAt < 500, `${at - cancelledAt} ms`);
  await trial.wait(500);
  checks.equal(
    'what is open',
    run.log.requests.map(({ method }) => method),
    [],
  );
}
