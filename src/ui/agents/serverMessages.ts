import type { ShowMessage } from '../../runs/lsp/lspMessages';
import type { Configuration } from '../configuration';
import { tellError, tellInformation, tellWarning } from '../notify';
import { outputOfAgent } from '../wayToLog';

/** Shows the messages of a language server, where the person wants that; otherwise they stand in the log alone. */
export function serverMessages(agentName: string, configuration: Configuration): ShowMessage {
  return ({ level, text, actions }) => {
    if (!configuration.showsServerMessages) return Promise.resolve(undefined);
    const message = `${agentName}: ${text}`;
    if (level !== 'error' && level !== 'warning') return tellInformation(message, ...actions);
    return (level === 'error' ? tellError : tellWarning)(message, outputOfAgent(agentName), ...actions);
  };
}
