import type { JsonObject } from '../../text/json';
import { isObject, numberOf, objectOf, textOf } from '../../text/json';
import type { KeyedLine } from '../reading/saved/keyedLine';
import type { Replay } from '../savedForm';
import type { Applied } from './changedDocument';
import { ChangedDocument } from './changedDocument';
import { RequestLines } from './requestLines';

/** Converts the log of a chat session's changes into a line for the session, and several for each request. */
export class SessionReplay implements Replay {
  private readonly document = new ChangedDocument();
  private readonly notices: KeyedLine[] = [];
  /** The number of requests that were passed on completely, and dropped. */
  private done = 0;
  /** The lines of the request after those. */
  private current = new RequestLines();
  private count = 0;

  apply(line: unknown, bytes: number): boolean {
    this.count++;
    const applied = isObject(line) ? this.document.apply(line) : undefined;
    if (applied) this.changed(applied);
    else this.notices.push({ key: `change ${this.count}`, line: { type: 'vscode.unreadable', bytes } });
    return applied !== undefined;
  }

  *lines(atEnd: boolean): Generator<KeyedLine> {
    yield* this.notices.splice(0);
    const session = this.document.value;
    const requests = Array.isArray(session['requests']) ? (session['requests'] as unknown[]) : [];
    // A new chat is saved before anything was asked.
    if (requests.length === 0) return;
    yield sessionLine(session, requests);
    while (this.done < requests.length) {
      const request = objectOf(requests[this.done]);
      const isLast = this.done === requests.length - 1;
      // The rest of a request may follow its end.
      if (isLast && !atEnd) return;
      yield* this.current.of(request, isLast);
      if (isLast) return;
      requests[this.done] = { requestId: request['requestId'] };
      this.done++;
      this.current = new RequestLines();
    }
  }

  private changed({ path, length }: Applied): void {
    const [field, index, part, at] = path;
    if (path.length === 0) {
      this.done = 0;
      this.current = new RequestLines();
    } else if (field !== 'requests') return;
    else if (path.length === 1) this.requestsChanged(length);
    else if (index !== this.done || part !== 'response') return;
    else this.current.changedFrom(length && path.length === 3 ? length.kept : (numberOf(at) ?? 0));
  }

  /** The user may remove requests, or send one again. */
  private requestsChanged(length: Applied['length']): void {
    const { before, kept } = length ?? { before: Infinity, kept: 0 };
    const removed = before - kept;
    if (kept > this.done || removed === 0) return;
    if (Number.isFinite(removed)) {
      this.notices.push({ key: `removed ${this.count}`, line: { type: 'vscode.removed', requests: removed } });
    }
    this.done = kept;
    this.current = new RequestLines();
  }
}

/** A whole session in one document: of older versions, or written by *Chat: Export*. */
export function sessionLines(document: JsonObject, requests: readonly JsonObject[]): readonly KeyedLine[] | undefined {
  if (!('responderUsername' in document) && !('initialLocation' in document)) return undefined;
  const replay = new SessionReplay();
  const [first] = requests;
  // An export has no ID.
  const sessionId = textOf(document['sessionId']) ?? textOf(first?.['requestId']) ?? 'session';
  replay.apply({ kind: 0, v: { ...document, sessionId, requests: requests.map(withState) } }, 0);
  return [...replay.lines(true)];
}

/** Versions before 1.104 don't record how a request ended. */
function withState(request: JsonObject): JsonObject {
  if (isObject(request['modelState'])) return request;
  const { result, isCanceled } = request;
  const isFailed = isObject(objectOf(result)['errorDetails']);
  const state = isCanceled === true ? 2 : isFailed ? 3 : isObject(result) ? 1 : 0;
  return { ...request, modelState: { value: state } };
}

function sessionLine(session: JsonObject, requests: readonly unknown[]): KeyedLine {
  const { sessionId, creationDate, responderUsername, customTitle } = session;
  const { fullName, extensionVersion } = objectOf(objectOf(requests[0])['agent']);
  const agent = [fullName, responderUsername].map(textOf).find((name) => name !== undefined && name !== '');
  const ts = numberOf(creationDate) ?? numberOf(objectOf(requests[0])['timestamp']);
  return {
    key: 'session',
    line: {
      type: 'vscode.session',
      ...(ts !== undefined && { ts }),
      sessionId,
      agent,
      ...(extensionVersion !== undefined && { version: extensionVersion }),
      ...(customTitle !== undefined && { customTitle }),
    },
  };
}
