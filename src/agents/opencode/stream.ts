import { boundedJson } from '../../log/boundedJson';
import type { Level } from '../../log/level';
import type { JsonObject } from '../../log/json';
import { isObject, numberOf, objectOf, textOf, textsOf } from '../../log/json';
import type { Usage } from '../../work/activity';
import { inputDigest } from '../../work/inputDigest';
import { commandOf, exitCodeIn } from '../../work/toolOutput';
import { addUsage, usageOf } from '../../work/usage';
import { convention } from './usage';
import type { AgentStream } from '../../protocols/streams/agentStream';
import { numbersOf, restOf } from '../../protocols/streams/eventText';
import type { AgentReader } from '../../protocols/agentWriter/agentReader';
import type { EventText } from '../../protocols/agentWriter/verbs';
import type { AgentWriter } from '../../protocols/agentWriter/agentWriter';
import { outputText, toolTitle } from '../../protocols/agentWriter/toolText';
import { readUnknownEvent, unknownText } from '../../protocols/streams/unknownEvent';

/** OpenCode, `opencode run --format json`: message parts (type `Part` of @opencode-ai/sdk), sent when they are complete. */
export const stream: AgentStream = { recognises, resembles, reader: () => new OpencodeStreamReader() };

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

class OpencodeStreamReader implements AgentReader {
  /** Usage of the turn's steps so far. */
  private usage: Usage | undefined;

  read(event: JsonObject, writer: AgentWriter): void {
    const type = textOf(event['type']);
    const part = objectOf(event['part']);
    switch (type) {
      case 'step_start':
        writer.turnStarted('', { isNew: false });
        return writer.note({ level: 'debug', logger: 'step', message: 'started' });
      case 'text':
        return writer.answer(textOf(part['text']));
      case 'reasoning':
        return writer.thought(textOf(part['text']));
      case 'tool_use':
        return readTool(part, writer);
      case 'step_finish':
        return this.readStepEnd(part, writer);
      case 'error':
        return this.readError(event, writer);
      default:
        return readUnknownEvent(event, writer);
    }
  }

  private readStepEnd(part: JsonObject, writer: AgentWriter): void {
    const reason = textOf(part['reason']) ?? 'no reason given';
    const tokens = numbersOf(objectOf(part['tokens']));
    const cost = numberOf(part['cost']);
    const step = usageOf(objectOf(part['tokens']), 'turn', { convention, cost });
    this.usage = addUsage(this.usage, step);
    writer.requestUsed(textOf(part['messageID']), step);
    const text: EventText = {
      level: levelOfReason(reason),
      logger: reason === 'tool-calls' ? 'step' : 'turn',
      message: `ended: ${reason}`,
      ...(tokens && { data: { usage: tokens, ...(cost !== undefined && { cost }) } }),
    };
    if (goingOn.has(reason)) {
      writer.activity({ type: 'progress' });
      return writer.note(text);
    }
    const stopReason = stopReasons.get(reason) ?? textOf(part['reason']);
    const end = { outcome: 'ok', stopReason, usage: this.usage, answerTokens: step?.outputTokens } as const;
    this.usage = undefined;
    writer.turnEnded(end, text);
  }

  /** OpenCode's own errors have a name. */
  private readError(event: JsonObject, writer: AgentWriter): void {
    const { error } = event;
    const { name, data, message } = objectOf(error);
    const [text] = textsOf(objectOf(data)['message'], message);
    const isInterrupted = name === 'MessageAbortedError';
    const words = text ?? boundedJson(error ?? null, 300);
    const status = numberOf(objectOf(data)['statusCode']);
    const parts = textsOf(name, status !== undefined && `status ${status}`, text ?? error);
    const end = { outcome: isInterrupted ? 'interrupted' : 'failed', error: words, usage: this.usage } as const;
    this.usage = undefined;
    const level = isInterrupted ? 'notice' : 'error';
    const record = { level, logger: 'error', message: parts.join(': ') || restOf({ error }) } as const;
    writer.turnEnded(end, 'error' in event ? record : unknownText(event, writer.isInput));
  }
}

function readTool(part: JsonObject, writer: AgentWriter): void {
  const state = objectOf(part['state']);
  const { start, end } = objectOf(state['time']);
  const from = numberOf(start);
  const to = numberOf(end);
  const status = textOf(state['status']);
  const ms = from === undefined || to === undefined ? undefined : Math.max(0, to - from);
  const title = toolTitle(textOf(part['tool']) ?? 'a tool', state['input']);
  const isUsual = status === 'error' || status === 'completed';
  writer.toolEnded(textOf(part['callID']), {
    title,
    name: textOf(part['tool']),
    command: commandOf(state['input']),
    input: inputDigest(state['input']),
    outcome: status === 'error' ? 'failed' : status === 'completed' ? 'ok' : undefined,
    status: isUsual ? undefined : status,
    exitCode: exitCodeIn(state['metadata']),
    error: textOf(state['error']),
    ms,
    output: textOf(state['output']) ?? '',
    shown: textOf(state['error']) ?? outputText(state['output']),
    isInterrupted: false,
  });
}

/** The level for a finish reason of Vercel's AI SDK. After `tool-calls`, another step follows. */
function levelOfReason(reason: string): Level {
  if (reason === 'tool-calls') return 'debug';
  return reason === 'length' || reason === 'content-filter' || reason === 'error' ? 'warning' : 'info';
}
