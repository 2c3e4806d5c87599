import { boundedJson } from '../../log/boundedJson';
import { oneLine } from '../../log/text';
import type { ExchangeText } from '../jsonrpc/exchangeText';
import { arrayOf, isObject, objectOf, textOf } from '../json';
import { subjectOfParams } from './subject';

/** Any notification except logs, status, progress and cancellations, for a person. Unknown ones are shown as JSON. */
export function describeNotification(method: string, params: unknown): ExchangeText {
  const fields = objectOf(params);
  switch (method) {
    case 'initialized':
      return { level: 'debug', kind: 'lifecycle', message: 'told the server that we are ready' };
    case 'exit':
      return { level: 'debug', kind: 'lifecycle', message: 'asked to end' };
    case '$/setTrace':
      return {
        level: 'debug',
        logger: 'trace',
        message: `asked for: ${oneLine(textOf(fields['value']) ?? '(none)', 40)}`,
      };
    case 'workspace/didChangeConfiguration': {
      // The values are not repeated: there may be secrets among them.
      const names = oneLine(Object.keys(objectOf(fields['settings'])).slice(0, 30).join(', '), 200);
      return { level: 'debug', logger: method, message: `settings: ${names || 'none'}` };
    }
    case 'textDocument/publishDiagnostics': {
      const { length } = arrayOf(fields['diagnostics']);
      return { level: 'debug', logger: method, message: `${subjectOfParams(params) ?? '(no document)'}: ${length}` };
    }
  }
  // The text of a document is not the log's business.
  if (/^(?:textDocument|notebookDocument)\//.test(method)) {
    return { level: 'debug', logger: method, message: subjectOfParams(params) ?? '(no document)' };
  }
  const isEmpty = params === undefined || params === null || (isObject(params) && Object.keys(params).length === 0);
  return { level: isEmpty ? 'debug' : 'info', logger: method, message: boundedJson(params ?? null, 2000) };
}
