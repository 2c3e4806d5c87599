import { oneLine } from '../../text/text';
import { arrayOf, objectOf, textOf, textsOf } from '../../text/json';

const maxSubject = 200;

/** The subject of a message: the URI of a document, a command or a query. Never a document's text. */
export function subjectOfParams(params: unknown): string | undefined {
  const fields = objectOf(params);
  const document = objectOf(fields['textDocument'] ?? fields['notebookDocument']);
  const [subject] = textsOf(document['uri'], fields['uri'], fields['command'], fields['query']);
  return subject === undefined ? undefined : oneLine(subject, maxSubject);
}

/** The names in a list of objects, separated by commas. */
export function namesOf(list: unknown, field: string): string {
  const names = arrayOf(list)
    .slice(0, 30)
    .flatMap((item) => textOf(objectOf(item)[field]) ?? []);
  return oneLine(names.join(', '), 300);
}
