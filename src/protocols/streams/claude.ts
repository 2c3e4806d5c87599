import type { JsonObject } from '../json';
import { arrayOf, isObject, objectOf, textOf } from '../json';
import { readControl } from './claudeControl';
import { readClaudeMessage } from './claudeMessage';
import { readRateLimit } from './claudeRateLimit';
import { readClaudeResult } from './claudeResult';
import { readStreamEvent } from './claudeStreamEvent';
import { readClaudeSystem } from './claudeSystem';
import type { Dialect } from './dialect';
import { numberOf } from './eventText';
import type { EventWriter } from './eventWriter';
import { readUnknownEvent } from './unknownEvent';

/** Types of which a session id is proof enough. */
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
export const claude: Dialect = {
  name: 'claude',
  recognises: isClaudeForm,
  read: readClaude,
};

/** Whether an event has the form of Claude Code's, which others have taken over. */
export function isClaudeForm(event: JsonObject): boolean {
  const type = textOf(event['type']);
  if (type === undefined) return false;
  // What is written to the agent needs no session id.
  if (type === 'assistant' || type === 'user') return objectOf(event['message'])['role'] === type;
  if (type === 'control_request') return 'request_id' in event && isObject(event['request']);
  if (!('session_id' in event || 'sessionId' in event)) return false;
  return ownTypes.has(type) || ((type === 'system' || type === 'result') && textOf(event['subtype']) !== undefined);
}

export function readClaude(event: JsonObject, writer: EventWriter): void {
  const type = textOf(event['type']);
  writer.state.interrupts.see(event, writer.event.isInput);
  switch (type) {
    case 'system':
      return readClaudeSystem(event, writer);
    case 'assistant':
    case 'user':
      return readClaudeMessage(event, writer);
    case 'result':
      return readClaudeResult(event, writer);
    case 'stream_event':
      return readStreamEvent(event, writer);
    case 'control_request':
    case 'control_response':
    case 'control_cancel_request':
      return readControl(type, event, writer);
    case 'rate_limit_event':
      return readRateLimit(event, writer);
    case 'auth_status':
      return readAuthStatus(event, writer);
    case 'tool_progress':
      return writer.tell({ level: 'debug', logger: 'tool', message: describeProgress(event) });
    case 'tool_use_summary':
      return writer.tell({ level: 'debug', logger: 'summary', message: textOf(event['summary']) ?? '' });
    case 'prompt_suggestion':
      return writer.tell({
        level: 'debug',
        logger: 'suggestion',
        message: textOf(event['suggestion']) ?? '',
      });
    case 'conversation_reset':
      return writer.tell({ level: 'notice', logger: 'session', message: 'the conversation was begun anew' });
    case 'summary':
      writer.title(event['summary'], { isBetter: true });
      return writer.tell({ level: 'debug', logger: 'summary', message: textOf(event['summary']) ?? '' });
    default:
      return readUnknownEvent(event, writer);
  }
}

function readAuthStatus(event: JsonObject, writer: EventWriter): void {
  const error = textOf(event['error']);
  const output = arrayOf(event['output'])
    .slice(0, 50)
    .filter((line) => typeof line === 'string')
    .join(' ');
  const state = event['isAuthenticating'] === true ? 'authenticating' : 'not authenticating';
  writer.tell({
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
