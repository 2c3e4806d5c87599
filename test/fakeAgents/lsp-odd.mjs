// @ts-check
// A language server that misbehaves as its first argument says.
import { writeSync } from 'node:fs';
import { FakeLspServer, noAnswer } from './lib/fakeLspServer.mjs';

const server = new FakeLspServer();
/** @type {Record<string, () => void>} */
const ways = {
  junk: () => {
    writeSync(1, 'Debugger attached.\n');
    server.handlers.set('initialized', () => {
      writeSync(1, 'printed');
      server.log(3, 'after what was printed');
      writeSync(1, 'Content-Length: 7\r\n\r\n{"a":12345}\n');
      server.log(3, 'after a wrong length');
      server.log(3, 'x'.repeat(200_000));
      server.log(3, 'after a long message');
    });
  },
  refuses: () => server.handlers.set('initialize', () => new Error('No TypeScript here.')),
  deafToShutdown: () => {
    server.handlers.set('shutdown', () => noAnswer);
    server.handlers.set('exit', () => noAnswer);
  },
  dies: () => {
    server.handlers.set('initialized', () => {
      server.notify('$/progress', { token: 't', value: { kind: 'begin', title: 'Indexing' } });
      process.stderr.write('out of luck\n', () => process.exit(7));
    });
  },
  asksEarly: () => {
    server.handlers.set('initialize', async () => {
      const asked = [
        'window/showMessageRequest',
        'workspace/configuration',
        'window/showDocument',
        'workspace/applyEdit',
        'window/workDoneProgress/create',
        'client/registerCapability',
      ];
      for (const method of asked) {
        const params = {
          type: 1,
          message: 'Go on?',
          actions: [{ title: 'Yes' }],
          items: [{}],
          token: 1,
          registrations: [],
        };
        const { result, error } = await server.request(method, params);
        server.log(3, `${method}: ${JSON.stringify(error ?? result)}`);
      }
      return { capabilities: {} };
    });
  },
  // Offers everything that a client would register with its editor, and logs what the client sends.
  offersAll: () => {
    server.handlers.set('initialize', () => ({
      capabilities: {
        positionEncoding: 'utf-8',
        textDocumentSync: { openClose: true, change: 1, save: true },
        executeCommandProvider: { commands: ['lspOdd.command'] },
        workspaceSymbolProvider: true,
        hoverProvider: true,
        workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
      },
    }));
    const receive = server.receive.bind(server);
    server.receive = (message) => {
      if (message.method !== undefined) server.log(3, `got ${message.method}`);
      return receive(message);
    };
  },
  shouts: () => {
    server.handlers.set('initialized', () => {
      for (let i = 1; i <= 50; i++) server.notify('window/showMessage', { type: 1, message: `message ${i}` });
      server.log(3, 'shouted');
    });
  },
};
ways[process.argv[2] ?? '']?.();
server.serve();
