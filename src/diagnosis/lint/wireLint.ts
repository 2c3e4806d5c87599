import { boundedJson } from '../../log/boundedJson';
import type { JsonObject } from '../../protocols/json';
import { isObject } from '../../protocols/json';
import type { Findings, Rule } from '../rule';
import type { ResponseFact } from '../../protocols/facts';

/** One thing that JSON-RPC does not allow: what, and how it should be. */
type Violation = readonly [what: string, advice: string];

const members = new Set(['jsonrpc', 'id', 'method', 'params', 'result', 'error']);
const maxNamed = 5;

/** What JSON-RPC 2.0 does not allow, in messages of the agent. */
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

  response(answer) {
    if (answer.dir !== 'a2c') return undefined;
    const { msg, request } = answer;
    return found([...ofAll(msg), ...ofResponse(msg), ...ofAnswer(answer)], request?.method);
  },
};

function found(violations: readonly Violation[], about: string | undefined): Findings {
  return violations.map(([what, advice]) => ({
    code: 'protocol-violation',
    level: 'warning',
    what: about === undefined ? what : `${what} (${about})`,
    advice,
    key: what,
  }));
}

/** Most of what comes is one of these, and nothing is wrong with it. */
function isPlainNotification(msg: JsonObject): boolean {
  for (const name of Object.keys(msg)) if (name !== 'jsonrpc' && name !== 'method' && name !== 'params') return false;
  return (
    msg['jsonrpc'] === '2.0' &&
    (msg['params'] === undefined || typeof msg['params'] === 'object') &&
    msg['params'] !== null
  );
}

function* ofAll(msg: JsonObject): Generator<Violation> {
  if (msg['jsonrpc'] !== '2.0') {
    const has = msg['jsonrpc'] === undefined ? 'no `jsonrpc`' : `\`jsonrpc\`: ${boundedJson(msg['jsonrpc'], 40)}`;
    yield [`a message with ${has}`, 'Every message has `"jsonrpc":"2.0"` (JSON-RPC 2.0, section 4).'];
  }
  const others = Object.keys(msg).filter((name) => !members.has(name));
  if (others.length > 0) {
    const names = others.slice(0, maxNamed).map((name) => name.slice(0, 40));
    yield [
      `a message with unknown members: ${names.join(', ')}`,
      "What is one's own belongs in `params._meta` or `result._meta`.",
    ];
  }
}

/** @param allowsNull whether parameters may be null, which JSON-RPC does not allow, but ACP does */
function* ofCall(msg: JsonObject, allowsNull: boolean): Generator<Violation> {
  const { id, params } = msg;
  if ('id' in msg && typeof id !== 'string' && typeof id !== 'number') {
    yield [
      `a request whose id is ${boundedJson(id, 40)}`,
      'An id is a string or a whole number; a notification has none. This one is taken for a notification.',
    ];
  }
  if (typeof id === 'number' && !Number.isSafeInteger(id)) {
    yield [
      `a request whose id is ${id}`,
      'A number as an id should be whole (JSON-RPC 2.0, section 4), and not larger than 2^53.',
    ];
  }
  if (params !== undefined && (params === null ? !allowsNull : typeof params !== 'object')) {
    yield [`\`params\` that are no object: ${boundedJson(params, 40)}`, 'Parameters are an object, or left out.'];
  }
  if ('result' in msg || 'error' in msg) {
    yield ['a message with a method and a result', 'It is a request or an answer, never both.'];
  }
}

function* ofResponse(msg: JsonObject): Generator<Violation> {
  const { id, error } = msg;
  const hasError = error !== undefined && error !== null;
  if ('result' in msg && msg['result'] !== undefined && hasError) {
    yield [
      'an answer with both a result and an error',
      'An answer has one of them (JSON-RPC 2.0, section 5). It is taken for an error.',
    ];
  }
  if (!('result' in msg) && !hasError) {
    yield [
      'an answer with neither a result nor an error',
      'Where there is nothing to tell, the result is `{}` or `null`.',
    ];
  }
  if (hasError && (!isObject(error) || !Number.isInteger(error['code']) || typeof error['message'] !== 'string')) {
    yield [
      'an error without a whole number as `code` and a string as `message`',
      'An error has both (JSON-RPC 2.0, section 5.1).',
    ];
  }
  // An error that answers what could not be read has the id null.
  if (typeof id !== 'string' && typeof id !== 'number' && !(id === null && hasError)) {
    yield [
      `an answer whose id is ${boundedJson(id ?? null, 40)}`,
      'An answer has the id of its request, of the same type.',
    ];
  }
}

/** An interpreter that knows the request all the same has looked for it. */
function ofAnswer({ id, request }: ResponseFact): Violation[] {
  if (!request || id === undefined || typeof id === typeof request.id) return [];
  const what = `an answer whose id is a ${typeof id}, where that of its request is a ${typeof request.id}`;
  return [[what, 'An answer has the id of its request, of the same type: a client may not know whose it is.']];
}

function idInUse(msg: JsonObject): Violation {
  return [
    `a request with an id that is in use: ${boundedJson(msg['id'], 60)}`,
    'Use each id once: nobody can tell whose answer is whose.',
  ];
}
