import { deepJson, parsedJson } from '../../text/jsonText';
import { arrayOf, isObject, numberOf, objectOf, textOf } from '../../text/json';
import type { JsonObject } from '../../text/json';
import type { Protocol } from '../protocol';
import type { WireDirection, WireEvent } from '../wireEvent';
import { WireLine } from '../wireLine';

/** Maximum number of answers that are kept until what came before them was read. */
const maxWaiting = 1000;

const stamp = '\\s{0,8}(\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\.\\d{3}) (?=\\[\\w{1,10}\\])';
/** A line of VS Code's channel of an MCP server: its local time, its level, and what crossed or happened. */
const channelLine = new RegExp(`^${stamp}`);
const crossed = /^\[\w{1,10}\] \[(Client Says|editor -> server|Server Says|server -> editor)\] (?=[{[])/;
const serverStderr = /^\[\w{1,10}\] \[server stderr\] /;
const channel = new RegExp(`^${stamp}${crossed.source.slice(1)}`, 'm');
/** A list of the MCP Inspector's messages, and of those that Zed copies. */
const inspectorList =
  /^\s{0,100}\[\s{0,100}\{\s{0,100}"id":\s?"[^"]{1,100}",\s{0,100}"timestamp":\s?"[^"]{1,40}",\s{0,100}"direction":\s?"(?:request|response|notification)"/;
const zedList = /^\s{0,100}\[\s{0,100}\{\s{0,100}"_direction":\s?"(?:incoming|outgoing|stderr)",\s{0,100}"_type":/;
const pieceOfList = /^\s{0,100}[[\]{},"]/;
/** What a client sends besides requests of its own, for Inspectors that don't say who sent a message. */
const ofServer = new Set(['sampling/createMessage', 'elicitation/create', 'roots/list']);
const ofClient = new Set(['notifications/initialized', 'notifications/cancelled', 'notifications/roots/list_changed']);

/**
 * The protocol of what crosses in the log of another client: VS Code's channel of an MCP server, the list that the MCP Inspector exports, or
 * that of Zed's "Copy All Messages". `undefined` for any other file.
 * @param head its first lines
 */
export function clientLogProtocol(head: string): Protocol | undefined {
  if (zedList.test(head)) return 'acp';
  return channel.test(head) || inspectorList.test(head) ? 'mcp' : undefined;
}

/** Reads such a log. What isn't a message is read as the agent's standard error, which it often quotes. */
export class ClientLog {
  /** Answers that came later than what was read so far, oldest first. */
  private readonly waiting: WireEvent[] = [];
  private last: number | undefined;
  private isList = false;

  /**
   * Returns `undefined` for a piece of a message, or of a list.
   * @param now for what has no time, in milliseconds since the epoch
   */
  read(text: string, now: number): readonly WireEvent[] | undefined {
    const value = /^\s{0,100}[[{]/.test(text) ? parsedJson(text) : undefined;
    const entries = arrayOf(value).filter(isObject);
    if (entries.length === 0) return this.channelEvents(text, now);
    this.isList = true;
    return entries.flatMap((entry) =>
      '_direction' in entry ? zedEvents(entry, now) : this.inspectorEvents(entry, now),
    );
  }

  end(): readonly WireEvent[] {
    return this.waiting.splice(0);
  }

  private channelEvents(text: string, now: number): readonly WireEvent[] | undefined {
    const [whole = '', at] = channelLine.exec(text) ?? [];
    if (at !== undefined) this.last = Date.parse(at.replace(' ', 'T'));
    else if (this.isList || (this.last === undefined && pieceOfList.test(text))) return undefined;
    const t = this.last ?? now;
    const rest = text.slice(whole.length);
    const [prefix, who = ''] = crossed.exec(rest) ?? [];
    if (prefix === undefined) return [{ t, dir: 'err', line: rest.replace(serverStderr, '') }];
    const event = WireLine.of(t, /^(?:Client|editor)/.test(who) ? 'c2a' : 'a2c', rest.slice(prefix.length));
    return event.msg === undefined ? undefined : [event];
  }

  /** A request, with its answer if it has one. */
  private inspectorEvents(entry: JsonObject, now: number): readonly WireEvent[] {
    const { timestamp, message, response, duration } = entry;
    if (!isObject(message)) return [];
    const time = Date.parse(textOf(timestamp) ?? '');
    const t = Number.isNaN(time) ? now : time;
    const dir = directionOf(entry, textOf(message['method']) ?? '');
    const answered = this.waiting.findIndex((one) => one.t > t);
    const earlier = this.waiting.splice(0, answered < 0 ? this.waiting.length : answered);
    if (isObject(response)) {
      const back = { t: t + (numberOf(duration) ?? 0), dir: dir === 'c2a' ? 'a2c' : 'c2a' } as const;
      const place = this.waiting.findIndex((one) => one.t > back.t);
      this.waiting.splice(place < 0 ? this.waiting.length : place, 0, messageOf(back.t, back.dir, response));
    }
    const all = [...earlier, messageOf(t, dir, message)];
    return this.waiting.length > maxWaiting ? [...all, ...this.end()] : all;
  }
}

function directionOf({ origin, direction }: JsonObject, method: string): WireDirection {
  if (origin === 'client' || origin === 'server') return origin === 'client' ? 'c2a' : 'a2c';
  if (direction === 'request') return ofServer.has(method) ? 'a2c' : 'c2a';
  return ofClient.has(method) ? 'c2a' : 'a2c';
}

/** Zed's copy has no times, and an answer has its result or its error as `params`. */
function zedEvents({ _direction: direction, _type: type, id, method, params }: JsonObject, now: number): WireEvent[] {
  if (direction === 'stderr') return [{ t: now, dir: 'err', line: textOf(params) ?? '' }];
  const dir = direction === 'outgoing' ? 'c2a' : 'a2c';
  const call = { method, ...(params !== null && { params }) };
  switch (type) {
    case 'request':
      return [messageOf(now, dir, { id, ...call })];
    case 'response':
      return [messageOf(now, dir, { id, ...(isError(params) ? { error: params } : { result: params ?? {} }) })];
    case 'notification':
      return [messageOf(now, dir, call)];
    default:
      return [];
  }
}

function isError(params: unknown): boolean {
  const { code, message } = objectOf(params);
  return typeof code === 'number' && typeof message === 'string';
}

function messageOf(t: number, dir: WireDirection, message: JsonObject): WireEvent {
  const msg = { jsonrpc: '2.0', ...message };
  return WireLine.of(t, dir, deepJson(msg), { msg });
}
