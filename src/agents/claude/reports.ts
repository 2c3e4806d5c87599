import type { ActivityDraft } from '../../work/activity';
import type { QuotaWindow } from '../../work/usage/quotaWindow';
import { contentTextOf } from '../../work/tools/contentText';
import type { JsonObject } from '../../text/json';
import { numberOf, objectOf, textOf } from '../../text/json';
import { retryTexts } from '../../protocols/agentWriter/recordText';
import type { Retry } from '../../protocols/agentWriter/verbs';
import { timeOf } from '../../protocols/logFields/timeOf';

/** Reads what Claude Code reports about its model and account. claude-agent-acp forwards these messages unchanged. */
export function claudeReport(message: JsonObject): ActivityDraft | undefined {
  if (message['type'] === 'assistant') return shownErrorOf(message);
  if (message['type'] === 'rate_limit_event') return limitOf(objectOf(message['rate_limit_info']));
  if (message['type'] !== 'system') return undefined;
  switch (message['subtype']) {
    case 'api_retry':
      return retryTexts(retryIn(message)).fact;
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

/** `api_retry` */
export function retryIn(message: JsonObject): Retry {
  const { error } = message;
  return {
    attempt: numberOf(message['attempt']),
    max: numberOf(message['max_retries']),
    inMs: numberOf(message['retry_delay_ms']),
    status: numberOf(message['error_status']),
    why: textOf(error) ?? textOf(objectOf(error)['message']) ?? 'model request failed',
  };
}

/** The window that such a message is about, with the part of it that is used. */
export function claudeQuota({ rateLimitType, utilization, resetsAt, status }: JsonObject): QuotaWindow | undefined {
  const used = numberOf(utilization) ?? (status === 'rejected' ? 1 : undefined);
  if (used === undefined) return undefined;
  const name = textOf(rateLimitType)?.replaceAll('_', ' ') ?? 'usage';
  return { name, usedPercent: used * 100, resetsAt: timeOf(resetsAt) };
}

/** Only `rejected` blocks the agent. */
function limitOf(info: JsonObject): ActivityDraft | undefined {
  const { status } = info;
  if (status !== 'rejected' && status !== 'allowed_warning') return undefined;
  const reached = info['isUsingOverage'] === true ? 'covered' : 'reached';
  const state = status === 'rejected' ? reached : 'near';
  return { type: 'limit', state, window: textOf(info['rateLimitType']), resetsAt: timeOf(info['resetsAt']) };
}
