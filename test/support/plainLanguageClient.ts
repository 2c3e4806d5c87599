import { createMessageConnection } from 'vscode-jsonrpc/node';
import type { CreateLanguageClient } from '../../src/live/lsp/lspAgent';

/** Replaces vscode-languageclient, which loads only in VS Code and is tested by `test/suites/lsp.test.ts`. */
export const createPlainLanguageClient: CreateLanguageClient = ({ reader, writer, initializeParams }) => {
  const connection = createMessageConnection(reader, writer);
  connection.onClose(() => connection.dispose());
  return {
    start: async () => {
      connection.listen();
      await connection.sendRequest('initialize', initializeParams);
      await connection.sendNotification('initialized', {});
    },
    sendRequest: (method) => connection.sendRequest(method),
    sendNotification: (method, params) => connection.sendNotification(method, params),
  };
};
