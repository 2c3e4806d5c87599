import { boundedJson } from '../../log/boundedJson';
import { duration, oneLine } from '../../log/text';
import type { WireMessage } from '../../wire/wireEvent';
import type { ExchangeText } from '../jsonrpc/exchangeText';
import type { RequestChange } from '../interpreter';
import type { JsonObject, RequestId } from '../json';
import { isObject, objectOf, requestIdOf, textOf } from '../json';
import type { OpenRequest, RequestProgress } from '../jsonrpc/requests';

/** What a progress notification comes to. */
export interface ProgressOutcome {
  readonly change?: RequestChange;
  readonly text?: ExchangeText;
}

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
  private readonly open = new Map<string, Work>();
  private oddTold = false;

  accept(event: WireMessage, params: unknown): readonly ProgressOutcome[] {
    const { token: given, value } = objectOf(params);
    const token = requestIdOf(given);
    const fields = objectOf(value);
    if (token === undefined) return this.odd('progress without a token', params);
    const id = workId(token);
    switch (fields['kind']) {
      case 'begin':
        return this.begin(event, id, fields);
      case 'report':
        return this.report(event, id, fields, params);
      case 'end':
        return this.end(event, id, fields, params);
      default:
        // A part of a result (LSP "Partial Result Progress") has no fixed form.
        return [{ text: told('debug', `a part of a result: ${boundedJson(isObject(value) ? fields : value, 300)}`) }];
    }
  }

  /** The client asked to cancel the work. */
  cancelled(params: unknown): ExchangeText {
    const token = requestIdOf(objectOf(params)['token']);
    const work = token === undefined ? undefined : this.open.get(workId(token));
    return told('info', `${work?.title ?? `work ${boundedJson(token ?? null, 60)}`}: cancel asked for`);
  }

  /** All is over: what goes on no more. */
  takeAll(t: number): ProgressOutcome[] {
    const all = [...this.open.values()];
    this.open.clear();
    return all.map(({ request, title }) => ({
      change: { type: 'closed', request },
      text: told('info', `${title}: not finished (open for ${duration(t - request.startedAt)})`),
    }));
  }

  private begin({ t }: WireMessage, id: string, fields: JsonObject): ProgressOutcome[] {
    const title = oneLine(textOf(fields['title']) ?? '(no title)', 100);
    const message = messageOf(fields);
    const displaced = this.displaced(id);
    const request: OpenRequest = {
      id,
      method: '$/progress',
      direction: 'out',
      startedAt: t,
      progress: progressOf(title, fields, undefined),
    };
    this.open.set(id, { title, request, told: { t, message } });
    return [
      ...displaced,
      { change: { type: 'opened', request }, text: told('info', message === '' ? title : `${title}: ${message}`) },
    ];
  }

  private report({ t }: WireMessage, id: string, fields: JsonObject, params: unknown): ProgressOutcome[] {
    const work = this.open.get(id);
    if (!work) return this.odd('progress of no work that has begun', params);
    const { title } = work;
    const request = { ...work.request, progress: progressOf(title, fields, work.request.progress) };
    const message = messageOf(fields);
    const isNews = message !== '' && message !== work.told.message && t - work.told.t >= minApart;
    this.open.set(id, { title, request, told: isNews ? { t, message } : work.told });
    const change: RequestChange = { type: 'progress', request };
    if (!isNews) return [{ change }];
    const { progress, total } = request.progress;
    const far = total === undefined ? '' : ` ${Math.round(progress)} %`;
    return [{ change, text: told('debug', `${title}${far}: ${message}`) }];
  }

  private end({ t }: WireMessage, id: string, fields: JsonObject, params: unknown): ProgressOutcome[] {
    const work = this.open.get(id);
    if (!work) return this.odd('the end of work that has not begun', params);
    this.open.delete(id);
    const message = messageOf(fields);
    const done = `${work.title}: ended after ${duration(t - work.request.startedAt)}`;
    return [
      {
        change: { type: 'closed', request: work.request },
        text: told('info', message === '' ? done : `${done}: ${message}`),
      },
    ];
  }

  /** What has to make room for work that begins: the same token used twice, or the oldest of too many. */
  private displaced(id: string): ProgressOutcome[] {
    const [oldest] = this.open.keys();
    const key = this.open.has(id) ? id : this.open.size >= maxOpen ? oldest : undefined;
    const work = key === undefined ? undefined : this.open.get(key);
    if (key === undefined || !work) return [];
    this.open.delete(key);
    return [{ change: { type: 'closed', request: work.request } }];
  }

  private odd(what: string, params: unknown): ProgressOutcome[] {
    if (this.oddTold) return [];
    this.oddTold = true;
    return [{ text: told('debug', `${what}, told of once: ${boundedJson(params ?? null, 300)}`) }];
  }
}

/** Fields that the notification lacks keep their values. */
function progressOf(title: string, fields: JsonObject, before: RequestProgress | undefined): RequestProgress {
  const { percentage } = fields;
  const message = messageOf(fields);
  const isNumber = typeof percentage === 'number' && Number.isFinite(percentage);
  const far = isNumber ? { progress: percentage, total: 100 } : { progress: 0, ...known(before) };
  return { ...far, message: message === '' ? (before?.message ?? title) : `${title}: ${message}` };
}

function known(before: RequestProgress | undefined): Pick<RequestProgress, 'progress' | 'total'> | undefined {
  return before && { progress: before.progress, ...(before.total !== undefined && { total: before.total }) };
}

function messageOf(fields: JsonObject): string {
  return oneLine(textOf(fields['message']) ?? '', 200);
}

function told(level: ExchangeText['level'], message: string): ExchangeText {
  return { level, logger: 'progress', message };
}
