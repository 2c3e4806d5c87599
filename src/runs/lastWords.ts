import type { StderrExcerpt } from '../log/termination';
import { oneLine } from '../log/text';
import { tellingLines } from '../protocols/stderr/tellingLines';

/** The line of a stack trace that says what happened. */
const exception = /^(?:Uncaught )?[\w$.]*(?:Error|Exception)\b/;

/** What an agent wrote last on standard error, on one line: mostly why it ended. */
export function lastWords(stderr: StderrExcerpt | undefined): string | undefined {
  const lines = tellingLines((stderr?.tail ?? stderr?.head ?? '').split('\n'));
  const line = [...lines].reverse().find((told) => exception.test(told)) ?? lines.at(-1);
  return line === undefined ? undefined : oneLine(line, 200);
}
