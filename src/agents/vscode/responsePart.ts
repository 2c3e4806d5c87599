import { ownEnds } from '../../text/ownText';
import type { JsonObject } from '../../text/json';
import { arrayOf, isObject, objectOf, textOf } from '../../text/json';
import { boundedJson } from '../../text/boundedJson';
import { isDeeper, jsonText, maxIndented, parsedJson } from '../../text/jsonText';
import { withoutEnd } from '../../text/text';
import { messageText } from './failure';

/** Maximum number of characters of a tool's input or output to pass on; its head and tail are kept. */
const maxOutput = 64 * 1024;

export function isTool(part: JsonObject): boolean {
  return part['kind'] === 'toolInvocationSerialized' || part['kind'] === 'toolInvocation';
}

/** The text of a part that is Markdown, or names a file in it. */
export function textIn(part: JsonObject): string | undefined {
  switch (part['kind']) {
    case undefined:
      return textOf(part['value']);
    case 'markdownContent':
    case 'markdownVuln':
      return messageText(part['content'] ?? part['value']);
    case 'inlineReference': {
      const { name, inlineReference } = part;
      const reference = objectOf(inlineReference);
      return textOf(name) ?? textOf(reference['name']) ?? nameOf(fileOf(reference['uri'] ?? reference) ?? '');
    }
    default:
      return undefined;
  }
}

/** What a message says in a list of records: links are their labels, or the names of their files. */
export function plainMessage(message: unknown): string {
  return messageText(message)
    .slice(0, 2000)
    .replace(/\[([^\][]{0,200})\]\(([^()\s]{0,1000})\)/g, (_, label: string, uri: string) => label || nameOf(uri))
    .replaceAll('`', '')
    .trim();
}

/** The path in a URI, or in its components. */
export function fileOf(uri: unknown): string | undefined {
  if (isObject(uri)) return textOf(uri['fsPath']) ?? textOf(uri['path']);
  const path = /^[a-z][a-z0-9+.-]*:\/\/[^/]*(\/[^?#]*)/i.exec(textOf(uri) ?? '')?.[1];
  if (path === undefined) return undefined;
  const plain = decoded(path);
  return /^\/[a-z]:/i.test(plain) ? plain.slice(1) : plain;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function nameOf(path: string): string {
  const [file = ''] = path.split(/[?#]/, 1);
  return decoded(withoutEnd(file, /[/\\]/).split(/[/\\]/).at(-1) ?? '');
}

/** What is known about a tool call, without what only the chat view needs. */
export function toolPart(part: JsonObject): JsonObject {
  const { toolId, toolCallId, subAgentInvocationId, isConfirmed, resultError, invocationMessage, pastTenseMessage } =
    part;
  const { type, label } = objectOf(part['source']);
  return {
    type: 'vscode.tool',
    toolId,
    toolCallId,
    ...(subAgentInvocationId !== undefined && { subAgentInvocationId }),
    ...(isConfirmed !== undefined && { isConfirmed }),
    ...(type === 'mcp' && { server: label }),
    ...(resultError !== undefined && { resultError: boundedValue(resultError) }),
    message: plainMessage(pastTenseMessage ?? invocationMessage),
    ...dataOf(objectOf(part['toolSpecificData'])),
    ...resultOf(part['resultDetails']),
  };
}

function dataOf(data: JsonObject): JsonObject {
  switch (data['kind']) {
    case 'terminal': {
      const { userEdited, toolEdited, original } = objectOf(data['commandLine']);
      const { exitCode, duration, timestamp } = objectOf(data['terminalCommandState']);
      return {
        command: (textOf(userEdited) ?? textOf(toolEdited) ?? textOf(original) ?? textOf(data['command']))?.trim(),
        ...(exitCode !== undefined && { exitCode, duration, ts: timestamp }),
        output: outputEnds(textOf(objectOf(data['terminalCommandOutput'])['text'])),
        ...(isObject(data['autoApproveInfo']) && { autoApproved: plainMessage(data['autoApproveInfo']) }),
      };
    }
    case 'subagent': {
      const { description, prompt, agentName, modelId, result } = data;
      return { subagent: boundedValue({ description, prompt, agentName, modelId, result }) };
    }
    case 'input':
      return { input: boundedValue(data['rawInput']) };
    case 'todoList': {
      const items = arrayOf(data['todoList']).slice(0, 50).map(objectOf);
      return { todos: items.map(({ title, status }) => ({ title, status })) };
    }
    default:
      return {};
  }
}

/** What a tool of an MCP server returned; its pictures are left out. */
function resultOf(details: unknown): JsonObject {
  if (Array.isArray(details)) return { files: details.slice(0, 20).map((one) => fileOf(objectOf(one)['uri'] ?? one)) };
  const { input, output, isError } = objectOf(details);
  if (input === undefined && output === undefined) return {};
  const texts = arrayOf(output)
    .slice(0, 20)
    .map((one) => (objectOf(one)['isText'] === false ? '' : (textOf(objectOf(one)['value']) ?? '')));
  return {
    input: boundedValue(parsedJson(textOf(input) ?? '') ?? input),
    output: outputEnds(texts.filter((text) => text !== '').join('\n')),
    ...(isError === true && { isError }),
  };
}

/** Both ends of a tool's output. */
export function outputEnds(text: string | undefined): string | undefined {
  return text === undefined ? undefined : ownEnds(text, maxOutput);
}

/** Any other part, as it is: edits only by file and number. */
export function otherPart(part: JsonObject): JsonObject {
  switch (part['kind']) {
    case 'thinking': {
      const { value } = part;
      const text = Array.isArray(value) ? value.map((one) => textOf(one) ?? '').join('') : textOf(value);
      return { type: 'vscode.thought', text };
    }
    case 'textEditGroup':
    case 'notebookEditGroup':
      return { type: 'vscode.edit', file: fileOf(part['uri']), edits: arrayOf(part['edits']).flat().length };
    case 'workspaceEdit': {
      const edits = arrayOf(part['edits']).slice(0, 50).map(objectOf);
      return { type: 'vscode.edit', files: edits.map((edit) => fileOf(edit['newResource'] ?? edit['oldResource'])) };
    }
    default:
      return { type: 'vscode.part', part: boundedValue(part) };
  }
}

/** A value, or its head as text if it is large or nested deeply. */
export function boundedValue(value: unknown): unknown {
  const isSmall = !isDeeper(value, maxIndented) && (jsonText(value)?.length ?? 0) <= maxOutput;
  if (isSmall) return value;
  return isObject(value) ? { kind: value['kind'], cut: boundedJson(value) } : boundedJson(value);
}
