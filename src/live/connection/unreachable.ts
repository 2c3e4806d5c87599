import { inEnglish, t } from '../../text/translator';
import { oneLine } from '../../text/text';
import type { FailedHttp } from '../../diagnosis/failures/httpFailure';
import { httpFailure } from '../../diagnosis/failures/httpFailure';
import { connectionWords, noTls, reasonOfCode } from '../../protocols/connectionWords';
import type { Why } from '../../wire/wireEvent';
import type { Remedy } from '../../text/humanError';
import { codeOf, HumanError, messageOf } from '../../text/humanError';

/** Why there was no response, from the error, its cause, or one of several: a code that has words, or a text. */
export function reasonOf(error: unknown): Why {
  const code = errorCodeOf(error);
  return [code !== undefined && reasonOfCode(code) ? code : oneLine(messageOf(causeOf(error)), 300)];
}

/** Node's code of an error, of its cause, or of one of several. */
export function errorCodeOf(error: unknown): string | undefined {
  const cause = causeOf(error);
  if (/\bwrong[ _]version[ _]number\b/i.test(messageOf(cause))) return noTls;
  const code = codeOf(cause);
  return typeof code === 'string' ? code : undefined;
}

/** The error for a request without a response, with a remedy. */
export function unreachable(url: URL, method: string, error: unknown): HumanError {
  const errorCode = errorCodeOf(error);
  const why = reasonOf(error);
  const message = inEnglish(connectionWords(why));
  return failedHttp({ method, message, why, ...(errorCode !== undefined && { errorCode }) }, url.href);
}

/** The error for a failed request to a server, in the words of its diagnosis. */
export function failedHttp(failed: FailedHttp, address: string | undefined): HumanError {
  const { what, advice } = httpFailure(failed, address);
  const remedies: readonly Remedy[] = failed.canLogIn === true ? ['logIn', 'output'] : ['settings', 'output'];
  return new HumanError(advice ? t('{0}. {1}', what, advice) : t('{0}.', what), remedies);
}

function causeOf(error: unknown): unknown {
  let cause = error;
  for (let depth = 0; cause instanceof Error && depth < 5; depth++) {
    const [first] = cause instanceof AggregateError ? (cause.errors as unknown[]) : [cause.cause];
    if (!(first instanceof Error)) break;
    cause = first;
  }
  return cause;
}
