import type { JsonObject } from '../../text/json';
import type { ToolEnd } from '../../protocols/agentWriter/verbs';
import type { Usage } from '../../work/activity';
import type { UsageConvention } from '../../work/usage/usage';
import { usageOf } from '../../work/usage/usage';
import { numberIn, withoutEnd } from '../reading/saved/parts';

const convention: UsageConvention = { inputExcludesCache: true };
/** How Droid words the exit code of a command, whatever it is. */
const exit = /\s*\[Process exited with code (\d{1,10})\]\s*$/;
const failed = /^Error: Command failed \(exit code: \d{1,10}\)\n/;

/** Reads the result of a tool call. */
export function toolEnd(output: string, isError: boolean): ToolEnd {
  return {
    outcome: isError ? 'error' : 'ok',
    exitCode: numberIn(output.slice(-200), exit),
    output: withoutEnd(output, exit).replace(failed, ''),
  };
}

/** What a session has used, in all its runs: Droid saves and prints only that. */
export function sessionUsage(fields: JsonObject): Usage | undefined {
  return usageOf(fields, 'cumulative', { convention });
}
