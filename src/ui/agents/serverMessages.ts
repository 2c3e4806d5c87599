import type { ShowMessage } from '../../runs/lsp/lspMessages';
import type { Configuration } from '../configuration';
import { showError, showInformation, showWarning } from '../notify';
import { agentOutputLink } from '../logLink';

/** Shows a language server's messages if enabled in the settings; otherwise they are only logged. */
export function serverMessages(agentName: string, configuration: Configuration): ShowMessage {
  return ({ level, text, actions }) => {
    if (!configuration.showsServerMessages) return Promise.resolve(undefined);
    const message = `${agentName}: ${text}`;
    if (level !== 'error' && level !== 'warning') return showInformation(message, ...actions);
    return (level === 'error' ? showError : showWarning)(message, agentOutputLink(agentName), ...actions);
  };
}
