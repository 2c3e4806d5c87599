import { boundedJson } from '../../text/boundedJson';
import { duration, oneLine } from '../../text/text';
import type { ExchangeText } from '../jsonrpc/exchangeText';
import { arrayOf, objectOf, textOf } from '../../text/json';
import type { OpenRequest } from '../../work/requests';
import { shownRecord } from './logMessage';
import { namesOf } from './subject';

/** Describes a server's request to us. */
export function describeAsk(method: string, params: unknown): ExchangeText {
  const fields = objectOf(params);
  const debug = (message: string): ExchangeText => ({ level: 'debug', logger: method, message });
  switch (method) {
    case 'window/showMessageRequest': {
      const { level, message } = shownRecord({ type: fields['type'], message: fields['message'] });
      const actions = namesOf(fields['actions'], 'title');
      return { level, kind: 'notice', message: actions === '' ? message : `${message} (${actions})` };
    }
    case 'window/showDocument':
      return { level: 'info', logger: method, message: `asked to show ${oneLine(textOf(fields['uri']) ?? '', 300)}` };
    case 'window/workDoneProgress/create':
      return debug('will tell how far its work is');
    case 'workspace/configuration':
      return debug(`asked for the settings ${namesOf(fields['items'], 'section') || '(all)'}`);
    case 'workspace/workspaceFolders':
      return debug('asked for the folders');
    case 'workspace/applyEdit': {
      const label = textOf(fields['label']);
      return {
        level: 'notice',
        logger: method,
        message: `asked to edit files${label === undefined ? '' : `: ${oneLine(label, 200)}`}`,
      };
    }
    case 'client/registerCapability':
      return debug(`wants to be asked: ${namesOf(fields['registrations'], 'method')}`);
    case 'client/unregisterCapability':
      // LSP itself misspells this field.
      return debug(`wants not to be asked any more: ${namesOf(fields['unregisterations'], 'method')}`);
    default:
      if (method.endsWith('/refresh')) return debug('asked us to ask again');
      return { level: 'info', logger: method, message: `asked by the server ${boundedJson(params ?? null, 1000)}` };
  }
}

/** Describes our response. Omits settings, which may contain secrets. */
export function describeReply({ method }: OpenRequest, result: unknown, ms: number): ExchangeText {
  const after = `(after ${duration(ms)})`;
  switch (method) {
    case 'window/showMessageRequest': {
      const title = textOf(objectOf(result)['title']);
      const chosen = title === undefined ? 'nobody chose' : `chosen: ${oneLine(title, 200)}`;
      return { level: 'info', kind: 'notice', message: `${chosen} ${after}` };
    }
    case 'workspace/configuration': {
      const given = arrayOf(result).filter((value) => value !== null).length;
      return {
        level: 'debug',
        logger: method,
        message: `answered with ${given} of ${arrayOf(result).length} ${after}`,
      };
    }
    default:
      return {
        level: 'debug',
        logger: method,
        message: `answered ${after}${result === null || result === undefined ? '' : ` ${boundedJson(result, 300)}`}`,
      };
  }
}
