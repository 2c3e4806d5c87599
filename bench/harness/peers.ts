import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = 'bench/.peers';

/** The packages to compare with. */
export const peers = {
  '@agentclientprotocol/sdk': '2.4.0',
  '@modelcontextprotocol/sdk': '1.32.2',
  'vscode-jsonrpc': '10.0.0',
} as const;

/** Installs missing peers, separately from the extension's own dependencies. */
export function installPeers(): void {
  const missing = Object.entries(peers).filter(([name, version]) => installed(name) !== version);
  if (missing.length === 0) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const wanted = [...Object.entries(peers), ['zod', '4.6.7']].map(([name, version]) => `${name}@${version}`);
  execFileSync('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', ...wanted], { stdio: 'inherit' });
}

function installed(name: string): string | undefined {
  const path = join(folder, 'node_modules', name, 'package.json');
  if (!existsSync(path)) return undefined;
  return (JSON.parse(readFileSync(path, 'utf8')) as { readonly version: string }).version;
}
