import type { WireEvent, WireMessage } from '../../wire/wireEvent';
import type { JsonObject } from '../json';
import { arrayOf, isObject, objectOf, requestIdOf, textOf } from '../json';
import { boundedSessionId } from '../sessionId';
import { streamSessionId } from '../streamJson/streamSessionId';
import type { OpenRequest } from '../openRequests';
import type { Conversation } from './conversation';
import { rpcError } from './rpcError';
import type { Seen } from './seen';

/** One message to a line: JSON-RPC's, or any JSON object. */
export type Framing = 'json-rpc' | 'objects';

/** A batch of more is no conversation: the rest is not looked at. */
const maxBatch = 1000;

/** Reads wire events as far as all protocols have it in common, and pairs answers with requests. */
export class SeenReader {
  /** The latest session that the agent has named in its stream. */
  private session: string | undefined;

  constructor(
    private readonly framing: Framing,
    private readonly conversation: Conversation,
  ) {}

  read(event: WireEvent): Seen[] {
    if (event.dir === 'ev') return [{ type: 'process', event }];
    if (event.dir === 'err') return [{ type: 'stderr', event }];
    const { dir } = event;
    if (event.msg === undefined) {
      return [{ type: 'malformed', event, dir, why: event.bytes === undefined ? 'not-json' : 'too-long' }];
    }
    if (!Array.isArray(event.msg)) return [this.message(event, event.msg)];
    const batch = arrayOf(event.msg).slice(0, maxBatch);
    return [{ type: 'malformed', event, dir, why: 'batch' }, ...batch.map((msg) => this.message(event, msg))];
  }

  private message(event: WireMessage, msg: unknown): Seen {
    const { dir } = event;
    if (!isObject(msg)) return { type: 'malformed', event, dir, why: 'no-message' };
    if (this.framing === 'objects') return this.object(event, msg);
    const method = textOf(msg['method']);
    if (method !== undefined) {
      const id = requestIdOf(msg['id']);
      return id === undefined ? this.notification(event, msg, method) : this.request(event, msg, method, id);
    }
    if ('result' in msg || 'error' in msg || 'id' in msg) return this.response(event, msg);
    return { type: 'malformed', event, dir, why: 'no-message' };
  }

  private object(event: WireMessage, msg: JsonObject): Seen {
    const id = event.dir === 'a2c' ? streamSessionId(msg) : undefined;
    if (id !== undefined) this.session = boundedSessionId(id);
    return { type: 'object', event, dir: event.dir, msg, sessionId: this.session };
  }

  private request(event: WireMessage, msg: JsonObject, method: string, id: string | number): Seen {
    const params = objectOf(msg['params']);
    const sessionId = sessionIdOf(params);
    const request: OpenRequest = {
      id,
      method: method.slice(0, 200),
      direction: event.dir === 'c2a' ? 'out' : 'in',
      startedAt: event.t,
      ...(sessionId !== undefined && { sessionId }),
    };
    const isIdInUse = this.conversation.opened(request);
    return { type: 'request', event, dir: event.dir, msg, request, params, isIdInUse };
  }

  private notification(event: WireMessage, msg: JsonObject, method: string): Seen {
    const params = objectOf(msg['params']);
    return { type: 'notification', event, dir: event.dir, msg, method, params, sessionId: sessionIdOf(params) };
  }

  private response(event: WireMessage, msg: JsonObject): Seen {
    const id = requestIdOf(msg['id']);
    const request = id === undefined ? undefined : this.conversation.answered(event.dir, id);
    const { result } = msg;
    const sessionId = request?.sessionId ?? sessionIdOf(objectOf(result));
    const error = rpcError(msg['error']);
    return { type: 'response', event, dir: event.dir, msg, id, request, result, error, sessionId };
  }
}

/** Some write it as their own language does. */
function sessionIdOf(fields: JsonObject): string | undefined {
  const id = textOf(fields['sessionId']) ?? textOf(fields['session_id']);
  return id === undefined ? undefined : boundedSessionId(id);
}
