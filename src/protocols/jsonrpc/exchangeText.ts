import { boundedJson } from '../../log/boundedJson';
import type { Level } from '../../log/level';
import type { RecordDraft, RecordKind } from '../../log/record';
import { duration, oneLine } from '../../log/text';
import { errorWords } from '../errorWords';
import { objectOf, textOf } from '../json';
import type { OpenRequest } from './requests';

/** What a request or its answer says, on one line. */
export interface ExchangeText {
  readonly level: Level;
  readonly kind?: RecordKind;
  readonly logger?: string;
  readonly message: string;
  readonly data?: unknown;
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

/** The parts of a JSON-RPC error object for a record. An error of another form becomes JSON. */
export interface ErrorParts {
  readonly text: string;
  readonly code?: number;
  readonly data?: unknown;
}

export function errorParts(error: unknown): ErrorParts {
  const { code, message, data } = objectOf(error);
  return {
    text: oneLine(errorWords({ message: textOf(message) ?? boundedJson(error ?? null, 500), data }), 2000),
    ...(typeof code === 'number' && { code }),
    ...(data !== undefined && data !== null && { data }),
  };
}

/** `text (code)`. */
export function errorMessage({ text, code }: ErrorParts): string {
  return code === undefined ? text : `${text} (${code})`;
}

/**
 * A request that ended with the connection.
 * @param failed the level of one that the other side should have answered
 */
export function unansweredText(
  { direction }: OpenRequest,
  ms: number,
  askedToEnd: boolean,
  failed: Level,
): Pick<ExchangeText, 'level' | 'message'> {
  const who = direction === 'out' ? 'was never answered' : 'was not answered before the end';
  return {
    level: askedToEnd || direction === 'in' ? 'info' : failed,
    message: `${who} (open for ${duration(ms)})`,
  };
}
