import { boundedJson } from '../../text/boundedJson';
import { oneLine } from '../../text/text';
import type { WireMessage } from '../../wire/wireEvent';
import type { ExchangeText } from '../jsonrpc/exchangeText';
import { withSubject } from '../jsonrpc/exchangeText';
import type { JsonObject } from '../../text/json';
import { numberOf, objectOf, requestIdOf, textOf } from '../../text/json';
import type { OpenRequest, RequestProgress } from '../../work/requests';
import { requestKey } from '../../work/requests';
import { loggerOf } from './subject';
import type { Requests } from '../../work/requests';

/** Minimum time between two progress messages of a request in the log, in milliseconds. There may be thousands. */
const minApart = 1000;
const maxMessage = 200;

/** Reads `notifications/progress` (MCP "Progress"): updates the request, and logs little. */
export class ProgressReader {
  /** The latest progress message that was logged, by open request. */
  private readonly told = new Map<string, { readonly t: number; readonly message: string }>();
  /** Closed requests whose late progress was reported. */
  private readonly lateTold = new WeakSet<OpenRequest>();
  /** Kinds of invalid progress that were reported; each is reported once per run. */
  private readonly oddTold = new Set<string>();

  constructor(private readonly requests: Requests) {}

  accept({ dir, t }: WireMessage, params: unknown): readonly ExchangeText[] {
    const fields = objectOf(params);
    const token = requestIdOf(fields['progressToken']);
    if (token === undefined) return this.odd('token', 'progress without a token', params);
    const request = this.requests.byToken(dir, token);
    if (!request) return this.late(dir, token, params);
    const progress = readProgress(fields, request.progress);
    this.requests.report(request.direction, request.id, progress, t);
    return [...this.oddities(fields, request, params), ...this.message(request, progress, t)];
  }

  /** Forgets a closed request. */
  forget(request: OpenRequest): void {
    this.told.delete(requestKey(request.direction, request.id));
  }

  private late(dir: WireMessage['dir'], token: string | number, params: unknown): ExchangeText[] {
    const closed = this.requests.closedByToken(dir, token);
    if (!closed) return this.odd('unknown', 'progress of no open request', params);
    if (this.lateTold.has(closed.request)) return [];
    this.lateTold.add(closed.request);
    return [
      {
        level: 'debug',
        logger: loggerOf(closed.request),
        message: withSubject(
          closed.request,
          `its progress went on after it was over (${closed.how === 'withdrawn' ? 'cancelled' : closed.how})`,
        ),
      },
    ];
  }

  private oddities(fields: JsonObject, { progress }: OpenRequest, params: unknown): ExchangeText[] {
    const now = numberOf(fields['progress']);
    if (now === undefined) return this.odd('number', 'progress without a number', params);
    if (progress !== undefined && now < progress.progress) {
      return this.odd('backwards', `progress that went back from ${progress.progress}`, params);
    }
    return [];
  }

  private message(request: OpenRequest, progress: RequestProgress, t: number): ExchangeText[] {
    const { message } = progress;
    const key = requestKey(request.direction, request.id);
    const last = this.told.get(key);
    if (message === undefined || message === last?.message || (last && t - last.t < minApart)) return [];
    this.told.set(key, { t, message });
    const of = progress.total === undefined ? '' : ` of ${progress.total}`;
    return [
      {
        level: 'debug',
        logger: loggerOf(request),
        message: withSubject(request, `progress ${progress.progress}${of}: ${message}`),
      },
    ];
  }

  private odd(kind: string, what: string, params: unknown): ExchangeText[] {
    if (this.oddTold.has(kind)) return [];
    this.oddTold.add(kind);
    const message = `${what}, told of once: ${boundedJson(params ?? null, 300)}`;
    return [{ level: 'debug', logger: 'notifications/progress', message }];
  }
}

/** Keeps missing values. Progress may go back, because many servers work in phases. */
function readProgress(fields: JsonObject, before: RequestProgress | undefined): RequestProgress {
  const total = numberOf(fields['total']);
  const message = textOf(fields['message']);
  return {
    progress: numberOf(fields['progress']) ?? before?.progress ?? 0,
    ...(total !== undefined && { total }),
    ...(message !== undefined && { message: oneLine(message, maxMessage) }),
  };
}
