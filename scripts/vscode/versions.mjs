// @ts-check
// The oldest supported and the newest VS Code. The npm package code-server 4.x.y contains the server and workbench of VS Code 1.x.y.

/**
 * @typedef {object} NpmVsCode
 * @property {string} version the version of VS Code
 * @property {string} codeServer the version of the npm package that carries it
 * @property {number} nodeMajor the Node that it is built for
 * @property {string} node the exact version, if the registry has it for this platform
 */

/** @type {NpmVsCode} the lowest version that `engines.vscode` admits. Desktop VS Code 1.105 has Node 22.19 inside: no newer one here. */
export const oldest = {
  version: '1.105.1',
  codeServer: '4.105.1',
  nodeMajor: 22,
  node: '22.19.0',
};

/** @type {NpmVsCode} */
export const newest = {
  version: '1.139.1',
  codeServer: '4.139.1',
  nodeMajor: 24,
  node: '24.21.0',
};

/**
 * @param {string | undefined} version a version of VS Code; the newest without one
 * @returns {NpmVsCode}
 */
export function findVersion(version) {
  if (version === undefined || version === '') return newest;
  const found = [oldest, newest].find((known) => known.version === version);
  if (!found) throw new Error(`VS Code ${version} isn't pinned. Use ${oldest.version} or ${newest.version}.`);
  return found;
}
