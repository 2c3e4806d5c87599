import { duration } from '../../text/text';
import type { JsonObject } from '../../text/json';
import { numberOf, objectOf, textOf, textsOf } from '../../text/json';
import { exitCodeIn } from '../../work/tools/toolOutput';
import { contentTextOf } from '../../work/tools/contentText';
import { usageOf } from '../../work/usage/usage';
import { convention } from './usage';
import { providerError } from '../../work/failures/errorText';
import type { AgentStream } from '../reading/streams/agentStream';
import { counted, numbersOf, restOf } from '../reading/streams/eventText';
import type { AgentWriter } from '../../protocols/agentWriter/agentWriter';
import type { AgentReader } from '../../protocols/agentWriter/agentReader';
import type { TurnEnding } from '../../protocols/agentWriter/verbs';
import { resultFailure } from '../reading/streams/resultFailure';
import { outputText } from '../../protocols/agentWriter/toolText';
import { readUnknownEvent } from '../reading/streams/unknownEvent';

const types = new Set(['init', 'message', 'tool_result', 'result']);
/** Maximum length of an error that the result may not repeat, in characters. */
const maxReported = 2000;

/** Gemini CLI, `--output-format stream-json` (`JsonStreamEventType` in its packages/core/src/output/types.ts). */
export const stream: AgentStream = {
  tried: { version: '0.61' },
  recognises,
  resembles,
  reader: () => new GeminiStreamReader(),
};

function recognises(event: JsonObject): boolean {
  if (typeof event['timestamp'] !== 'string') return false;
  switch (event['type']) {
    case 'init':
      return textOf(event['session_id']) !== undefined && 'model' in event;
    case 'message':
      return typeof event['content'] === 'string' && (event['role'] === 'user' || event['role'] === 'assistant');
    case 'tool_use':
      return 'tool_id' in event && 'tool_name' in event;
    case 'tool_result':
      return 'tool_id' in event && 'status' in event;
    case 'error':
      return 'severity' in event && 'message' in event;
    case 'result':
      return (event['status'] === 'success' || event['status'] === 'error') && ('stats' in event || 'error' in event);
    default:
      return false;
  }
}

function resembles(event: JsonObject): boolean {
  const type = textOf(event['type']) ?? '';
  return types.has(type) || (type === 'tool_use' && 'tool_id' in event) || (type === 'error' && 'severity' in event);
}

class GeminiStreamReader implements AgentReader {
  /** The error reported in this turn; the result may not repeat it. */
  private reportedError: string | undefined;
  private hasAnswered = false;

  read(event: JsonObject, writer: AgentWriter): void {
    const type = textOf(event['type']);
    switch (type) {
      case 'init':
        writer.resumed();
        writer.turnStarted();
        this.reportedError = undefined;
        this.hasAnswered = false;
        writer.uses(event['model']);
        return writer.note({
          level: 'info',
          kind: 'lifecycle',
          message: `session started: model ${textOf(event['model']) ?? 'unknown'}`,
        });
      case 'message':
        this.hasAnswered ||= event['role'] === 'assistant';
        return readMessage(event, writer);
      case 'tool_use':
        return writer.toolStarted(
          textOf(event['tool_id']),
          textOf(event['tool_name']) ?? 'a tool',
          event['parameters'],
        );
      case 'tool_result':
        return readToolResult(event, writer);
      case 'error':
        if (!this.readBlock(event, writer)) this.readError(event, writer);
        return;
      case 'result':
        this.readResult(event, writer);
        return writer.ended();
      default:
        return readUnknownEvent(event, writer);
    }
  }

  /** A hook that blocked the prompt or the answer, or stopped the agent. Returns whether it was one. */
  private readBlock(event: JsonObject, writer: AgentWriter): boolean {
    const output = /^Agent execution (?:blocked|stopped): (.*)$/s.exec(textOf(event['message']) ?? '')?.[1]?.trim();
    if (output === undefined) return false;
    const name = this.hasAnswered ? 'AfterAgent' : 'BeforeAgent';
    writer.hookEnded(undefined, { name, outcome: 'refused', output });
    return true;
  }

  private readError(event: JsonObject, writer: AgentWriter): void {
    const words = textOf(event['message']);
    this.reportedError = words?.slice(0, maxReported);
    const level = event['severity'] === 'warning' ? 'warning' : 'error';
    writer.failed(words, { level, logger: 'error', message: words ?? restOf(event) });
  }

  private readResult(result: JsonObject, writer: AgentWriter): void {
    const event = withOwnError(result);
    const wasCancelled = objectOf(event['error'])['type'] === 'FatalCancellationError';
    const failed = event['status'] === 'error' && !wasCancelled;
    const stats = objectOf(event['stats']);
    const ms = numberOf(stats['duration_ms']);
    const end: TurnEnding = {
      outcome: wasCancelled ? 'cancelled' : 'ok',
      stopReason: textOf(event['status']),
      answer: textOf(event['result']),
      failure: wasCancelled ? undefined : resultFailure(event, this.reportedError),
      took: ms,
      usage: usageOf(stats, 'turn', { convention }),
    };
    this.reportedError = undefined;
    const tools = numberOf(stats['tool_calls']);
    const details = [
      ...(wasCancelled ? [] : [textOf(event['status']) ?? 'no status']),
      ...(ms === undefined ? [] : [`after ${duration(ms)}`]),
      ...(tools === undefined ? [] : [counted(tools, 'tool call')]),
    ].join(', ');
    const how = failed ? 'failed' : wasCancelled ? 'cancelled' : 'ended';
    const { type, message } = objectOf(event['error']);
    const why = textsOf(type, message).join(': ');
    const usage = numbersOf(stats);
    writer.turnEnded(end, {
      level: failed ? 'error' : wasCancelled ? 'notice' : 'info',
      logger: 'turn',
      message: `${how}${details === '' ? '' : ` (${details})`}${why === '' ? '' : `: ${why}`}`,
      ...(usage && { data: { usage } }),
    });
  }
}

/** The error without the brackets and the JSON that it is wrapped in. */
function withOwnError(result: JsonObject): JsonObject {
  const error = objectOf(result['error']);
  const message = textOf(error['message']);
  return message === undefined ? result : { ...result, error: { ...error, message: providerError(message) } };
}

function readMessage(event: JsonObject, writer: AgentWriter): void {
  const { role, content, delta } = event;
  if (role === 'user') {
    writer.turnStarted('', { isNew: false });
    return writer.prompt(textOf(content));
  }
  if (delta !== true) return writer.answer(textOf(content));
  writer.says('agent', content);
  writer.chunk('agent', undefined, textOf(content), false);
}

function readToolResult(event: JsonObject, writer: AgentWriter): void {
  const { type, message } = objectOf(event['error']);
  const error = textsOf(type, message).join(': ');
  writer.toolEnded(textOf(event['tool_id']), {
    outcome: event['status'] === 'error' ? 'error' : 'ok',
    exitCode: exitCodeIn(event),
    error: textOf(message),
    output: contentTextOf(event['output']) ?? '',
    shown: error === '' ? outputText(event['output']) : error,
  });
}
