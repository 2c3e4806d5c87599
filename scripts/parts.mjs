// @ts-check
// Splits a program into a few CommonJS files, some of which a second program can use. esbuild splits only ES modules, into a file for each set of entries that share a module:
// 48 to load at activation, which takes VS Code three to six times as long (figures in bench/README.md).
import { build } from 'esbuild';
import { relative, resolve } from 'node:path';

/** @typedef {import('esbuild').Metafile['inputs']} Inputs */

/**
 * @typedef {object} Parts
 * @property {string} main what `entry` imports statically; exports what that does
 * @property {string} entry
 * @property {readonly Part[]} others in order: each module is in the first part that reaches it
 * @property {SecondProgram} [second]
 */

/**
 * @typedef {object} Part loaded on the first import that needs it
 * @property {string} name
 * @property {readonly string[]} [roots] modules that are loaded when needed, by `import()` or `require()`, and that it contains with all their imports; default: those that
 *   the parts before it import
 * @property {boolean} [leavesDynamic] leaves what it imports dynamically to the parts after it
 * @property {boolean} [ofBoth] contains what both programs reach, unless a part before it does
 */

/**
 * @typedef {object} SecondProgram a program that runs without the first, in a file of its own
 * @property {string} name
 * @property {string} entry
 * @property {readonly string[]} shares the parts that it loads. It has copies of what it needs of the others, which these parts use there, too
 * @property {string} banner
 */

/**
 * @typedef {object} Division
 * @property {ReadonlyMap<string, string>} partOf the name of the part that holds each module
 * @property {ReadonlyMap<string, ReadonlySet<string>>} shared which modules of each part others import
 * @property {ReadonlyMap<string, ReadonlySet<string>>} copied which modules of each part the second program has for the parts that it shares
 */

/**
 * Writes each part, and the second program, to a file of `outdir`. A module is in exactly one part, so that classes and state exist once.
 * @param {Parts} parts
 * @returns {import('esbuild').Plugin} for a build of all entries, used only for its import graph
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
        const all = [...division.shared.keys(), ...(parts.second ? [parts.second.name] : [])];
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
export function divide(inputs, { entry, main, others, second }) {
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
  const ofFirst = reachedFrom(inputs, entry);
  /** @type {ReadonlySet<string>} */
  const ofSecond = second ? reachedFrom(inputs, second.entry) : new Set();
  /** Without the parts that the second program loads when needed. */
  const ofBothAtFirst = second ? reachedFrom(inputs, second.entry, laterRoots(others, second.shares)) : ofSecond;
  for (const { name, roots: own, leavesDynamic = false, ofBoth = false } of others) {
    const imports = [...partOf.keys()].flatMap((path) => inputs[path]?.imports ?? []).map(({ path }) => path);
    if (ofBoth) {
      for (const path of ofBothAtFirst) if (ofFirst.has(path) && !partOf.has(path)) partOf.set(path, name);
      continue;
    }
    for (const path of own ?? imports.filter((path) => !roots.has(path))) {
      add(path, name, (kind) => !leavesDynamic || kind !== 'dynamic-import');
    }
  }
  return { partOf, ...crossed(inputs, partOf, [main, ...others.map(({ name }) => name)], second, ofSecond) };
}

/**
 * @param {Inputs} inputs
 * @param {string} entry
 * @param {ReadonlySet<string>} [without]
 * @returns {ReadonlySet<string>} the modules that it imports in any way, and itself
 */
function reachedFrom(inputs, entry, without = new Set()) {
  const reached = new Set([entry]);
  for (const path of reached) {
    for (const { path: imported } of inputs[path]?.imports ?? []) {
      if (inputs[imported] && !without.has(imported)) reached.add(imported);
    }
  }
  return reached;
}

/**
 * @param {readonly Part[]} parts
 * @param {readonly string[]} shares
 * @returns {ReadonlySet<string>} the roots of those that are shared and come after the part of both programs
 */
function laterRoots(parts, shares) {
  const after = parts.slice(parts.findIndex(({ ofBoth = false }) => ofBoth) + 1);
  return new Set(after.filter(({ name }) => shares.includes(name)).flatMap(({ roots = [] }) => roots));
}

/**
 * @param {Inputs} inputs
 * @param {ReadonlyMap<string, string>} partOf
 * @param {readonly string[]} names
 * @param {SecondProgram | undefined} second
 * @param {ReadonlySet<string>} ofSecond
 * @returns {Pick<Division, 'shared' | 'copied'>}
 */
