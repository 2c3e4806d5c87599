import { runTests } from '@vscode/test-electron';
import { build } from 'esbuild';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { newest } from '../../scripts/vscode/versions.mjs';
import { outFolder } from './bundle';

/** Bundles the script that runs inside VS Code. */
export async function bundleHost(): Promise<void> {
  await build({
    entryPoints: [
      'bench/host/index.ts',
      'bench/host/activation.ts',
      'bench/host/explorer.ts',
      'bench/host/floodAgent.ts',
    ],
    outdir: join(outFolder, 'host'),
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    external: ['vscode', 'playwright-core'],
    logLevel: 'warning',
  });
}

interface HostOptions {
  /** Whose production build it is; default: this checkout's. */
  readonly checkout?: string;
  /** A folder for what VS Code and the extension keep between runs; default: a new one. */
  readonly profile?: string;
}

/** Starts VS Code from npm with the production build, and returns the measurements of its extension host. */
export async function hostRun<Measured>(
  program: 'index' | 'activation' | 'explorer',
  env: Readonly<Record<string, string>>,
  { checkout = '.', profile }: HostOptions = {},
): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'agent-logs-bench-'));
  const results = join(folder, 'results.json');
  const workspace = join(folder, 'bookshop');
  cpSync('test/workspace', workspace, { recursive: true });
  try {
    await runTests({
      extensionDevelopmentPath: resolve(checkout),
      extensionTestsPath: resolve(outFolder, 'host', `${program}.js`),
      vscodeExecutablePath: resolve('scripts/vscode/npmVsCode.mjs'),
      launchArgs: [
        workspace,
        `--user-data-dir=${profile ?? join(folder, 'user')}`,
        `--extensions-dir=${join(folder, 'extensions')}`,
      ],
      extensionTestsEnv: {
        AGENT_LOGS_RESULTS: results,
        AGENT_LOGS_VSCODE_VERSION: newest.version,
        AGENT_LOGS_TRUST: '0',
        ...env,
        AGENT_LOGS_BENCH_PROFILE: process.env['AGENT_LOGS_BENCH_PROFILE'],
      },
    });
    return JSON.parse(readFileSync(results, 'utf8')) as Measured;
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
