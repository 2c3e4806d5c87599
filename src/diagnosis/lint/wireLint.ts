import type { Words } from '../../text/translator';
import { inEnglish, t } from '../../text/translator';
import { boundedJson } from '../../text/boundedJson';
import type { JsonObject } from '../../text/json';
import { isObject } from '../../text/json';
import type { Found, Rule } from '../rule';
import type { ResponseFact } from '../../work/facts';
import type { Conversation } from '../conversation/conversation';
import { errorText } from '../../work/failures/errorText';
import { peer } from '../../protocols/terms';

/** A violation of JSON-RPC, and the correct form. */
type Violation = readonly [what: Words, advice: Words];

const members = new Set(['jsonrpc', 'id', 'method', 'params', 'result', 'error']);
const maxNamed = 5;

/** What JSON-RPC 2.0 doesn't allow in the agent's messages. */
export const wireLint: Rule = {
  request({ dir, msg, request, isIdInUse }, { protocol }) {
    if (dir !== 'a2c') return undefined;
    const all = [...ofAll(msg), ...ofCall(msg, protocol === 'acp'), ...(isIdInUse ? [idInUse(msg)] : [])];
    return found(all, request.method);
  },

  notification({ dir, msg, method }, { protocol }) {
    if (dir !== 'a2c' || isPlainNotification(msg)) return undefined;
    return found([...ofAll(msg), ...ofCall(msg, protocol === 'acp')], method);
  },

  response(answer, conversation) {
    if (answer.dir !== 'a2c') return undefined;
    const { msg, request } = answer;
    return [
      ...found([...ofAll(msg), ...ofResponse(msg), ...ofAnswer(answer)], request?.method),
      request ? undefined : ofStray(answer, conversation),
    ];
  },
};

function found(violations: readonly Violation[], about: string | undefined): readonly Found[] {
  return violations.map(([what, advice]) => ({
    code: 'protocol-violation',
    level: 'warning',
    what: about === undefined ? what : t('{0} (`{1}`)', what, about),
    advice,
    key: inEnglish(what),
  }));
}

/** Fast path: most messages are valid notifications. */
function isPlainNotification(msg: JsonObject): boolean {
  for (const name of Object.keys(msg)) if (name !== 'jsonrpc' && name !== 'method' && name !== 'params') return false;
  const { jsonrpc, params } = msg;
  return jsonrpc === '2.0' && (params === undefined || typeof params === 'object') && params !== null;
}

function* ofAll(msg: JsonObject): Generator<Violation> {
  const { jsonrpc } = msg;
  if (jsonrpc !== '2.0') {
    const what =
      jsonrpc === undefined
        ? t('Message without `jsonrpc`')
        : t('Message with `jsonrpc`: {0}', boundedJson(jsonrpc, 40));
    yield [what, t('Every message has `"jsonrpc":"2.0"` (JSON-RPC 2.0, section 4).')];
  }
  const others = Object.keys(msg).filter((name) => !members.has(name));
  if (others.length === 0) return;
  const names = others.slice(0, maxNamed).map((name) => `\`${name.slice(0, 40)}\``);
  yield [
    t('Message with unknown members: {0}', names.join(', ')),
    t('Put your own fields in `params._meta` or `result._meta`.'),
  ];
}

/** @param allowsNull whether `params` may be null, as in ACP but not in JSON-RPC */
function* ofCall(msg: JsonObject, allowsNull: boolean): Generator<Violation> {
  const { id, params } = msg;
  if ('id' in msg && typeof id !== 'string' && typeof id !== 'number') {
    const advice = t('Use a string or a whole number. It was read as a notification.');
    yield [invalidId(id), advice];
  }
  if (typeof id === 'number' && !Number.isSafeInteger(id)) {
    yield [invalidId(id), t('Use whole numbers up to 2^53 (JSON-RPC 2.0, section 4).')];
  }
  if (params !== undefined && (params === null ? !allowsNull : typeof params !== 'object')) {
    const what = t("`params` isn't an object: {0}", boundedJson(params, 40));
    yield [what, t('Send an object, or leave `params` out.')];
  }
  if ('result' in msg || 'error' in msg) {
    yield [t('Message with both a method and a result'), t('Send either a request or a response.')];
  }
}

function* ofResponse(msg: JsonObject): Generator<Violation> {
  const { id, error } = msg;
  const hasError = error !== undefined && error !== null;
  if ('result' in msg && msg['result'] !== undefined && hasError) {
    yield [t('Response with both a result and an error'), t('Send one of them. It was read as an error.')];
  }
  if (!('result' in msg) && !hasError) {
    yield [t('Response with neither a result nor an error'), t('Send `{}` or `null` if there is nothing to return.')];
  }
  if (hasError && (!isObject(error) || !Number.isInteger(error['code']) || typeof error['message'] !== 'string')) {
    const advice = t('`code` must be a whole number and `message` a string (JSON-RPC 2.0, section 5.1).');
    yield [t('Error without a valid `code` and `message`'), advice];
  }
  // The error about an unreadable message has a null ID.
  if (typeof id !== 'string' && typeof id !== 'number' && !(id === null && hasError)) {
    yield [t('Response ID {0} is invalid', boundedJson(id ?? null, 40)), sameId];
  }
}

const sameId = t('A response must have the ID of its request, in the same type.');

/** The request was found although the ID has another type, so the ID is wrong. */
function ofAnswer({ id, request }: ResponseFact): Violation[] {
  if (!request || id === undefined || typeof id === typeof request.id) return [];
  const what =
    typeof id === 'string'
      ? t('The response ID is a string, the request ID a number')
      : t('The response ID is a number, the request ID a string');
  return [[what, sameId]];
}

function invalidId(id: unknown): Words {
  return t('Request ID {0} is invalid', boundedJson(id, 40));
}

function idInUse(msg: JsonObject): Violation {
  return [
    t('Request ID {0} is already in use', boundedJson(msg['id'], 60)),
    t('Use each ID once until its response was sent.'),
  ];
}

/** A response without an open request: a duplicate, one to an unknown request, or an error about an unreadable message. */
function ofStray({ id, msg, error, late }: ResponseFact, conversation: Conversation): Found | undefined {
  if (id === undefined) {
    if (msg['id'] !== null || !error) return undefined; // an invalid ID
    const what = t("The {1} couldn't parse a message: {0}", errorText(error), peer);
    return { code: 'malformed-message', level: 'warning', what, key: 'unread' };
  }
  if (late && late.how !== 'answered') return undefined;
  const shown = boundedJson(id, 60);
  const other = typeof id === 'string' ? Number(id) : String(id);
  return {
    code: 'unknown-response',
    level: 'warning',
    what: late
      ? t('Second response to `{0}` (ID {1})', late.request.method, shown)
      : t('Response to no request (ID {0})', shown),
    advice: conversation.work.requests.get('out', other)
      ? t('A request with the ID {0} is open: a response needs its ID in the same type.', boundedJson(other, 60))
      : t('Answer each request once, with its own ID.'),
  };
}
