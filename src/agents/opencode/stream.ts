import { laterChanges } from '../../work/changes/fileChange';
import { boundedJson } from '../../text/boundedJson';
import type { Level } from '../../text/level';
import type { JsonObject } from '../../text/json';
import { isObject, numberOf, objectOf, textOf, textsOf } from '../../text/json';
import type { Usage } from '../../work/activity';
import { toolInput } from '../../work/tools/callText';
import { commandOf } from '../../work/tools/toolOutput';
import { addUsage, usageOf } from '../../work/usage/usage';
import { errorOf, goingOn, stopReasons } from './endings';
import { callOf } from './tools';
import { convention } from './usage';
import type { AgentStream } from '../reading/streams/agentStream';
import { numbersOf, restOf } from '../reading/streams/eventText';
import type { AgentReader } from '../../protocols/agentWriter/agentReader';
import type { EventText } from '../../protocols/agentWriter/verbs';
import type { AgentWriter } from '../../protocols/agentWriter/agentWriter';
import { outputText, toolTitle } from '../../protocols/agentWriter/toolText';
import { readUnknownEvent, unknownText } from '../reading/streams/unknownEvent';

/** OpenCode, `opencode run --format json`: message parts (type `Part` of @opencode-ai/sdk), sent when they are complete. */
export const stream: AgentStream = {
  tried: { version: '1.18' },
  recognises,
  resembles,
  reader: () => new OpencodeStreamReader(),
};

const types = new Set(['step_start', 'step_finish', 'text', 'reasoning', 'tool_use']);
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
    writer.usage(textOf(part['id']) ?? textOf(part['messageID']), step);
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

  private readError(event: JsonObject, writer: AgentWriter): void {
    const { error } = event;
    const { name, message, status, isInterruption } = errorOf(objectOf(error));
    const words = message ?? boundedJson(error ?? null, 300);
    const parts = textsOf(name, status !== undefined && `status ${status}`, message ?? error);
    const end = { outcome: isInterruption ? 'cancelled' : 'error', error: words, usage: this.usage } as const;
    this.usage = undefined;
    const level = isInterruption ? 'notice' : 'error';
    const record = { level, logger: 'error', message: parts.join(': ') || restOf({ error }) } as const;
    writer.turnEnded(end, 'error' in event ? record : unknownText(event, writer.isInput));
  }
}

function readTool(part: JsonObject, writer: AgentWriter): void {
  const { id, name, input, status, end } = callOf(part);
  const { output } = objectOf(part['state']);
  const called = toolInput(input, name);
  writer.toolEnded(id, {
    ...end,
    title: toolTitle(name ?? 'a tool', input),
    name,
    command: commandOf(input),
    ...called,
    changes: laterChanges(called.changes, end?.changes),
    // How it was refused tells why the run went on or ended.
    outcome: end?.outcome === 'refused' ? 'error' : end?.outcome,
    status: end ? undefined : status,
    output: textOf(output) ?? '',
    shown: end?.error ?? outputText(output),
    isInterrupted: end?.outcome === 'cancelled',
  });
}

/** The level for a finish reason of Vercel's AI SDK. After `tool-calls`, another step follows. */
function levelOfReason(reason: string): Level {
  if (reason === 'tool-calls') return 'debug';
  return reason === 'length' || reason === 'content-filter' || reason === 'error' ? 'warning' : 'info';
}
