import type { RealAgent } from '../realAgent';
import type { Trial } from '../trial';

const common = {
  protocol: 'lsp',
  package: 'typescript-language-server',
  version: '6.0.2',
  program: 'typescript-language-server',
  args: ['--stdio', '--log-level', '4'],
  needsNewerNode: true,
} as const;

/** A language server with a child process, which logs their communication. Needs a TypeScript before 7. */
export const typescriptLsp: RealAgent = {
  ...common,
  name: 'lsp-typescript',
  peers: { typescript: '5.9.3' },
  scenarios: [{ name: 'starts', play }],
};

/** The same without a usable TypeScript, so it refuses to start. */
export const typescriptLspAlone: RealAgent = {
  ...common,
  name: 'lsp-typescript-alone',
  peers: { typescript: '7.0.2' },
  scenarios: [{ name: 'refused', play: playRefused }],
};

async function play(trial: Trial): Promise<void> {
  const { checks } = trial;
  await trial.start();
  await trial.until({ kind: 'lifecycle', message: /^initialized/ });
  await trial.until({ kind: 'notice', logger: 'status', message: /TypeScript 5\.9\.3/ });
  checks.that(
    'it logs',
    trial.connectionRecords.some(({ kind, level }) => kind === 'log' && level === 'info'),
  );
  const errors = trial.connectionRecords.filter(({ level }) => level === 'error');
  checks.equal('the errors', errors.length, 0);
  await trial.stopsWell();
}

async function playRefused(trial: Trial): Promise<void> {
  const refusal = await trial.refusal(trial.start());
  trial.checks.that('the refusal says why', /TypeScript/.test(String(refusal)), String(refusal));
}
