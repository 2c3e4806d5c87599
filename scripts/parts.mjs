// @ts-check
// Splits a program into a few CommonJS files. esbuild splits only ES modules, into a file for each set of entries that share a module:
// 48 to load at activation, which takes VS Code three to six times as long (figures in bench/README.md).
import { build } from 'esbuild';
import { relative, resolve } from 'node:path';

/** @typedef {import('esbuild').Metafile['inputs']} Inputs */

/**
 * @typedef {object} Parts
 * @property {string} main what `entry` imports statically; exports what that does
 * @property {string} entry
 * @property {readonly Part[]} others in order: each module is in the first part that reaches it
 */

/**
 * @typedef {object} Part loaded on the first import that needs it
 * @property {string} name
 * @property {readonly string[]} [roots] modules that are loaded when needed, by `import()` or `require()`, and that it contains with all their imports; default: those that
 *   the parts before it import
 * @property {boolean} [leavesDynamic] leaves what it imports dynamically to the parts after it
 */

/**
 * @typedef {object} Division
 * @property {ReadonlyMap<string, string>} partOf the name of the part that holds each module
 * @property {ReadonlyMap<string, ReadonlySet<string>>} shared which modules of each part others import
 */

/**
 * Writes each part to a file of `outdir`. A module is in exactly one part, so that classes and state exist once.
 * @param {Parts} parts
 * @returns {import('esbuild').Plugin} for a build of the whole program, used only for its import graph
 */
export function inParts(parts) {
  return {
    name: 'in-parts',
    setup(whole) {
      const options = { ...whole.initialOptions, entryPoints: [], plugins: [] };
      Object.assign(whole.initialOptions, { write: false, metafile: true, sourcemap: false });
      whole.onEnd(async ({ errors, metafile }) => {
        if (errors.length > 0 || !metafile) return;
        const division = divide(metafile.inputs, parts);
        const all = [...division.shared.keys()];
        await Promise.all(all.map((name) => buildPart(options, name, parts, division, metafile.inputs)));
      });
    },
  };
}

/**
 * @param {Inputs} inputs
 * @param {Parts} parts
 * @returns {Division}
 */
export function divide(inputs, { entry, main, others }) {
  /** @type {Map<string, string>} */
  const partOf = new Map();
  const roots = new Set(others.flatMap(({ roots = [] }) => roots));
  for (const root of roots) if (!inputs[root]) throw new Error(`No module imports ${root}, the root of a part.`);
  /** @type {(path: string, part: string, isFollowed: (kind: string) => boolean) => void} */
  const add = (path, part, isFollowed) => {
    if (!inputs[path] || partOf.has(path)) return;
    partOf.set(path, part);
    for (const { path: imported, kind } of inputs[path].imports) {
      if (!roots.has(imported) && isFollowed(kind)) add(imported, part, isFollowed);
    }
  };
  add(entry, main, (kind) => kind !== 'dynamic-import');
  for (const { name, roots: own, leavesDynamic = false } of others) {
    const imports = [...partOf.keys()].flatMap((path) => inputs[path]?.imports ?? []).map(({ path }) => path);
    for (const path of own ?? imports.filter((path) => !roots.has(path))) {
      add(path, name, (kind) => !leavesDynamic || kind !== 'dynamic-import');
    }
  }

  const names = [main, ...others.map(({ name }) => name)];
  const shared = new Map(names.map((name) => [name, /** @type {Set<string>} */ (new Set())]));
  for (const [path, part] of partOf) {
    for (const { path: imported } of inputs[path]?.imports ?? []) {
      const holder = partOf.get(imported);
      if (holder !== undefined && holder !== part) shared.get(holder)?.add(imported);
    }
  }
  return { partOf, shared };
}

/**
 * @param {import('esbuild').BuildOptions} options
 * @param {string} name
 * @param {Parts} parts
 * @param {Division} division
 * @param {Inputs} inputs
 */
async function buildPart(options, name, { main, entry }, division, inputs) {
  const paths = [...(division.shared.get(name) ?? [])].sort();
  await build({
    ...options,
    entryPoints: { [name]: 'part' },
    plugins: [
      {
        name: 'part',
        setup(part) {
          part.onResolve({ filter: /^part$/ }, ({ path, kind }) =>
            kind === 'entry-point' ? { path, namespace: 'part' } : undefined,
          );
          part.onLoad({ filter: /.*/, namespace: 'part' }, () => ({
            contents: name === main ? loadedAtOnce(paths, entry) : loadedWhenUsed(paths),
            resolveDir: resolve('.'),
          }));
        },
      },
      crossings(name, division, inputs),
    ],
  });
}

/**
 * The source of a part that exports what `entry` does, and as `modules` what other parts import from it.
 * @param {readonly string[]} paths
 * @param {string} entry
 */
function loadedAtOnce(paths, entry) {
  return [
    ...paths.map((path, index) => `import * as module${index} from './${path}';`),
    `export * from './${entry}';`,
    `export const modules = { ${paths.map((path, index) => `'${path}': module${index}`).join(', ')} };`,
  ].join('\n');
}

/** @param {readonly string[]} paths */
function loadedWhenUsed(paths) {
  const getters = paths.map((path) => `get '${path}'() { return require('./${path}'); }`);
  return `export const modules = { ${getters.join(', ')} };`;
}

/**
 * Takes a module of another part from that part's file.
 * @param {string} name
 * @param {Division} division
 * @param {Inputs} inputs
 * @returns {import('esbuild').Plugin}
 */
function crossings(name, { partOf }, inputs) {
  return {
    name: 'crossings',
    setup(part) {
      part.onResolve({ filter: /.*/ }, ({ path, importer, namespace }) => {
        if (namespace === 'crossing') return { path, external: true };
        // Each import of an external module copies its members, and VS Code's API has hundreds: copied once for each part.
        if (path === 'vscode') return { path, namespace: 'crossing' };
        const from = relative('.', importer).replaceAll('\\', '/');
        const imported = inputs[from]?.imports.find(({ original }) => original === path)?.path;
        const holder = partOf.get(imported ?? '');
        if (imported === undefined || holder === undefined || holder === name) return undefined;
        return { path: imported, namespace: 'crossing', pluginData: holder };
      });
      part.onLoad({ filter: /.*/, namespace: 'crossing' }, ({ path, pluginData: holder }) => ({
        contents:
          path === 'vscode'
            ? `export * from 'vscode';`
            : `module.exports = require('./${holder}.js').modules['${path}'];`,
      }));
    },
  };
}
