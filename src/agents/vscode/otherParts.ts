import type { JsonObject } from '../../text/json';
import { arrayOf, isObject, objectOf, textOf, textsOf } from '../../text/json';
import { oneLine } from '../../text/text';
import type { AgentWriter } from '../../protocols/agentWriter/agentWriter';
import { messageText } from './failure';
import { plainMessage } from './responsePart';

/** Parts that serve only the chat view. */
const viewOnly = new Set([
  'codeblockUri',
  'undoStop',
  'mcpServersStarting',
  'clearToPreviousToolInvocation',
  'prepareToolInvocation',
  'command',
  'references',
  'autoModeResolution',
]);

/** Reads the parts of a response that are neither texts, tool calls nor edits. */
export function readPart(part: JsonObject, writer: AgentWriter): void {
  const kind = textOf(part['kind']) ?? 'unknown';
  switch (kind) {
    case 'progressMessage':
    case 'progressTaskSerialized':
    case 'progressTask':
      return writer.note({
        level: 'debug',
        logger: 'agent',
        content: 'answer',
        message: plainMessage(part['content']) || 'progress',
      });
    case 'warning':
      return writer.note({
        level: 'warning',
        logger: 'agent',
        content: 'answer',
        message: messageText(part['content']) || 'warning',
      });
    case 'hook':
      return readHook(part, writer);
    case 'confirmation': {
      const title = textsOf(part['title'], plainMessage(part['message'])).join(': ');
      return readQuestion(title, part['isUsed'] === true ? 'ok' : undefined, 'answered', writer);
    }
    case 'elicitationSerialized': {
      const title = textsOf(plainMessage(part['title']), plainMessage(part['message'])).join(': ');
      const { state } = part;
      return readQuestion(
        title,
        state === 'accepted' ? 'ok' : state === 'rejected' ? 'refused' : undefined,
        String(state),
        writer,
      );
    }
    case 'questionCarousel':
      return readCarousel(part, writer);
    default:
      return viewOnly.has(kind) ? undefined : writer.other(`part of kind ${kind}`);
  }
}

function readHook(part: JsonObject, writer: AgentWriter): void {
  const { hookType, stopReason, systemMessage, toolDisplayName } = part;
  const name = textsOf(hookType, toolDisplayName).join(':');
  const reason = textOf(stopReason);
  const outcome = reason === undefined ? 'ok' : 'refused';
  writer.hookEnded(undefined, { name, outcome, output: reason ?? textOf(systemMessage) ?? '' });
}

function readCarousel(part: JsonObject, writer: AgentWriter): void {
  const questions = arrayOf(part['questions']).slice(0, 20).map(objectOf);
  const title = questions.map((question) => textOf(question['title']) ?? plainMessage(question['message'])).join('; ');
  const { data, isUsed } = part;
  const isAnswered = isObject(data) && Object.keys(data).length > 0;
  const how = isAnswered ? `answered ${oneLine(Object.values(data).map(answerText).join(', '), 500)}` : 'skipped';
  readQuestion(title, isAnswered ? 'ok' : isUsed === true ? 'refused' : undefined, how, writer);
}

/** One answer: a text, or what was chosen and written. */
function answerText(answer: unknown): string {
  const { selectedValue, selectedValues, freeformValue } = objectOf(answer);
  return textsOf(answer, selectedValue, ...arrayOf(selectedValues).slice(0, 20), freeformValue).join(', ');
}

function readQuestion(title: string, outcome: 'ok' | 'refused' | undefined, how: string, writer: AgentWriter): void {
  const shown = oneLine(title === '' ? 'a question' : title, 500);
  // The chat doesn't name its questions.
  const id = `question ${shown.slice(0, 100)}`;
  writer.asked(id, shown);
  if (outcome) writer.settled(id, outcome, `${how}: ${shown}`);
}
