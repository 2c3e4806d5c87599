import { objectOf, textOf } from '../../text/json';
import { parsedJson } from '../../text/jsonText';
import type { ToolEnd } from '../../protocols/agentWriter/verbs';
import { numberIn } from '../reading/saved/parts';
import { providerError } from '../../work/failures/errorText';

const exit = /^Exit code: (\d{1,10})\n/;
/** How it words an edit that failed. */
const failed =
  /^(?:String to replace not found in file\.|Found \d+ matches of the string to replace|No changes to make: )/;

/** Reads the result of a tool call. A saved one isn't marked as an error even if its command or edit failed. */
export function toolEnd(output: string, isError: boolean): ToolEnd {
  const exitCode = numberIn(output.slice(0, 200), exit);
  const hasFailed = isError || (exitCode ?? 0) !== 0 || failed.test(output.slice(0, 200));
  return { outcome: hasFailed ? 'error' : 'ok', exitCode, output: output.replace(exit, '') };
}

/** The reason in an error of the agent, or of its program, which quotes the agent's as JSON. */
export function errorOf(message: string): string {
  const inner = objectOf(objectOf(objectOf(parsedJson(message))['error'])['error']);
  return providerError(textOf(inner['message']) ?? message);
}
