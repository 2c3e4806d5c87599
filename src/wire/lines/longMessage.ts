import { cutJson } from '../../text/cutJson';
import { jsonText } from '../../text/jsonText';
import type { Envelope } from '../envelopes';
import { jsonValueOf } from '../jsonValue';
import type { CutLine } from './longLine';

/** How to handle a line over the limit. */
export interface LongMessage {
  /** For the client: requests and responses. Notifications are only logged. */
  readonly messages: readonly unknown[];
  /** Requests that are too long to read. Each has to be answered with its error. */
  readonly refused: readonly RefusedRequest[];
  /** For the log: the message with its long strings cut, or the beginning of the line. */
  readonly logged: { readonly line: string; readonly msg?: unknown };
}

export interface RefusedRequest {
  readonly id: string | number;
  readonly method: string;
  readonly error: RpcError;
}

interface RpcError {
  readonly code: number;
  readonly message: string;
}

const internalError = -32603;

/**
 * Reads the requests and responses in a line over the log's limit, so that neither side waits forever: whole if the line was kept, otherwise as
 * an error with the ID. Notifications aren't parsed.
 * @param maxBytes maximum length of lines that are kept whole
 */
export function readLongMessage(line: CutLine, maxBytes: number): LongMessage {
  const { text, bytes, envelopes } = line;
  const asked = envelopes.filter(({ id }) => id !== undefined);
  if (asked.length === 0) return { messages: [], refused: [], logged: { line: text } };
  const { whole } = line;
  const { msg } = whole ? jsonValueOf(whole.toString()) : {};
  if (msg !== undefined) {
    return { messages: Array.isArray(msg) ? (msg as unknown[]) : [msg], refused: [], logged: loggedAs(msg, text) };
  }
  // Invalid JSON isn't a request, but the client may be waiting for it as a response.
  const answers = asked.filter(({ method }) => method === undefined);
  if (whole) {
    const error = errorOf(`The answer of ${bytes} bytes is not valid JSON.`);
    return { messages: answers.map(({ id }) => failed(id, error)), refused: [], logged: { line: text } };
  }
  const limit = `over the limit of ${maxBytes} bytes`;
  const messages = answers.map(({ id }) => failed(id, errorOf(`The answer has ${bytes} bytes, ${limit}.`)));
  const error = errorOf(`The request has ${bytes} bytes, ${limit}.`);
  const refused = asked.flatMap(({ id, method }) =>
    id === undefined || method === undefined ? [] : { id, method, error },
  );
  // Such a response is logged as the error that the client gets, and such a request without its parameters.
  const [only] = [...messages, ...asked.map((envelope) => ({ jsonrpc: '2.0', ...envelope }))];
  return { messages, refused, logged: envelopes.length === 1 ? loggedAs(only, text) : { line: text } };
}

function loggedAs(msg: unknown, text: string): LongMessage['logged'] {
  const shown = cutJson(msg);
  const line = jsonText(shown);
  return line === undefined ? { line: text } : { line, msg: shown };
}

function failed(id: Envelope['id'], error: RpcError): object {
  return { jsonrpc: '2.0', id, error };
}

function errorOf(message: string): RpcError {
  return { code: internalError, message };
}
