import { boundedJson } from '../../../text/boundedJson';
import type { Level } from '../../../text/level';
import type { JsonObject } from '../../../text/json';
import { arrayOf, isObject, numberOf, objectOf, textOf, textsOf } from '../../../text/json';
import { exitCodeIn } from '../../../work/tools/toolOutput';
import { contentTextOf } from '../../../work/tools/contentText';
import { timeOf } from '../../../protocols/logFields/timeOf';
import { readControl } from './control';
import { readClaudeMessage } from './message';
import { claudeQuota, claudeReport } from '../reports';
import { readClaudeResult } from './result';
import { ClaudeState } from './state';
import { readClaudeSystem } from './system';
import type { AgentStream } from '../../reading/streams/agentStream';
import type { AgentReader } from '../../../protocols/agentWriter/agentReader';
import type { AgentWriter } from '../../../protocols/agentWriter/agentWriter';
import { readUnknownEvent, unknownText } from '../../reading/streams/unknownEvent';

/** Event types that identify Claude Code if they have a session ID. */
const ownTypes = new Set([
  'stream_event',
  'tool_progress',
  'auth_status',
  'rate_limit_event',
  'tool_use_summary',
  'prompt_suggestion',
  'conversation_reset',
]);

/** Claude Code, `-p --output-format stream-json --verbose` (type `SDKMessage` of @anthropic-ai/claude-agent-sdk), and its saved sessions. */
export const stream: AgentStream = {
  tried: { version: '2.1' },
  recognises,
  resembles,
  reader: () => new ClaudeStreamReader(),
};

const types = new Set(['system', 'assistant', 'user', 'control_request', 'control_cancel_request', 'completion']);

function resembles(event: JsonObject): boolean {
  const type = textOf(event['type']) ?? '';
  return types.has(type) || ownTypes.has(type) || (type === 'result' && ('subtype' in event || 'is_error' in event));
}

/** True if an event has Claude Code's format, which other agents use too. */
function recognises(event: JsonObject): boolean {
  const type = textOf(event['type']);
  if (type === undefined) return false;
  // Messages to the agent need no session ID.
  if (type === 'assistant' || type === 'user') return objectOf(event['message'])['role'] === type;
  if (type === 'control_request') return 'request_id' in event && isObject(event['request']);
  if (!('session_id' in event || 'sessionId' in event)) return false;
  return ownTypes.has(type) || ((type === 'system' || type === 'result') && textOf(event['subtype']) !== undefined);
}

class ClaudeStreamReader implements AgentReader {
  private readonly state = new ClaudeState();

  read(event: JsonObject, writer: AgentWriter): void {
    const { state } = this;
    const type = textOf(event['type']);
    state.hasInput ||= writer.isInput;
    state.interrupts.see(event, writer.isInput);
    switch (type) {
      case 'system':
        return readClaudeSystem(event, writer);
      case 'assistant':
      case 'user':
        return readClaudeMessage(event, writer, state);
      case 'result':
        return readClaudeResult(event, writer, state);
      case 'stream_event':
        return readStreamEvent(event, writer);
      case 'control_request':
      case 'control_response':
      case 'control_cancel_request':
        return readControl(type, event, writer, state);
      case 'rate_limit_event':
        return readRateLimit(event, writer);
      case 'auth_status':
        return readAuthStatus(event, writer);
      case 'tool_progress':
        return writer.note({ level: 'debug', logger: 'tool', content: 'tool', message: describeProgress(event) });
      case 'tool_use_summary':
        return writer.note({ level: 'debug', logger: 'summary', message: textOf(event['summary']) ?? '' });
      case 'prompt_suggestion':
        return writer.note({
          level: 'debug',
          logger: 'suggestion',
          message: textOf(event['suggestion']) ?? '',
        });
      case 'conversation_reset':
        writer.turnReset();
        return writer.note({ level: 'notice', logger: 'session', message: 'the conversation was begun anew' });
      case 'summary':
        writer.title(textOf(event['summary']));
        return writer.note({ level: 'debug', logger: 'summary', message: textOf(event['summary']) ?? '' });
      case 'tool_result': // Qwen Code's saved sessions
        writer.activity({
          type: 'tool',
          change: 'ended',
          id: textOf(event['tool_id']),
          outcome: event['status'] === 'error' ? 'error' : 'ok',
          exitCode: exitCodeIn(event),
          output: contentTextOf(event['output']) ?? '',
        });
        return readUnknownEvent(event, writer);
      case 'completion': // Factory's droid, whose stream starts like Claude Code's
        return writer.turnEnded({ outcome: 'ok' }, unknownText(event, writer.isInput));
      default:
        return readUnknownEvent(event, writer);
    }
  }
}

