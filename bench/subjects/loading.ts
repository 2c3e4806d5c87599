// Loads the bundled extension with a stub of VS Code, and prints the files that were loaded.
import { statSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';

export interface MeasuredLoading {
  readonly files: number;
  readonly bytes: number;
  readonly ms: number;
}

/** Members whose values are read while loading. Bundles copy a module's own members. */
const own: Readonly<Record<string, unknown>> = { LogLevel: {}, env: { language: 'en' }, l10n: {} };
const host: unknown = new Proxy(
  Object.assign(function () {}, own),
  {
    get: (target, name) => (name === 'prototype' ? (target.prototype as unknown) : (own[String(name)] ?? host)),
    getPrototypeOf: () => host as object, // bundles copy a module's own properties and inherit the rest
    apply: () => host,
    construct: () => host as object,
  },
);
const main = resolve('dist/extension.js');
const load = createRequire(main);
const loader = Module as unknown as { _load: (name: string, ...rest: readonly unknown[]) => unknown };
const loadModule = loader._load.bind(loader);
loader._load = (name, ...rest) => (name === 'vscode' ? host : loadModule(name, ...rest));
// The extension host has already loaded Node's own modules.
for (const name of ['fs', 'fs/promises', 'crypto', 'child_process', 'stream/promises']) load(`node:${name}`);

const start = performance.now();
load(main);
const ms = performance.now() - start;
const files = Object.keys(load.cache).filter((path) => path.startsWith(dirname(main)));
const bytes = files.reduce((sum, path) => sum + statSync(path).size, 0);
const measured: MeasuredLoading = { files: files.length, bytes, ms };
process.stdout.write(JSON.stringify(measured));
