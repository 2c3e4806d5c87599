import { join } from 'node:path';
import type { ExtensionContext } from 'vscode';
import type { activate as activateExtension, deactivate as deactivateExtension } from './extension';
import { loadCompiled } from './machine/compiledProgram';

/** In milliseconds. VS Code is busy before, and functions that were called by then are kept too. */
const untilKept = 10_000;

interface Extension {
  readonly activate: typeof activateExtension;
  readonly deactivate: typeof deactivateExtension;
}

let extension: Extension | undefined;

/** Loads the extension, compiled if an earlier window kept it, and activates it. */
export function activate(context: ExtensionContext): ReturnType<typeof activateExtension> {
  const folder = join(context.globalStorageUri.fsPath, 'compiled');
  const program = loadCompiled(join(__dirname, 'extension.js'), folder);
  extension = program.exports as Extension;
  const timer = setTimeout(() => {
    // The next window compiles it again if it can't be kept.
    program.keep().catch(() => undefined);
  }, untilKept);
  context.subscriptions.push({ dispose: () => clearTimeout(timer) });
  return extension.activate(context);
}

export function deactivate(): ReturnType<typeof deactivateExtension> {
  return extension?.deactivate();
}
