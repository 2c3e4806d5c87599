// @ts-check
// A language server that uses every feature: it logs at every level, sends every request, and reports progress.
import { FakeLspServer } from './lib/fakeLspServer.mjs';

const server = new FakeLspServer();
/** @type {[string, Record<string, unknown>?][]} */
const asked = [
  ['workspace/configuration', { items: [{ section: 'aws.logLevel' }, { section: 'nothing' }, {}] }],
  ['workspace/workspaceFolders'],
  ['client/registerCapability', { registrations: [] }],
  ['workspace/semanticTokens/refresh'],
  ['window/showDocument', { uri: 'file:///a' }],
  ['workspace/applyEdit', { edit: {} }],
  ['window/showMessageRequest', { type: 1, message: 'Restart?', actions: [{ title: 'Yes', id: 7 }, { title: 'No' }] }],
  ['vendor/ask', {}],
];

server.handlers.set('initialized', async () => {
  for (const type of [1, 2, 3, 4, 5]) server.log(type, `said with type ${type}`);
  server.notify('window/showMessage', { type: 2, message: 'Look here.' });
  await server.request('window/workDoneProgress/create', { token: 1 });
  server.notify('$/progress', { token: 1, value: { kind: 'begin', title: 'Indexing', cancellable: true } });
  for (const [method, params] of asked) {
    const { result, error } = await server.request(method, params);
    server.log(3, `${method}: ${JSON.stringify(error ?? result)}`);
  }
  server.log(3, 'asked all');
});
server.handlers.set('window/workDoneProgress/cancel', ({ token }) =>
  server.notify('$/progress', { token, value: { kind: 'end', message: 'cancelled' } }),
);
server.handlers.set('$/setTrace', ({ value }) => server.notify('$/logTrace', { message: `trace is ${String(value)}` }));
server.handlers.set('workspace/didChangeConfiguration', ({ settings }) => server.log(5, JSON.stringify(settings)));
console.error('a line of standard error');
server.serve();
