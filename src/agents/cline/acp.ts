import type { JsonObject } from '../../text/json';
import { isObject } from '../../text/json';
import type { AcpExtension } from '../../protocols/acp/extension';
import { inputOf, toolEndOf } from './content';

/** Cline as an ACP agent: every call is `completed`, and only its raw output says how it ended. */
export const extension: AcpExtension = {
  toolUpdateOf(update) {
    const { rawInput, rawOutput } = update;
    if (isObject(rawInput) && Array.isArray(rawInput['commands'])) return { ...update, rawInput: inputOf(rawInput) };
    if (!isResult(rawOutput)) return undefined;
    const { outcome, exitCode, output } = toolEndOf(rawOutput);
    return {
      ...update,
      content: [{ type: 'content', content: { type: 'text', text: output } }],
      rawOutput: { output, success: outcome === 'ok', ...(exitCode !== undefined && { exit_code: exitCode }) },
    };
  },
};

/** The results of commands and files, or that of a subagent. */
function isResult(output: unknown): boolean {
  if (Array.isArray(output)) return output.length > 0 && output.every((one) => isObject(one) && isOne(one));
  return isObject(output) && 'finishReason' in output && 'iterations' in output;
}

function isOne(result: JsonObject): boolean {
  return 'query' in result && typeof result['success'] === 'boolean';
}
