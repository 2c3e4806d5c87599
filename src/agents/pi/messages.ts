import type { JsonObject } from '../../text/json';
import { numberOf, objectOf, textOf } from '../../text/json';
import type { AgentWriter } from '../../protocols/agentWriter/agentWriter';
import { outputText } from '../../protocols/agentWriter/toolText';
import { asideUsage } from '../reading/saved/asideUsage';
import { numberIn, partsOf, withoutEnd } from '../reading/saved/parts';
import { providerError } from '../../work/failures/errorText';
import type { Usage } from '../../work/activity';
import type { UsageConvention } from '../../work/usage/usage';
import { usageOf } from '../../work/usage/usage';

/** pi subtracts the cache from the input, except for Google's models, where its total tells. The output includes reasoning. */
const convention: UsageConvention = { inputExcludesCache: true };

/** The ID of the session that this one was forked from; empty if its path doesn't have it. @param header a session's first line */
export function originIn(header: JsonObject): string | undefined {
  const path = textOf(header['parentSession']);
  return path === undefined ? undefined : (/_([^_/\\]{1,100})\.jsonl$/.exec(path.slice(-200))?.[1] ?? '');
}

/** Reads a session's first line, in its file and in the stream. */
export function readHeader(line: JsonObject, writer: AgentWriter, agent = 'pi'): void {
  writer.in({ id: textOf(line['id']) ?? 'session' });
  writer.started({ agent, folder: textOf(line['cwd']) });
  const origin = originIn(line);
  if (origin !== undefined) writer.forked(origin);
}

/**
 * Reads a message of the conversation. The turn of an answer that failed may be retried, so its end is held.
 * @param id of the message
 * @param startsTurn false if a prompt is part of the current turn
 */
export function readMessage(
  id: string | undefined,
  message: JsonObject,
  writer: AgentWriter,
  { startsTurn = true } = {},
): void {
  switch (message['role']) {
    case 'user':
      return writer.prompt(outputText(message['content']), { startsTurn });
    case 'assistant':
      return readAnswer(id, message, writer);
    case 'toolResult':
      return readResult(textOf(message['toolCallId']), message, writer);
    case 'bashExecution':
      return readBash(message, writer);
    case 'system':
      return writer.other('system prompt', 'context');
    default:
      return writer.unknown(`message/${textOf(message['role']) ?? ''}`);
  }
}

/** Reads what the request of an entry that is no message used; version 0 doesn't save it. */
export function readAside(entry: JsonObject, writer: AgentWriter, title: string): void {
  asideUsage(writer, textOf(entry['id']), usageIn(entry), title);
}

function usageIn(entry: JsonObject): Usage | undefined {
  const usage = objectOf(entry['usage']);
  return usageOf(usage, 'turn', { convention, cost: objectOf(usage['cost'])['total'] });
}

/** True if the turn of this answer failed, unless it is retried. */
export function hasFailed(message: JsonObject): boolean {
  return message['stopReason'] === 'error' && !isAborted(message);
}

export function readThinkingLevel(level: unknown, writer: AgentWriter): void {
  writer.note({ level: 'debug', logger: 'model', message: `thinking: ${textOf(level) ?? 'changed'}` });
}

export function readResult(id: string | undefined, result: JsonObject, writer: AgentWriter): void {
  const output = outputText(result['content']);
  const wasAborted = /\bCommand aborted\s*$/.test(output.slice(-200));
  const isError = result['isError'] === true;
  writer.toolEnded(id, {
    outcome: wasAborted ? 'cancelled' : isError ? 'error' : 'ok',
    exitCode: numberIn(output.slice(-200), /\bCommand exited with code (\d{1,10})\s*$/),
    output: withoutEnd(output, /\s*Command exited with code \d+\s*$/),
  });
}

function readAnswer(id: string | undefined, message: JsonObject, writer: AgentWriter): void {
  const reason = textOf(message['stopReason']);
  const isCut = isAborted(message);
  writer.uses(message['model'], true);
  for (const block of partsOf(message['content'])) {
    if (block['type'] === 'toolCall') {
      writer.toolStarted(textOf(block['id']), textOf(block['name']), block['arguments']);
    } else if (block['type'] === 'thinking') writer.thought(textOf(block['thinking']) ?? '');
    else writer.answer(textOf(block['text']) ?? '', { isCut });
  }
  writer.usage(id, usageIn(message));
  if (isCut) return writer.turnEnded({ outcome: 'cancelled' });
  if (hasFailed(message)) writer.attemptFailed(errorOf(message));
  else if (reason !== undefined && reason !== 'toolUse') {
    writer.turnEnded({ outcome: 'ok', stopReason: reason === 'length' ? 'max_tokens' : 'end_turn' });
  }
}

function isAborted(message: JsonObject): boolean {
  const reason = message['stopReason'];
  return reason === 'aborted' || (reason === 'error' && /\baborted\b/i.test(errorOf(message)));
}

function errorOf(message: JsonObject): string {
  return providerError(textOf(message['errorMessage']) ?? 'no reason given');
}

/** Reads a command that the user ran with `!`. */
function readBash(message: JsonObject, writer: AgentWriter): void {
  const command = textOf(message['command']) ?? 'command';
  writer.toolStarted('!', 'bash', { command }, { isShown: false, isUsers: true });
  writer.toolEnded('!', {
    outcome: message['cancelled'] === true ? 'cancelled' : 'ok',
    exitCode: numberOf(message['exitCode']),
    title: `! ${command}`,
    output: textOf(message['output']) ?? '',
  });
}
