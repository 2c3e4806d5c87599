import { duration, oneLine } from '../../text/text';
import type { ActivityDraft } from '../../work/activity';
import { contentTextOf } from '../../work/tools/toolOutput';
import type { JsonObject } from '../../text/json';
import { objectOf, textOf } from '../../text/json';
import { timeOf } from '../../protocols/logFields/timeOf';

/** Reads what Claude Code reports about its model and account. claude-agent-acp forwards these messages unchanged. */
export function claudeReport(message: JsonObject): ActivityDraft | undefined {
  if (message['type'] === 'assistant') return shownErrorOf(message);
  if (message['type'] === 'rate_limit_event') return limitOf(objectOf(message['rate_limit_info']));
  if (message['type'] !== 'system') return undefined;
  switch (message['subtype']) {
    case 'api_retry':
      return retryOf(message);
    case 'model_refusal_fallback':
      return { type: 'model', to: textOf(message['fallback_model']) ?? textOf(message['model']), isFallback: true };
    case 'mirror_error':
      return { type: 'notice', about: 'transcript', text: textOf(message['error']) ?? '' };
    default:
      return undefined;
  }
}

/** The text that Claude Code shows for an error: a message without a model. */
function shownErrorOf(message: JsonObject): ActivityDraft | undefined {
  const { model, content } = objectOf(message['message']);
  if (model !== '<synthetic>') return undefined;
  const isCertain = textOf(message['error']) !== undefined;
  return { type: 'notice', about: 'error', text: contentTextOf(content) ?? '', isCertain };
}

function retryOf(message: JsonObject): ActivityDraft {
  const status = message['error_status'];
  const delay = message['retry_delay_ms'];
  const wait = typeof delay === 'number' ? ` in ${duration(delay)}` : '';
  const code = typeof status === 'number' ? ` (status ${status})` : '';
  const reason = `${oneLine(textOf(message['error']) ?? 'model request failed', 200)}${code}`;
  const isLimit = status === 429 || message['error'] === 'rate_limit';
  const limit = message['max_retries'];
  const maxRetries = typeof limit === 'number' ? limit : undefined;
  return { type: 'retry', change: 'retrying', message: `Retrying${wait}: ${reason}`, reason, isLimit, maxRetries };
}

/** Only `rejected` blocks the agent. */
function limitOf(info: JsonObject): ActivityDraft | undefined {
  const { status } = info;
  if (status !== 'rejected' && status !== 'allowed_warning') return undefined;
  const reached = info['isUsingOverage'] === true ? 'covered' : 'reached';
  const state = status === 'rejected' ? reached : 'near';
  return { type: 'limit', state, window: textOf(info['rateLimitType']), resetsAt: timeOf(info['resetsAt']) };
}
