import { spawn } from 'node:child_process';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { TextMatch, TextScan } from './textScan';
import { maxMatchesPerFile } from './textScan';

/**
 * Finds VS Code's own ripgrep. Its path depends on the version (newer ones ship `ripgrep-universal`, with a folder per platform) and on
 * whether modules are packed.
 * @param appRoot `vscode.env.appRoot`
 */
export async function findRipgrep(appRoot: string): Promise<string | undefined> {
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
  const platform = `${process.platform}-${process.arch}`;
  const folders = ['node_modules', 'node_modules.asar.unpacked'].flatMap((modules) => [
    join(appRoot, modules, '@vscode', 'ripgrep-universal', 'bin', platform),
    join(appRoot, modules, '@vscode', 'ripgrep', 'bin'),
  ]);
  for (const folder of folders) {
    const program = join(folder, name);
    const exists = await access(program).then(
      () => true,
      () => false,
    );
    if (exists) return program;
  }
  return undefined;
}

/** Scans with ripgrep. Files that can't be read are skipped. */
export function ripgrepScan(program: string): TextScan {
  return (paths, needles, { signal, onMatch }) =>
    new Promise((resolve, reject) => {
      const child = spawn(program, [...argumentsFor(needles), '--', ...paths], {
        stdio: ['ignore', 'pipe', 'ignore'],
        windowsHide: true,
      });
      const stop = (): void => void child.kill();
      signal.addEventListener('abort', stop);
      if (signal.aborted) stop();
      let rest = '';
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        const lines = (rest + chunk).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) {
          const match = matchIn(line);
          if (match) onMatch(match);
        }
      });
      child.on('error', reject);
      child.on('close', () => {
        signal.removeEventListener('abort', stop);
        resolve();
      });
    });
}

function argumentsFor(needles: readonly string[]): readonly string[] {
  return [
    '--no-config',
    '--no-messages',
    '--fixed-strings',
    '--ignore-case',
    '--text', // A NUL byte doesn't make a log binary.
    '--only-matching',
    '--byte-offset',
    '--line-number',
    '--with-filename',
    '--no-heading',
    '--null',
    '--color=never',
    `--max-count=${maxMatchesPerFile}`,
    ...needles.map((needle) => `--regexp=${needle}`),
  ];
}

/** `path NUL line:offset:match`. */
function matchIn(line: string): TextMatch | undefined {
  const end = line.indexOf('\0');
  const [, number, offset] = /^(\d+):(\d+):/.exec(line.slice(end + 1, end + 60)) ?? [];
  if (end < 0 || number === undefined || offset === undefined) return undefined;
  return { path: line.slice(0, end), line: Number(number), offset: Number(offset) };
}
