import { boundedJson } from '../../log/boundedJson';
import { oneLine } from '../../log/text';
import type { ExchangeText } from '../jsonrpc/exchangeText';
import { objectOf, textOf } from '../json';

/** Describes any notification except logs, progress and cancellations. Unknown ones are shown with their parameters. */
export function describeNotification(method: string, params: unknown): ExchangeText {
  const fields = objectOf(params);
  switch (method) {
    case 'notifications/initialized':
      return { level: 'debug', kind: 'lifecycle', message: 'told the server that we are ready' };
    case 'notifications/tools/list_changed':
    case 'notifications/prompts/list_changed':
    case 'notifications/resources/list_changed':
    case 'notifications/roots/list_changed': {
      const what = method.split('/')[1] ?? method;
      return { level: 'debug', logger: what, message: `the list of ${what} has changed` };
    }
    case 'notifications/resources/updated':
      return { level: 'info', logger: 'resources', message: `${nameOf(fields['uri'])} was updated` };
    case 'notifications/elicitation/complete':
      return { level: 'info', logger: 'elicitation', message: `${nameOf(fields['elicitationId'])} is complete` };
    case 'notifications/tasks/status': {
      const text = textOf(fields['statusMessage']);
      const status = `${nameOf(fields['status'])}${text === undefined ? '' : `: ${oneLine(text, 300)}`}`;
      const level = fields['status'] === 'failed' ? 'error' : 'info';
      return { level, logger: 'task', message: `${nameOf(fields['taskId'])} ${status}` };
    }
    case 'notifications/subscriptions/acknowledged':
      return { level: 'debug', logger: 'subscriptions', message: `acknowledged ${boundedJson(params ?? null, 500)}` };
    default:
      return { level: 'info', logger: method, message: boundedJson(params ?? null, 2000) };
  }
}

function nameOf(value: unknown): string {
  return oneLine(textOf(value) ?? '(no name)', 300);
}
