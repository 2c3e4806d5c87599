import type { StderrExcerpt } from '../log/termination';
import { oneLine } from '../log/text';

/** The line of a stack trace that says what happened. */
const exception = /^(?:Uncaught )?[\w$.]*(?:Error|Exception)\b.*$/gm;

/** What an agent wrote last on standard error, on one line: mostly why it ended. */
export function lastWords(stderr: StderrExcerpt | undefined): string | undefined {
  const text = (stderr?.tail ?? stderr?.head ?? '').trimEnd();
  const line = text.match(exception)?.at(-1) ?? text.split('\n').at(-1);
  return line === undefined || line === '' ? undefined : oneLine(line, 200);
}
