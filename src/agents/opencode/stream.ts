import { boundedJson } from '../../log/boundedJson';
import type { Level } from '../../log/level';
import type { JsonObject } from '../../log/json';
import { isObject, numberOf, objectOf, textOf, textsOf } from '../../log/json';
import { commandOf, exitCodeIn } from '../../work/toolOutput';
import { addUsage, usageOf } from '../../work/usage';
import type { AgentStream } from '../../protocols/streams/agentStream';
import { numbersOf, restOf } from '../../protocols/streams/eventText';
import type { EventWriter } from '../../protocols/streams/eventWriter';
import { outputText, toolTitle } from '../../protocols/streams/toolText';
import { readUnknownEvent } from '../../protocols/streams/unknownEvent';

/** OpenCode, `opencode run --format json`: message parts (type `Part` of @opencode-ai/sdk), sent when they are complete. */
export const stream: AgentStream = { recognises, resembles, read };

const types = new Set(['step_start', 'step_finish', 'text', 'reasoning', 'tool_use']);
/** Finish reasons after which OpenCode continues. */
const goingOn = new Set(['tool-calls', 'unknown']);
/** ACP names for the finish reasons of Vercel's AI SDK. */
const stopReasons: ReadonlyMap<string, string> = new Map([
  ['length', 'max_tokens'],
  ['content-filter', 'refusal'],
]);

function recognises(event: JsonObject): boolean {
  const session = event['sessionID'];
  return (
    typeof session === 'string' && typeof event['type'] === 'string' && (isObject(event['part']) || 'error' in event)
  );
}

function resembles(event: JsonObject): boolean {
  const type = textOf(event['type']) ?? '';
  return types.has(type) || (type === 'error' && 'sessionID' in event);
}

function read(event: JsonObject, writer: EventWriter): void {
  const type = textOf(event['type']);
  const part = objectOf(event['part']);
  switch (type) {
    case 'step_start':
      writer.beginTurn(false);
      return writer.tell({ level: 'debug', logger: 'step', message: 'started' });
    case 'text':
      return writer.message('agent', part['text']);
    case 'reasoning':
      return writer.message('thought', part['text']);
    case 'tool_use':
      return readTool(part, writer);
    case 'step_finish':
      return readStepEnd(part, writer);
    case 'error':
      return readError(event, writer);
    default:
      return readUnknownEvent(event, writer);
  }
}

function readTool(part: JsonObject, writer: EventWriter): void {
  const state = objectOf(part['state']);
  const { start, end } = objectOf(state['time']);
  const from = numberOf(start);
  const to = numberOf(end);
  const status = textOf(state['status']);
  const ms = from === undefined || to === undefined ? undefined : Math.max(0, to - from);
  const title = toolTitle(textOf(part['tool']) ?? 'a tool', state['input']);
  const exitCode = exitCodeIn(state['metadata']);
  const ended = {
    id: textOf(part['callID']),
    title,
    name: textOf(part['tool']),
    command: commandOf(state['input']),
    outcome: status === 'error' ? 'failed' : status === 'completed' ? 'completed' : undefined,
    exitCode,
    error: textOf(state['error']),
    output: textOf(state['output']) ?? '',
    took: ms,
  } as const;
  writer.endTool(ended, {
    title,
    status: status === 'error' || status === 'completed' ? undefined : status,
    output: textOf(state['error']) ?? outputText(state['output']),
  });
}

function readStepEnd(part: JsonObject, writer: EventWriter): void {
  const reason = textOf(part['reason']) ?? 'no reason given';
  const tokens = numbersOf(objectOf(part['tokens']));
  const cost = numberOf(part['cost']);
  const step = usageOf(objectOf(part['tokens']), 'turn', cost);
  writer.state.usage = addUsage(writer.state.usage, step);
  if (goingOn.has(reason)) writer.work({ type: 'progress' });
  else {
    writer.endTurn({
      stopReason: stopReasons.get(reason) ?? textOf(part['reason']),
      usage: writer.state.usage,
      answerTokens: step?.outputTokens,
    });
    writer.state.usage = undefined;
  }
  writer.tell({
    level: levelOfReason(reason),
    logger: reason === 'tool-calls' ? 'step' : 'turn',
    message: `ended: ${reason}`,
    ...(tokens && { data: { usage: tokens, ...(cost !== undefined && { cost }) } }),
  });
}

/** OpenCode's own errors have a name. */
function readError(event: JsonObject, writer: EventWriter): void {
  const { error } = event;
  const { name, data, message } = objectOf(error);
  const [text] = textsOf(objectOf(data)['message'], message);
  const isInterrupted = name === 'MessageAbortedError';
  const words = text ?? boundedJson(error ?? null, 300);
  const failure = isInterrupted ? undefined : ({ type: 'failed', words, saysSuccess: false } as const);
  writer.endTurn({ failure, isInterrupted, usage: writer.state.usage });
  writer.state.usage = undefined;
  if (!('error' in event)) return readUnknownEvent(event, writer);
  const status = numberOf(objectOf(data)['statusCode']);
  const parts = textsOf(name, status !== undefined && `status ${status}`, text ?? error);
  writer.tell({
    level: isInterrupted ? 'notice' : 'error',
    logger: 'error',
    message: parts.join(': ') || restOf({ error }),
  });
}

/** The level for a finish reason of Vercel's AI SDK. After `tool-calls`, another step follows. */
function levelOfReason(reason: string): Level {
  if (reason === 'tool-calls') return 'debug';
  return reason === 'length' || reason === 'content-filter' || reason === 'error' ? 'warning' : 'info';
}
