import { duration, oneLine } from '../../log/text';
import type { ErrorParts, ExchangeText } from '../jsonrpc/exchangeText';
import { errorMessage } from '../jsonrpc/exchangeText';
import { methodNotFound } from '../jsonrpc/message';
import type { OpenRequest } from '../jsonrpc/requests';
import { subjectOf } from './subject';

/**
 * What servers answer to `logging/setLevel`. Some declare `logging` and do not know the request, or refuse levels that MCP has: that is
 * told once at a level that a person sees, and is no error, since their logs come all the same.
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

  /** @param promised whether the server has declared that it logs, in a version where that means this request */
  refused(request: OpenRequest, parts: ErrorParts, promised: boolean): ExchangeText {
    const unknown = parts.code === methodNotFound;
    const what = unknown
      ? `${promised ? 'the server declares logging, but its level' : 'the level of this server'} cannot be set`
      : `the server refused the level ${subjectOf(request) ?? '(none)'}`;
    // A server that never said so has done no wrong.
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
