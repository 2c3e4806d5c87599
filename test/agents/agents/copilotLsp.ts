import type { RealAgent } from '../realAgent';
import type { Trial } from '../trial';

/** GitHub Copilot's language server. Not logged in: it starts, reports that in three ways, and logs its attempts. */
export const copilotLsp: RealAgent = {
  name: 'lsp-copilot',
  protocol: 'lsp',
  package: '@github/copilot-language-server',
  version: '1.539.0',
  program: 'dist/language-server.js', // its `bin` points outside the package
  args: ['--stdio'],
  needsNewerNode: true,
  lsp: {
    initializationOptions: {
      editorInfo: { name: 'agent-logs', version: '0.0.0-test' },
      editorPluginInfo: { name: 'agent-logs', version: '0.0.0-test' },
    },
    settings: { telemetry: { telemetryLevel: 'off' } },
  },
  scenarios: [
    { name: 'not-signed-in', play },
    { name: 'level', play: playLevel },
    { name: 'killed', play: playKilled },
  ],
};

async function play(trial: Trial): Promise<void> {
  const { checks, run } = trial;
  await trial.start();
  await trial.until({ logger: 'status', level: 'error' });
  await trial.wait(1500);
  checks.inOrder('the connection', trial.connectionRecords, [
    { kind: 'lifecycle', level: 'info', message: /^initialized in .*GitHub Copilot Language Server 1\.539\.0/ },
    { kind: 'log', level: 'info', logger: 'lsp', message: /initialized$/ },
    { kind: 'activity', level: 'debug', logger: 'workspace/configuration', message: /^asked for the settings github/ },
    { kind: 'activity', level: 'debug', logger: 'workspace/configuration', message: /^answered with 1 of/ },
  ]);
  checks.inOrder('the login that is missing', trial.connectionRecords, [
    { kind: 'notice', level: 'error', logger: 'status', message: /not signed into GitHub/ },
    { kind: 'diagnosis', level: 'warning', logger: 'authentication-required' },
  ]);
  const told = trial.connectionRecords.filter(({ level, logger }) => logger === 'status' && level === 'error');
  checks.equal('how often that is told as an error', told.length, 1);
  const stderr = trial.connectionRecords.filter(({ kind, level }) => kind === 'stderr' && level === 'error');
  checks.equal('the errors made of standard error', stderr.length, 0);
  checks.equal('its sessions', run.log.sessions.length, 0);
  await trial.stopsWell();
  checks.inOrder('the end', trial.connectionRecords, [
    { kind: 'lifecycle', message: /^is ready to end/ },
    { kind: 'lifecycle', message: /^asked to end/ },
    { kind: 'lifecycle', level: 'info', message: /^exited with code 0/ },
  ]);
}

async function playLevel(trial: Trial): Promise<void> {
  const { checks, run } = trial;
  await trial.start();
  checks.equal('setLevel("warning")', await run.setLevel('warning'), 'unsupported');
  checks.equal('setLevel("debug")', await run.setLevel('debug'), 'applied');
  await trial.until({ logger: 'trace', message: /verbose/ });
  checks.equal('the state', run.state.type, 'running');
}

/** Another process kills it; 143 is its own exit code for SIGTERM. */
async function playKilled(trial: Trial): Promise<void> {
  await trial.start();
  process.kill(trial.pid, 'SIGTERM');
  await trial.until({ kind: 'lifecycle', message: /^(?:exited|ended)/ }, 10);
}
