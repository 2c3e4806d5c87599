import { duration, oneLine } from '../../log/text';
import type { ErrorParts, ExchangeText } from '../jsonrpc/exchangeText';
import { errorMessage } from '../jsonrpc/exchangeText';
import { methodNotFound } from '../jsonrpc/errorCodes';
import type { OpenRequest } from '../jsonrpc/requests';
import { subjectOf } from './subject';

/**
 * Describes responses to `logging/setLevel`. Some servers declare `logging` but don't know the request, or refuse valid levels. That is
 * reported once, and not as an error, because they still send logs.
 */
export class LevelAnswers {
  private readonly told = new Set<string>();

  accepted(request: OpenRequest, ms: number): ExchangeText {
    return {
      level: 'info',
      logger: request.method,
      message: `logs from ${subjectOf(request) ?? 'an unnamed level'} on (answered in ${duration(ms)})`,
    };
  }

  /** @param promised true if the server declared logging, in a version that has this request */
  refused(request: OpenRequest, parts: ErrorParts, promised: boolean): ExchangeText {
    const unknown = parts.code === methodNotFound;
    const what = unknown
      ? `${promised ? 'the server declares logging, but its level' : 'the level of this server'} cannot be set`
      : `the server refused the level ${subjectOf(request) ?? '(none)'}`;
    // The server never declared logging.
    const level = this.isNews(unknown ? 'unknown' : 'refused') && (promised || !unknown) ? 'warning' : 'debug';
    return {
      level,
      logger: request.method,
      message: `${what}: ${oneLine(errorMessage(parts), 500)}`,
      ...(parts.data !== undefined && { data: parts.data }),
    };
  }

  private isNews(kind: string): boolean {
    if (this.told.has(kind)) return false;
    this.told.add(kind);
    return true;
  }
}
