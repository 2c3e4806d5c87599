// @ts-check
// The oldest server is a library that code-server's own web server used to load; this is the least that serves it.
// Arguments: the folder of VS Code's server, and its flags as JSON.
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/**
 * @typedef {object} VsCodeServer
 * @property {(request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse) => unknown} handleRequest
 * @property {(request: import('node:http').IncomingMessage, socket: import('node:stream').Duplex) => unknown} handleUpgrade
 */
/**
 * @typedef {object} ServerMain
 * @property {() => Promise<{ createServer(address: null, flags: object): Promise<VsCodeServer> }>} loadCodeWithNls
 */

const [, , vscode, flags] = process.argv;
if (vscode === undefined || flags === undefined) throw new Error('usage: launchOldest.mjs FOLDER FLAGS');

// Without it, the module takes itself for code-server's child that was not told its parent.
process.env['CODE_SERVER_PARENT_PID'] = String(process.ppid);

/** @type {unknown} */
const serverModule = createRequire(import.meta.url)(join(vscode, 'out', 'server-main.js'));
const serverMain = /** @type {ServerMain} */ (serverModule);
const library = await serverMain.loadCodeWithNls();
const vsCodeServer = await library.createServer(null, {
  .../** @type {object} */ (JSON.parse(flags)),
  compatibility: '1.64', // else it refuses to go without a flag that only its own command line sets
});

const server = createServer((request, response) => void vsCodeServer.handleRequest(request, response));
server.on('upgrade', (request, socket) => void vsCodeServer.handleUpgrade(request, socket));
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') console.log(`listening on ${address.port}`);
});
