import type { Level } from '../../log/level';
import { boundedJson } from '../../log/boundedJson';
import { duration, oneLine } from '../../log/text';
import type { WireMessage } from '../../wire/wireEvent';
import { BoundedMap } from '../../log/boundedMap';
import { exchangeRecord } from '../jsonrpc/exchangeText';
import type { InterpreterSink } from '../interpreter';
import type { JsonObject, RequestId } from '../../log/json';
import { isObject, numberOf, objectOf, requestIdOf, textOf } from '../../log/json';
import type { OpenRequest, RequestProgress } from '../../work/requests';

interface Work {
  readonly title: string;
  readonly request: OpenRequest;
  /** When a message was last told, and which. */
  readonly told: { readonly t: number; readonly message: string };
}

/** More work than this is not going on at once: the oldest is forgotten. */
const maxOpen = 200;
/** Minimum time between two records about one piece of work, in milliseconds: progress may come by the thousand. */
const minApart = 1000;
const idPrefix = 'progress ';

/** The id of work among the open requests: a token is no request's id, though it may look like one. */
export function workId(token: RequestId): string {
  return `${idPrefix}${JSON.stringify(token)}`;
}

/** The token of the work with this id; `undefined` if the id is a request's. */
export function workTokenOf(id: RequestId): RequestId | undefined {
  if (typeof id !== 'string' || !id.startsWith(idPrefix)) return undefined;
  try {
    return requestIdOf(JSON.parse(id.slice(idPrefix.length)));
  } catch {
    return undefined;
  }
}

/**
 * Reads `$/progress` (LSP "Work Done Progress"): each piece of work is among the open requests from its `begin` to its `end`, so
 * that it is seen how far it is, and can be cancelled as a request can.
 */
export class WorkProgress {
  private readonly open = new BoundedMap<string, Work>(maxOpen);
  private oddTold = false;

  constructor(private readonly sink: Pick<InterpreterSink, 'record' | 'request'>) {}

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
        // A part of a result (LSP "Partial Result Progress") has no fixed form.
        const part = boundedJson(isObject(value) ? fields : value, 300);
        return this.tell(event, 'debug', `a part of a result: ${part}`);
      }
    }
  }

  /** The client asked to cancel the work. */
  cancelled(event: WireMessage, params: unknown): void {
    const token = requestIdOf(objectOf(params)['token']);
    const work = token === undefined ? undefined : this.open.get(workId(token));
    this.tell(event, 'info', `${work?.title ?? `work ${boundedJson(token ?? null, 60)}`}: cancel asked for`);
  }

  /** Ends all open work, because the connection is gone. */
  endAll(t: number): void {
    for (const { request, title } of this.open.values()) {
      this.sink.request({ type: 'closed', request });
      this.tell({ t }, 'info', `${title}: not finished (open for ${duration(t - request.startedAt)})`);
    }
    this.open.clear();
  }

  private begin(event: WireMessage, id: string, fields: JsonObject): void {
    const title = oneLine(textOf(fields['title']) ?? '(no title)', 100);
    const message = messageOf(fields);
    const progress = progressOf(title, fields, undefined);
    const request = { id, method: '$/progress', direction: 'out', startedAt: event.t, progress } as const;
    const before = this.open.get(id);
    const displaced = this.open.set(id, { title, request, told: { t: event.t, message } }) ?? before;
    if (displaced) this.sink.request({ type: 'closed', request: displaced.request });
    this.sink.request({ type: 'opened', request });
    this.tell(event, 'info', message === '' ? title : `${title}: ${message}`);
  }

  private report(event: WireMessage, id: string, fields: JsonObject, params: unknown): void {
    const work = this.open.get(id);
    if (!work) return this.odd(event, 'progress of no work that has begun', params);
    const { title, told } = work;
    const progress = progressOf(title, fields, work.request.progress);
    const request = { ...work.request, progress };
    const message = messageOf(fields);
    const isNews = message !== '' && message !== told.message && event.t - told.t >= minApart;
    this.open.update(id, { title, request, told: isNews ? { t: event.t, message } : told });
    this.sink.request({ type: 'progress', request });
    const far = progress.total === undefined ? '' : ` ${Math.round(progress.progress)} %`;
    if (isNews) this.tell(event, 'debug', `${title}${far}: ${message}`);
  }

  private end(event: WireMessage, id: string, fields: JsonObject, params: unknown): void {
    const work = this.open.get(id);
    if (!work) return this.odd(event, 'the end of work that has not begun', params);
    this.open.delete(id);
    const message = messageOf(fields);
    const done = `${work.title}: ended after ${duration(event.t - work.request.startedAt)}`;
    this.sink.request({ type: 'closed', request: work.request });
    this.tell(event, 'info', message === '' ? done : `${done}: ${message}`);
  }

  private odd(event: WireMessage, what: string, params: unknown): void {
    if (this.oddTold) return;
    this.oddTold = true;
    this.tell(event, 'debug', `${what}, told of once: ${boundedJson(params ?? null, 300)}`);
  }

  private tell({ t, line }: { readonly t: number; readonly line?: string }, level: Level, message: string): void {
    this.sink.record(exchangeRecord(undefined, t, line, { level, logger: 'progress', message }));
  }
}

/** Fields that the notification lacks keep their values. */
function progressOf(title: string, fields: JsonObject, before: RequestProgress | undefined): RequestProgress {
  const percentage = numberOf(fields['percentage']);
  const message = messageOf(fields);
  const far = percentage === undefined ? { progress: 0, ...before } : { progress: percentage, total: 100 };
  return { ...far, message: message === '' ? (before?.message ?? title) : `${title}: ${message}` };
}

function messageOf(fields: JsonObject): string {
  return oneLine(textOf(fields['message']) ?? '', 200);
}
