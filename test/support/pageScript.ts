import { build } from 'esbuild';
import { explorerPage } from '../../scripts/explorerPage.mjs';

let script: Promise<string> | undefined;

/** The page's script, bundled once. */
export function pageScript(): Promise<string> {
  script ??= build({
    ...explorerPage(false),
    entryPoints: ['src/explorerPage/main.tsx'],
    sourcemap: false,
    write: false,
  }).then(({ outputFiles }) => outputFiles[0]?.text ?? '');
  return script;
}
