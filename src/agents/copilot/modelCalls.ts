import { ownHead } from '../../text/ownText';
import { BoundedMap } from '../../text/boundedMap';
import { duration } from '../../text/text';
import type { JsonObject } from '../../text/json';
import { numberOf, objectOf, textOf } from '../../text/json';
import { timeOf } from '../../protocols/logFields/timeOf';
import type { QuotaWindow } from '../../work/usage/quotaWindow';
import type { AgentWriter } from '../../protocols/agentWriter/agentWriter';
import type { Retry } from '../../protocols/agentWriter/verbs';
import { providerError } from '../../work/failures/errorText';
import { usageOf, usageWithWindow } from '../../work/usage/usage';

const maxSessions = 200;
/** Maximum length of a kept error, in characters. */
const maxError = 2000;
/** Maximum number of kinds of requests with a quota. */
const maxQuotas = 10;

/** The calls of the model: what they stream, how they fail and are retried, and what they use. Most of these events are only in the stream. */
export class ModelCalls {
  /** The last failed call of each session. */
  private readonly failed = new BoundedMap<string, Retry>(maxSessions);

  /** Returns false if the event is about something else. */
  read(type: string, data: JsonObject, writer: AgentWriter): boolean {
    switch (type) {
      case 'assistant.message_delta':
        writer.says('agent', data['deltaContent'], true);
        writer.chunk('partial', textOf(data['messageId']), textOf(data['deltaContent']), true);
        return true;
      case 'assistant.reasoning_delta':
        writer.activity({ type: 'progress' });
        writer.chunk('partial thought', textOf(data['reasoningId']), textOf(data['deltaContent']), true);
        return true;
      case 'assistant.tool_call_delta':
        writer.activity({ type: 'progress' });
        writer.chunk('partial call', textOf(data['toolCallId']), textOf(data['inputDelta']), true);
        return true;
      case 'assistant.turn_retry':
        this.readRetry(data, writer);
        return true;
      case 'assistant.usage':
        readUsage(data, writer);
        readQuotas(objectOf(data['quotaSnapshots']), writer);
        return true;
      case 'model.call_start':
        writer.uses(data['model'], true);
        writer.other(type, 'model');
        return true;
      case 'model.call_failure':
        this.readFailure(data, writer);
        return true;
      case 'model.call_finished': {
        const took = numberOf(data['dispatchDurationMs']);
        const after = took === undefined ? '' : ` after ${duration(took)}`;
        const message = `call ended${after}: ${textOf(data['outcome']) ?? 'no outcome given'}`;
        writer.note({ level: 'debug', logger: 'model', message });
        return true;
      }
      default:
        if (!type.startsWith('model.')) return false;
        readQuotas(objectOf(data['quotaSnapshots']), writer);
        writer.other(type, 'model');
        return true;
    }
  }

  /** A failed call is retried, or the turn fails with it, so its own record is a detail. */
  private readFailure(data: JsonObject, writer: AgentWriter): void {
    const status = numberOf(data['statusCode']);
    const attempt = numberOf(data['retryAttempt']);
    const given = textOf(data['errorMessage']) ?? textOf(data['failureKind']) ?? 'no reason given';
    const why = ownHead(providerError(given), maxError);
    const retry = { why, status, ...(attempt !== undefined && { attempt: attempt + 1 }) };
    this.failed.set(writer.place.sessionId ?? '', retry);
    const code = status === undefined ? '' : ` with status ${status}`;
    writer.note({ level: 'debug', logger: 'model', message: `call failed${code}: ${why}` });
  }

  private readRetry(data: JsonObject, writer: AgentWriter): void {
    const session = writer.place.sessionId ?? '';
    const failed = this.failed.get(session);
    this.failed.delete(session);
    const reason = textOf(data['reason'])?.replaceAll('_', ' ') ?? 'no reason given';
    writer.retry(failed ?? { why: reason });
  }
}

export function readUsage(usage: JsonObject, writer: AgentWriter): void {
  writer.uses(usage['model'], true);
  writer.usage(textOf(usage['apiCallId']), usageWithWindow(usageOf(usage, 'turn'), usage['maxPromptTokens']));
  const took = numberOf(usage['duration']);
  const first = numberOf(usage['timeToFirstTokenMs']);
  const model = textOf(usage['model']) ?? 'model';
  const after = took === undefined ? '' : ` after ${duration(took)}`;
  const began = first === undefined ? '' : `, first token after ${duration(first)}`;
  writer.note({ level: 'debug', logger: 'model', message: `${model} answered${after}${began}` });
}

/** Of a plan, by what is counted: `premium_interactions`. */
function readQuotas(snapshots: JsonObject, writer: AgentWriter): void {
  const windows = Object.entries(snapshots)
    .slice(0, maxQuotas)
    .flatMap(([name, snapshot]): readonly QuotaWindow[] => {
      const { isUnlimitedEntitlement, entitlementRequests, usedRequests, remainingPercentage, resetDate } =
        objectOf(snapshot);
      if (isUnlimitedEntitlement === true) return [];
      const [all = 0, used] = [numberOf(entitlementRequests), numberOf(usedRequests)];
      const rest = numberOf(remainingPercentage);
      // A fraction in some versions.
      const left = rest === undefined || rest > 1 ? rest : rest * 100;
      const counted = used !== undefined && all > 0 ? (used / all) * 100 : undefined;
      const usedPercent = counted ?? (left === undefined ? undefined : 100 - left);
      if (usedPercent === undefined) return [];
      return [{ name: name.replaceAll('_', ' '), usedPercent, resetsAt: timeOf(resetDate) }];
    });
  if (windows.length > 0) writer.fact({ type: 'quota', windows });
}