function crossed(inputs, partOf, names, second, ofSecond) {
  const none = () => new Map(names.map((name) => [name, /** @type {Set<string>} */ (new Set())]));
  const [shared, copied] = [none(), none()];
  for (const [path, part] of partOf) {
    for (const { path: imported } of inputs[path]?.imports ?? []) {
      const holder = partOf.get(imported);
      if (holder !== undefined && holder !== part) shared.get(holder)?.add(imported);
    }
  }
  /** @param {string} path */
  const isLoaded = (path) => second?.shares.includes(partOf.get(path) ?? '') ?? false;
  for (const path of ofSecond) {
    for (const { path: imported } of inputs[path]?.imports ?? []) {
      if (isLoaded(path) === isLoaded(imported)) continue;
      (isLoaded(imported) ? shared : copied).get(partOf.get(imported) ?? '')?.add(imported);
    }
  }
  return { shared, copied };
}

/**
 * @param {import('esbuild').BuildOptions} options
 * @param {string} name
 * @param {Parts} parts
 * @param {Division} division
 * @param {Inputs} inputs
 */
async function buildPart(options, name, parts, division, inputs) {
  const { main, entry, second } = parts;
  const paths = [...(division.shared.get(name) ?? [])].sort();
  const source = () => {
    if (name === second?.name) return `import './${second.entry}';`;
    if (name === main) return loadedAtOnce(paths, entry);
    return loadedWhenUsed(paths) + (second?.shares.includes(name) ? `export { use } from '${otherParts}';` : '');
  };
  await build({
    ...options,
    ...(name === second?.name && { banner: { js: second.banner } }),
    entryPoints: { [name]: 'part' },
    plugins: [
      {
        name: 'part',
        setup(part) {
          part.onResolve({ filter: /^part$/ }, ({ path, kind }) =>
            kind === 'entry-point' ? { path, namespace: 'part' } : undefined,
          );
          part.onLoad({ filter: /.*/, namespace: 'part' }, () => ({ contents: source(), resolveDir: resolve('.') }));
        },
      },
      crossings(name, parts, division, inputs),
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
  return `export const modules = ${getters(paths)};`;
}

/** @param {readonly string[]} paths */
function getters(paths) {
  return `{ ${paths.map((path) => `get '${path}'() { return require('./${path}'); }`).join(', ')} }`;
}

/**
 * Takes a module of another part from that part's file.
 * @param {string} name
 * @param {Parts} parts
 * @param {Division} division
 * @param {Inputs} inputs
 * @returns {import('esbuild').Plugin}
 */
function crossings(name, { second }, { partOf, copied }, inputs) {
  const isSecond = name === second?.name;
  /** @param {string} part */
  const isShared = (part) => second?.shares.includes(part) ?? false;
  return {
    name: 'crossings',
    setup(part) {
      part.onResolve({ filter: /.*/ }, ({ path, importer, namespace }) => {
        if (path === otherParts) return { path, namespace: otherParts };
        if (namespace === 'crossing') return { path, external: true };
        // Each import of an external module copies its members, and VS Code's API has hundreds: copied once for each part.
        if (path === 'vscode') return { path, namespace: 'crossing' };
        const from = relative('.', importer).replaceAll('\\', '/');
        const imported = inputs[from]?.imports.find(({ original }) => original === path)?.path;
        const holder = partOf.get(imported ?? '');
        if (imported === undefined || holder === undefined || holder === name) return undefined;
        if (isSecond && !isShared(holder)) return undefined;
        return { path: imported, namespace: 'crossing', pluginData: holder };
      });
      part.onLoad({ filter: /.*/, namespace: 'crossing' }, ({ path, pluginData }) => {
        if (path === 'vscode') return { contents: `export * from 'vscode';` };
        const load = isSecond || isShared(name) ? `require('${otherParts}').load` : 'require';
        return { contents: `module.exports = ${load}('./${String(pluginData)}.js').modules['${path}'];` };
      });
      part.onLoad({ filter: /.*/, namespace: otherParts }, () => ({
        contents: isSecond ? withCopies(copied) : replaceable,
        resolveDir: resolve('.'),
      }));
    },
  };
}

/** The name of a module that loads parts for a shared part, or for the second program. */
const otherParts = 'other-parts';

/** Its source in a shared part. */
const replaceable = `
  export let load = (path) => require(path);
  export const use = (other) => { load = other; };`;

/**
 * Its source in the second program, which has copies of modules of some parts, and makes the shared parts use them.
 * @param {Division['copied']} copied
 */
function withCopies(copied) {
  const parts = [...copied].filter(([, paths]) => paths.size > 0);
  const copies = parts.map(([name, paths]) => `'./${name}.js': { modules: ${getters([...paths].sort())} }`);
  return `
    const copies = { ${copies.join(', ')} };
    export const load = (path) => {
      if (copies[path]) return copies[path];
      const part = require(path);
      part.use(load);
      return part;
    };`;
}
