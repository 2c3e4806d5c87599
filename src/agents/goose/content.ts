import type { JsonObject } from '../../text/json';
import { arrayOf, objectOf, textOf } from '../../text/json';
import type { AgentWriter } from '../../protocols/agentWriter/agentWriter';
import { outputText } from '../../protocols/agentWriter/toolText';
import { partsOf } from '../reading/saved/parts';
import type { Usage } from '../../work/activity';
import { usageOf } from '../../work/usage/usage';

export function usageIn(counts: JsonObject): Usage | undefined {
  return usageOf(counts, 'turn', { cost: counts['cost'] });
}

/** Reads a message of goose's stream or database. @param text reads a text of it */
export function readContent(
  message: JsonObject,
  writer: AgentWriter,
  text: (text: string, isThought: boolean) => void,
): void {
  for (const part of partsOf(message['content'])) {
    switch (part['type']) {
      case 'text':
        text(textOf(part['text']) ?? '', false);
        break;
      case 'thinking':
      case 'reasoning':
        text(textOf(part['thinking']) ?? textOf(part['text']) ?? '', true);
        break;
      case 'toolRequest':
      case 'frontendToolRequest':
        readRequest(part, writer);
        break;
      case 'toolResponse':
        readResponse(part, writer);
        break;
      case 'systemNotification':
        writer.note({ level: 'notice', logger: 'goose', message: textOf(part['msg']) ?? notificationOf(part) });
        break;
      case 'contextLengthExceeded':
      case 'summarizationRequested':
        writer.note({ level: 'notice', logger: 'compaction', message: textOf(part['msg']) ?? part['type'] });
        break;
      default:
        writer.other(`part of type ${textOf(part['type']) ?? 'unknown'}`, 'message');
    }
  }
}

function readRequest(part: JsonObject, writer: AgentWriter): void {
  const { value, error } = objectOf(part['toolCall']);
  const { name, arguments: input } = objectOf(value);
  const id = textOf(part['id']);
  writer.toolStarted(id, textOf(name), input);
  // The model's call wasn't valid.
  const why = textOf(error);
  if (why !== undefined) writer.toolEnded(id, { outcome: 'error', output: why });
}

function readResponse(part: JsonObject, writer: AgentWriter): void {
  const { status, value, error } = objectOf(part['toolResult']);
  // Older versions have the content itself.
  const content = Array.isArray(value) ? arrayOf(value) : objectOf(value)['content'];
  const hasFailed = status === 'error' || objectOf(value)['isError'] === true;
  const output = textOf(error) ?? outputText(Array.isArray(content) ? forAgent(content) : content);
  writer.toolEnded(textOf(part['id']), { outcome: hasFailed ? 'error' : 'ok', output });
}

/** A tool of goose says the same twice, for the model and for the user. */
function forAgent(content: readonly unknown[]): readonly unknown[] {
  const told = content.filter((part) => {
    const { audience } = objectOf(objectOf(part)['annotations']);
    return !Array.isArray(audience) || audience.includes('assistant');
  });
  return told.length > 0 ? told : content;
}

function notificationOf(part: JsonObject): string {
  return textOf(part['notificationType']) ?? 'notification';
}