function readAuthStatus(event: JsonObject, writer: AgentWriter): void {
  const error = textOf(event['error']);
  const output = arrayOf(event['output'])
    .slice(0, 50)
    .filter((line) => typeof line === 'string')
    .join(' ');
  const state = event['isAuthenticating'] === true ? 'authenticating' : 'not authenticating';
  writer.note({
    level: error === undefined ? 'info' : 'error',
    logger: 'auth',
    message: error ?? `${state} ${output}`,
  });
}

function describeProgress(event: JsonObject): string {
  const name = textOf(event['tool_name']) ?? 'a tool';
  const seconds = numberOf(event['elapsed_time_seconds']);
  const retry = objectOf(event['subagent_retry']);
  const attempt = numberOf(retry['attempt']);
  return [
    `${name} is running`,
    ...(seconds === undefined ? [] : [`for ${seconds} s`]),
    ...(attempt === undefined ? [] : [`(retry ${attempt} after ${textOf(retry['error_category']) ?? 'an error'})`]),
  ].join(' ');
}

/** Framing events of a message, which the complete message repeats. */
const frame = new Set([
  'message_start',
  'message_delta',
  'message_stop',
  'content_block_start',
  'content_block_stop',
  'ping',
]);

/** `stream_event`, with `--include-partial-messages`: message chunks, joined at level debug because the complete message follows. */
function readStreamEvent(event: JsonObject, writer: AgentWriter): void {
  const part = objectOf(event['event']);
  const type = textOf(part['type']);
  const delta = objectOf(part['delta']);
  const isText = delta['type'] === 'text_delta';
  const isThought = delta['type'] === 'thinking_delta';
  if (isText) writer.says('agent', delta['text'], true);
  else writer.activity({ type: 'progress' });
  if (type !== undefined && frame.has(type)) return;
  if (type === 'error') {
    const { type: name, message } = objectOf(part['error']);
    const text = textsOf(name, message).join(': ');
    return writer.note({ level: 'warning', logger: 'api', message: text === '' ? 'the stream broke off' : text });
  }
  if (type !== 'content_block_delta') {
    return writer.note({ level: 'debug', logger: type ?? 'stream_event', message: boundedJson(part, 1000) });
  }
  const block = `${textOf(event['parent_tool_use_id']) ?? ''} ${numberOf(part['index']) ?? 0}`;
  // Partial JSON input of tools, citations and signatures are useless until complete.
  if (!isThought && !isText) return;
  writer.chunk(isThought ? 'partial thought' : 'partial', block, textOf(delta[isThought ? 'thinking' : 'text']), true);
}

/** `rate_limit_event`: plan usage, sent whenever it changes. Only `rejected` blocks the agent. */
function readRateLimit(event: JsonObject, writer: AgentWriter): void {
  const info = objectOf(event['rate_limit_info']);
  const status = textOf(info['status']) ?? 'unknown';
  const isCovered = info['isUsingOverage'] === true;
  const used = numberOf(info['utilization']);
  const resets = timeOf(info['resetsAt']);
  const details = [
    ...(used === undefined ? [] : [`${Math.round(used * 100)}% used`]),
    ...(resets === undefined ? [] : [`resets at ${new Date(resets).toISOString()}`]),
    ...(isCovered ? ['extra usage is paid for'] : []),
  ];
  const report = claudeReport(event);
  if (report) writer.fact(report);
  const quota = claudeQuota(info);
  if (quota) writer.fact({ type: 'quota', windows: [quota] });
  const window = textOf(info['rateLimitType'])?.replaceAll('_', ' ');
  writer.note({
    level: levelOfStatus(status, isCovered),
    kind: 'notice',
    logger: 'rate limit',
    message: [`${window === undefined ? '' : `${window}: `}${status}`, ...details].join(', '),
  });
}

function levelOfStatus(status: string, isCovered: boolean): Level {
  if (status === 'allowed') return 'debug';
  if (status === 'allowed_warning') return 'warning';
  if (status === 'rejected') return isCovered ? 'warning' : 'error';
  return 'notice';
}
