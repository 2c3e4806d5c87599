import type { JsonObject } from '../../text/json';
import { numberOf, textOf } from '../../text/json';
import { outputText } from '../../protocols/agentWriter/toolText';
import type { Retry, ToolEnd } from '../../protocols/agentWriter/verbs';
import { numberIn, withoutEnd } from '../reading/saved/parts';

/** How Kimi words the end of a command. */
const exit = /\n?Command failed with exit code: (\d{1,10})\.?\s*$/;
/** How it words a call that it didn't run. */
const refused =
  /^(?:Tool "[^"]{1,200}" was (?:denied by|not run because the user rejected)|(?:Plan rejected by user|User rejected the plan)\.)/;
const cancelled =
  /(?:^|\n)(?:Interrupted by user|Session closed)\.?\s*$|^Tool "[^"]{1,200}" was not run because the approval request was cancelled/;

/** How it words what failed, for a stream. */
const failed =
  /^(?:subagent error: |old_string (?:not found|is not unique|appears) |No changes to make: |"[^"\n]{1,300}" does not exist\.\s*$|agent_id: [^\n]{1,100}\n(?:[^\n]{0,100}\n){0,3}?status: failed\n)/;

/** Reads the result of a tool call. @param isError `undefined` in a stream, which doesn't say it */
export function toolEnd(content: unknown, isError: boolean | undefined): ToolEnd {
  const output = outputText(content);
  const exitCode = numberIn(output.slice(-200), exit);
  return { outcome: outcomeOf(output, exitCode, isError), exitCode, output: withoutEnd(output, exit) };
}

function outcomeOf(output: string, exitCode: number | undefined, isError: boolean | undefined): ToolEnd['outcome'] {
  if (isError === false) return 'ok';
  if (refused.test(output.slice(0, 500))) return 'refused';
  if (cancelled.test(output.slice(-300))) return 'cancelled';
  if (isError === undefined && exitCode === undefined && !failed.test(output.slice(0, 800))) return undefined;
  return 'error';
}

/** Reads a failed attempt: the fields of a session's file, and their names in a stream. */
export function retryOf(line: JsonObject): Retry {
  return {
    attempt: numberOf(line['nextAttempt'] ?? line['next_attempt']),
    max: numberOf(line['maxAttempts'] ?? line['max_attempts']),
    inMs: numberOf(line['delayMs'] ?? line['delay_ms']),
    status: numberOf(line['statusCode'] ?? line['status_code']),
    why:
      textOf(line['errorMessage'] ?? line['error_message']) ??
      textOf(line['errorName'] ?? line['error_name']) ??
      'no reason given',
  };
}
