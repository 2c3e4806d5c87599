import { readable } from '../../work/failures/errorText';
import type { Level } from '../../text/level';
import type { RecordContent, RecordDraft, RecordKind } from '../../text/record';
import { duration, oneLine } from '../../text/text';
import { objectOf, textOf } from '../../text/json';
import type { OpenRequest } from '../../work/requests';
import type { RpcError } from '../../work/rpcError';

/** What a request or its answer says, on one line. */
export interface ExchangeText {
  readonly level: Level;
  readonly kind?: RecordKind;
  readonly logger?: string;
  readonly message: string;
  readonly data?: unknown;
  readonly content?: RecordContent;
}

/**
 * The text as a record.
 * @param raw the line it was read from, if there is one
 */
export function exchangeRecord(
  sessionId: string | undefined,
  receivedAt: number,
  raw: string | undefined,
  { kind = 'activity', ...fields }: ExchangeText,
): RecordDraft {
  return {
    receivedAt,
    kind,
    ...(sessionId !== undefined && { sessionId }),
    ...fields,
    ...(raw !== undefined && { raw }),
  };
}

/** What an error response says: `failed after 2.1 s: message (code)`. */
export function errorExchange(level: Level, logger: string, what: string, error: RpcError): ExchangeText {
  const { data } = error;
  return {
    level,
    logger,
    message: `${what}: ${errorMessage(error)}`,
    ...(data !== undefined && data !== null && { data }),
  };
}

/** Longer messages aren't parsed as JSON, in characters. */
const maxJson = 10_000;

/** `message (code)`. */
export function errorMessage({ message, code }: RpcError): string {
  // Some agents pass on the whole body of the provider's answer.
  const text = oneLine(message.startsWith('{') && message.length <= maxJson ? readable(message) : message, 2000);
  return code === undefined ? text : `${text} (${code})`;
}

/** What the request is about, from its noted parameters. */
export function subjectOf({ noted }: OpenRequest): string | undefined {
  return textOf(objectOf(noted)['subject']);
}

/** Prefixes a text with the subject of the request. */
export function withSubject(request: OpenRequest, text: string): string {
  const subject = subjectOf(request);
  return subject === undefined ? text : `${subject}: ${text}`;
}

/** A request that ended with the connection. */
export function unansweredText(request: OpenRequest, ms: number): string {
  const how = request.direction === 'out' ? 'was never answered' : 'was not answered before the end';
  return withSubject(request, `${how} (open for ${duration(ms)})`);
}
