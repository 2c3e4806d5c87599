import { createMessageConnection } from 'vscode-jsonrpc/node';
import type { CreateLanguageClient } from '../../src/runs/lsp/languageClient';

/** Does what a run needs of vscode-languageclient, which loads in VS Code only: `test/suites/lsp.test.ts` tries that one. */
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
