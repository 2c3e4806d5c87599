import type { JsonObject } from '../../text/json';
import { isObject, numberOf, objectOf, textOf, textsOf } from '../../text/json';
import { parsedJson } from '../../text/jsonText';
import { recordedChange } from '../../work/changes/recordedChanges';
import { outputText } from '../../protocols/agentWriter/toolText';
import type { ToolEnd } from '../../protocols/agentWriter/verbs';

const suffix = 'ToolCall';
const failures = new Set(['error', 'failure', 'spawnError', 'timeout', 'fileNotFound', 'notFound', 'invalidFile']);
const refusals = new Set(['rejected', 'permissionDenied', 'writePermissionDenied', 'readPermissionDenied']);
/** Fields with the output of a tool, and with why it failed. */
const outputs = ['stdout', 'stderr', 'output', 'content', 'message', 'errorMessage', 'error', 'reason', 'diffString'];

/** The call in `{"shellToolCall":{"args":…,"result":…}}` or `{"function":{"name":…,"arguments":…}}`. */
export function callIn(call: JsonObject): {
  readonly name: string;
  readonly input: unknown;
  readonly body: JsonObject;
} {
  const key = Object.keys(call).find((name) => name.endsWith(suffix) && isObject(call[name]));
  if (key !== undefined) {
    const body = objectOf(call[key]);
    const args = objectOf(body['args']);
    const name = key.slice(0, -suffix.length);
    if (name !== 'mcp') return { name, input: withoutId(args), body };
    const tool = textsOf(args['providerIdentifier'] ?? args['serverIdentifier'], args['toolName']).join('/');
    return { name: tool === '' ? (textOf(args['name']) ?? name) : tool, input: args['args'], body };
  }
  const body = objectOf(call['function']);
  const input = textOf(body['arguments']);
  return { name: textOf(body['name']) ?? 'tool', input: parsedJson(input ?? '') ?? input, body };
}

/** Reads how a call ended: its result is in a field that says so. */
export function endOf({ result }: JsonObject): ToolEnd {
  const [how, value] = Object.entries(objectOf(result)).find(([, inner]) => isObject(inner) || textOf(inner)) ?? [];
  const fields = objectOf(value);
  const output = textOf(value) ?? textsOf(...outputs.map((name) => outputOf(fields[name]))).join('\n');
  // A tool of an MCP server may have failed successfully.
  const outcome = fields['isError'] === true ? 'error' : outcomeOf(how);
  const { path, beforeFullFileContent: before, afterFullFileContent: after, diffString: diff } = fields;
  const changes = recordedChange({ path, before, after, diff });
  return { outcome, exitCode: numberOf(fields['exitCode']), output, changes };
}

function outcomeOf(how: string | undefined): ToolEnd['outcome'] {
  if (how === 'success') return 'ok';
  if (how === undefined) return undefined;
  if (refusals.has(how)) return 'refused';
  if (how === 'cancelled' || how === 'aborted') return 'cancelled';
  return failures.has(how) ? 'error' : undefined;
}

/** A text, or a list of texts, which may be `{"text":{"text":…}}`. */
function outputOf(value: unknown): string | undefined {
  if (typeof value === 'string') return textOf(value);
  if (!Array.isArray(value)) return undefined;
  const parts = value.map(objectOf).map((part) => (isObject(part['text']) ? part['text'] : part));
  return textOf(outputText(parts));
}

function withoutId({ toolCallId: _id, ...args }: JsonObject): JsonObject {
  return args;
}
