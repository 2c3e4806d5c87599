import { duration, oneLine } from '../../log/text';
import { boundedSessionId } from '../../protocols/sessionId';
import type { JsonObject } from '../../protocols/json';
import { objectOf, textOf } from '../../protocols/json';
import { timeOf } from '../../protocols/logFields/timeOf';
import type { Conversation } from '../conversation';
import { readAnswer } from '../errorAnswer';
import { adviceFor } from '../failureClass';
import type { Finding } from '../diagnosis';
import type { Report, Rule } from '../rule';
import type { Seen } from '../seen';
import { contentTextOf } from '../tools';
import { addTrouble, isRetrying } from '../turn';

type ClaudeFinding = Pick<Finding, 'code' | 'level' | 'what' | 'advice' | 'key' | 'cause'>;

/**
 * Claude's own messages (claude-agent-sdk 0.3.316): what claude-agent-acp sends as `_claude/sdkMessage`, and Claude Code as lines of its stream.
 * Read from their types, not seen on a wire.
 */
export class Claude implements Rule {
  looksAt(method: string): boolean {
    return method === '_claude/sdkMessage';
  }

  see(seen: Seen, conversation: Conversation, report: Report): void {
    const message = messageIn(seen);
    if (!message) return;
    const id = textOf(message['session_id']);
    const named = id === undefined ? undefined : boundedSessionId(id);
    const sessionId = (seen.type === 'notification' || seen.type === 'object' ? seen.sessionId : undefined) ?? named;
    syntheticError(message, conversation, sessionId);
    const found = judge(message);
    if (!found) return;
    const turn = conversation.turns.get(sessionId ?? '');
    const raw = seen.event.dir === 'ev' ? undefined : seen.event.line;
    // In a turn, its end tells what became of it. That a limit is near delays nothing.
    if (turn && found.level === 'warning' && (found.code === 'retrying' || found.code === 'rate-limited')) {
      const isRetry = message['subtype'] === 'api_retry';
      if (isRetry) turn.retries++;
      // A limit that is reported between two attempts doesn't end them.
      if (isRetry || !isRetrying(turn))
        addTrouble(turn, { message: found.what.replace(/^Retrying.*?: /, ''), isFinal: !isRetry });
      if (!isRetry) report({ ...found, level: 'notice', sessionId, at: seen.event.t, raw });
      return;
    }
    report({ ...found, sessionId, at: seen.event.t, raw });
  }
}

/** The text that Claude Code shows for an error: a message of no model. */
function syntheticError(message: JsonObject, conversation: Conversation, sessionId: string | undefined): void {
  const { model, content } = objectOf(message['message']);
  const turn = conversation.turns.get(sessionId ?? '');
  if (message['type'] !== 'assistant' || model !== '<synthetic>' || !turn) return;
  const text = contentTextOf(content) ?? '';
  const isError = textOf(message['error']) !== undefined || readAnswer(text, '') !== 'no';
  if (isError) addTrouble(turn, { message: text, isFinal: true });
}

function messageIn(seen: Seen): JsonObject | undefined {
  if (seen.type === 'object' && seen.dir === 'a2c') return seen.msg;
  if (seen.type !== 'notification' || seen.dir !== 'a2c' || seen.method !== '_claude/sdkMessage') return undefined;
  return objectOf(seen.params['message']);
}

function judge(message: JsonObject): ClaudeFinding | undefined {
  if (message['type'] === 'rate_limit_event') return judgeRateLimit(objectOf(message['rate_limit_info']));
  if (message['type'] !== 'system') return undefined;
  switch (message['subtype']) {
    case 'api_retry':
      return judgeRetry(message);
    case 'model_refusal_fallback': {
      const to = textOf(message['fallback_model']) ?? textOf(message['model']) ?? 'another model';
      return {
        code: 'model-fallback',
        level: 'notice',
        what: `The model refused; the turn continues with ${oneLine(to, 100)}`,
      };
    }
    case 'mirror_error':
      return {
        code: 'failed-request',
        level: 'warning',
        what: `Transcript not saved: ${oneLine(textOf(message['error']) ?? '', 200)}`,
      };
    default:
      return undefined;
  }
}

function judgeRetry(message: JsonObject): ClaudeFinding {
  const status = message['error_status'];
  const isLimit = status === 429 || status === 529 || message['error'] === 'rate_limit';
  const delay = message['retry_delay_ms'];
  const wait = typeof delay === 'number' ? ` in ${duration(delay)}` : '';
  const code = typeof status === 'number' ? ` (status ${status})` : '';
  const why = `${oneLine(textOf(message['error']) ?? 'model request failed', 200)}${code}`;
  const advice = isLimit ? adviceFor('rate-limit') : undefined;
  return {
    code: isLimit ? 'rate-limited' : 'retrying',
    level: 'warning',
    what: `Retrying${wait}: ${why}`,
    cause: isLimit ? 'rate limited' : 'retrying',
    key: 'api_retry',
    ...(advice !== undefined && { advice }),
  };
}

function judgeRateLimit(info: JsonObject): ClaudeFinding | undefined {
  const { status } = info;
  if (status !== 'rejected' && status !== 'allowed_warning') return undefined;
  const resets = timeOf(info['resetsAt']);
  const at = resets === undefined || resets <= 0 ? '' : `, until ${new Date(resets).toISOString()}`;
  const type = textOf(info['rateLimitType']);
  const which = type === undefined ? '' : ` (${oneLine(type, 60)})`;
  if (status === 'rejected' && info['isUsingOverage'] === true) {
    const what = `Usage limit reached${which}${at}: extra usage is billed`;
    return { code: 'rate-limited', level: 'notice', what, key: 'overage' };
  }
  if (status === 'rejected') {
    const advice = adviceFor('rate-limit');
    return {
      code: 'rate-limited',
      level: 'warning',
      what: `Usage limit reached${which}${at}`,
      key: 'limit',
      ...(advice !== undefined && { advice }),
    };
  }
  return { code: 'rate-limited', level: 'notice', what: `Near the usage limit${which}${at}`, key: 'near' };
}
