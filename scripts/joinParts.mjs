// @ts-check
import { build, transform } from 'esbuild';
import { basename } from 'node:path';

/** @typedef {Readonly<Record<string, string>>} Files code by file name */

/**
 * The files that are loaded together whatever happens as one: VS Code looks up, reads and compiles each for itself, which took longer than
 * running them. It exports what the main file does, and as `parts` the modules in it which files that are loaded later import.
 * @param {Files} files ES modules
 * @param {string} main the file that is loaded first
 * @param {ReadonlySet<string>} together the files that it loads at once, itself among them
 * @param {Pick<import('esbuild').CommonOptions, 'platform' | 'target' | 'minify' | 'supported'>} options
 * @returns {Promise<string>} CommonJS
 */
export async function joined(files, main, together, options) {
  const parts = [...together].filter((name) => name !== main);
  const entry = [
    ...parts.map((name, number) => `import * as part${number} from './${name}';`),
    `export * from './${main}';`,
    `export const parts = { ${parts.map((name, number) => `'./${name}': part${number}`).join(', ')} };`,
  ];
  const { outputFiles } = await build({
    ...options,
    minify: false,
    stdin: { contents: entry.join('\n') },
    bundle: true,
    format: 'cjs',
    write: false,
    external: ['vscode'],
    plugins: [
      {
        name: 'parts',
        setup(parts) {
          parts.onResolve({ filter: /^\.\// }, ({ path }) =>
            together.has(basename(path)) ? { path: basename(path), namespace: 'part' } : { path, external: true },
          );
          parts.onLoad({ filter: /.*/, namespace: 'part' }, ({ path }) => ({ contents: files[path] ?? '' }));
        },
      },
    ],
  });
  const [file] = outputFiles;
  if (!file) throw new Error(`${main} could not be made.`);
  const { code } = await transform(once(file.text), { ...options, format: 'cjs' });
  return code;
}

/**
 * Each module requires what it needs for itself, and to VS Code each of these calls is work: it looks up who asks for its API, and esbuild
 * copies the hundreds of members that this has. Together that was the most of what loading took.
 * @param {string} code CommonJS of esbuild's, as it is before it is minified
 */
function once(code) {
  const [first = '', ...rest] = code.split('\n');
  const head = `${first === '"use strict";' ? `${first}\n` : ''}const required = new Map();
function requireOnce(name) {
  if (!required.has(name)) required.set(name, require(name));
  return required.get(name);
}
`;
  const body = (head.startsWith(first) && first !== '' ? rest : [first, ...rest]).join('\n');
  return (
    head +
    body.replaceAll('__toESM(require("vscode"))', 'require("vscode")').replaceAll(/\brequire\("/g, 'requireOnce("')
  );
}

/**
 * A file that is loaded later, with the modules that the main one has taken from there.
 * @param {string} code CommonJS
 * @param {string} main
 * @param {ReadonlySet<string>} together
 */
export function withParts(code, main, together) {
  return code.replace(/require\("\.\/([^"/]+\.js)"\)/g, (all, /** @type {string} */ name) =>
    together.has(name) ? `require("./${main}").parts["./${name}"]` : all,
  );
}

/**
 * The files that a file loads at once: it and what it imports, and what that imports.
 * @param {import('esbuild').Metafile} metafile
 * @param {string} main its name
 * @returns {ReadonlySet<string>}
 */
export function loadedWith({ outputs }, main) {
  /** @type {Set<string>} */
  const found = new Set();
  /** @param {string} path */
  const add = (path) => {
    const name = basename(path);
    if (found.has(name) || !outputs[path]) return;
    found.add(name);
    for (const { path: imported, kind } of outputs[path].imports) if (kind === 'import-statement') add(imported);
  };
  for (const path of Object.keys(outputs)) if (basename(path) === main) add(path);
  return found;
}
