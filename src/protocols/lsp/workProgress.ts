import type { Level } from '../../text/level';
import { boundedJson } from '../../text/boundedJson';
import { duration, oneLine } from '../../text/text';
import type { WireMessage } from '../../wire/wireEvent';
import { BoundedMap } from '../../text/boundedMap';
import { exchangeRecord } from '../jsonrpc/exchangeText';
import type { InterpreterSink } from '../interpreter';
import type { JsonObject, RequestId } from '../../text/json';
import { isObject, numberOf, objectOf, requestIdOf, textOf } from '../../text/json';
import type { RequestProgress, Requests } from '../../work/requests';

interface Work {
  readonly title: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** The last logged message, and its time. */
  readonly logged: { readonly t: number; readonly message: string };
}

/** Maximum number of open pieces of work; the oldest are dropped. */
const maxOpen = 200;
/** Minimum time between two records about one piece of work, in milliseconds. Servers may send thousands of reports. */
const minApart = 1000;
const idPrefix = 'progress ';

/** The ID of work among the open requests. Its prefix prevents clashes, because a token may equal the ID of a request. */
export function workId(token: RequestId): string {
  return `${idPrefix}${JSON.stringify(token)}`;
}

/** The token of the work with this ID; `undefined` for the ID of a request. */
export function workTokenOf(id: RequestId): RequestId | undefined {
  if (typeof id !== 'string' || !id.startsWith(idPrefix)) return undefined;
  try {
    return requestIdOf(JSON.parse(id.slice(idPrefix.length)));
  } catch {
    return undefined;
  }
}

/**
 * Reads `$/progress` (LSP "Work Done Progress"). From its `begin` to its `end`, each piece of work is an open request, so that it shows its progress
 * and can be cancelled.
 */
export class WorkProgress {
  private readonly open = new BoundedMap<string, Work>(maxOpen);
  private oddLogged = false;

  constructor(
    private readonly sink: Pick<InterpreterSink, 'record'>,
    private readonly requests: Requests,
  ) {}

  accept(event: WireMessage, params: unknown): void {
    const { token: given, value } = objectOf(params);
    const token = requestIdOf(given);
    const fields = objectOf(value);
    if (token === undefined) return this.odd(event, 'progress without a token', params);
    const id = workId(token);
    switch (fields['kind']) {
      case 'begin':
        return this.begin(event, id, fields);
      case 'report':
        return this.report(event, id, fields, params);
      case 'end':
        return this.end(event, id, fields, params);
      default: {
        // Partial results (LSP "Partial Result Progress") have no fixed form.
        const part = boundedJson(isObject(value) ? fields : value, 300);
        return this.log(event, 'debug', `a part of a result: ${part}`);
      }
    }
  }

  /** Logs the client's request to cancel the work. */
  cancelled(event: WireMessage, params: unknown): void {
    const token = requestIdOf(objectOf(params)['token']);
    const work = token === undefined ? undefined : this.open.get(workId(token));
    this.log(event, 'info', `${work?.title ?? `work ${boundedJson(token ?? null, 60)}`}: cancel asked for`);
  }

  /** Reports all open work, because the connection has ended. */
  endAll(t: number): void {
    for (const { startedAt, title } of this.open.values()) {
      this.log({ t }, 'info', `${title}: not finished (open for ${duration(t - startedAt)})`);
    }
    this.open.clear();
  }

  private begin(event: WireMessage, id: string, fields: JsonObject): void {
    const title = oneLine(textOf(fields['title']) ?? '(no title)', 100);
    const message = messageOf(fields);
    const progress = progressOf(title, fields, undefined);
    const { t: startedAt } = event;
    const evicted = this.open.has(id) ? undefined : this.open.evictedNext;
    if (evicted !== undefined) this.requests.end('out', evicted, 'cancelled', startedAt);
    this.open.set(id, { title, startedAt, logged: { t: startedAt, message } });
    this.requests.add({ id, kind: 'work', method: '$/progress', direction: 'out', startedAt, progress });
    this.log(event, 'info', message === '' ? title : `${title}: ${message}`);
  }

  private report(event: WireMessage, id: string, fields: JsonObject, params: unknown): void {
    const work = this.open.get(id);
    if (!work) return this.odd(event, 'progress of no work that has begun', params);
    const { title, logged } = work;
    const progress = progressOf(title, fields, this.requests.get('out', id)?.progress);
    const message = messageOf(fields);
    const isNew = message !== '' && message !== logged.message && event.t - logged.t >= minApart;
    if (isNew) this.open.update(id, { ...work, logged: { t: event.t, message } });
    this.requests.report('out', id, progress);
    const far = progress.total === undefined ? '' : ` ${Math.round(progress.progress)} %`;
    if (isNew) this.log(event, 'debug', `${title}${far}: ${message}`);
  }

  private end(event: WireMessage, id: string, fields: JsonObject, params: unknown): void {
    const work = this.open.get(id);
    if (!work) return this.odd(event, 'the end of work that has not begun', params);
    this.open.delete(id);
    const message = messageOf(fields);
    const done = `${work.title}: ended after ${duration(event.t - work.startedAt)}`;
    this.requests.end('out', id, 'answered', event.t);
    this.log(event, 'info', message === '' ? done : `${done}: ${message}`);
  }

  private odd(event: WireMessage, what: string, params: unknown): void {
    if (this.oddLogged) return;
    this.oddLogged = true;
    this.log(event, 'debug', `${what}, told of once: ${boundedJson(params ?? null, 300)}`);
  }

  private log({ t, line }: { readonly t: number; readonly line?: string }, level: Level, message: string): void {
    this.sink.record(exchangeRecord(undefined, t, line, { level, logger: 'progress', message }));
  }
}

/** Fields that are missing in the notification keep their previous values. */
function progressOf(title: string, fields: JsonObject, before: RequestProgress | undefined): RequestProgress {
  const percentage = numberOf(fields['percentage']);
  const message = messageOf(fields);
  const far = percentage === undefined ? { progress: 0, ...before } : { progress: percentage, total: 100 };
  return { ...far, message: message === '' ? (before?.message ?? title) : `${title}: ${message}` };
}

function messageOf(fields: JsonObject): string {
  return oneLine(textOf(fields['message']) ?? '', 200);
}
