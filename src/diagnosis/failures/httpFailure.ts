import { oneLine } from '../../text/text';
import type { Words } from '../../text/translator';
import { t, verbatim } from '../../text/translator';
import type { ConnectionEvent } from '../../wire/wireEvent';
import { withoutStop } from '../../work/failures/errorText';
import { classOfText } from '../../work/failures/failureClass';
import { certificateTrouble, noTls, reasonOfCode, untrusted, wordsOfEvent } from '../../protocols/connectionWords';
import { causeOf, causes } from '../causes';
import type { DiagnosisCode } from '../diagnosis';
import { adviceFor } from './failureAdvice';

/** A request to a server that failed. Without a status, there was no response. */
export type FailedHttp = Pick<
  Extract<ConnectionEvent, { ev: 'http' }>,
  'method' | 'status' | 'message' | 'why' | 'errorCode' | 'canLogIn'
>;

/** Why a request to an MCP server failed, and what to do: the diagnosis and the notification say the same. */
export interface HttpFailure {
  readonly code: DiagnosisCode;
  /** One line without a final period. */
  readonly what: Words;
  readonly advice: Words | undefined;
  readonly cause: Words | undefined;
}

const headersAdvice = t('Check its `headers` in agentLogs.agents: the token may be missing, wrong or expired.');
export const serverAdvice = t('Check that the server runs, and its `url` in agentLogs.agents.');

/** @param address the server's URL, if known; its query may have keys and is left out */
export function httpFailure(failed: FailedHttp, address: string | undefined): HttpFailure {
  const { status, message } = failed;
  const place = placeOf(address);
  if (/^answered with text\/html\b/.test(message)) return webPage;
  return status === undefined ? unreachable(failed, place) : refused({ ...failed, status }, place);
}

const webPage: HttpFailure = {
  code: 'failed-request',
  what: t('The `url` leads to a web page, not to an MCP server'),
  advice: t(
    'Correct it in agentLogs.agents: most end in /mcp or /sse. If the page asks for a login, set the credentials in `headers`.',
  ),
  cause: causes.noServer,
};

function unreachable(failed: FailedHttp, place: Words): HttpFailure {
  const { message, errorCode } = failed;
  const code: DiagnosisCode = 'failed-request';
  const reason = errorCode === undefined ? undefined : reasonOfCode(errorCode);
  const certificate = errorCode === undefined ? undefined : certificateTrouble(errorCode);
  if (certificate) {
    return {
      code,
      what: t("The server at {0} can't be trusted: {1}", place, certificate),
      advice:
        certificate === untrusted
          ? t('Add the certificate authority that signed it to those that the system trusts.')
          : t("Renew the server's certificate, or correct its `url` in agentLogs.agents."),
      cause: causeOf('certificate'),
    };
  }
  if (errorCode === noTls) {
    return {
      code,
      what: t("The server at {0} doesn't use TLS", place),
      advice: t('Use http:// in its `url` in agentLogs.agents.'),
      cause: causeOf('network'),
    };
  }
  const failure = classOfText(`${errorCode ?? ''} ${message}`);
  return {
    code,
    what: t('No response from {0}: {1}', place, reason ?? wordsOfEvent(failed)),
    advice: failure === 'dns' || failure === 'proxy' ? adviceFor(failure) : serverAdvice,
    cause: errorCode === 'ECONNREFUSED' ? causes.connectionRefused : causeOf(failure),
  };
}

function refused({ method, status, message, canLogIn }: FailedHttp & { status: number }, place: Words): HttpFailure {
  const words = oneLine(withoutStop(message), 300);
  const sayingWhy = (what: Words): Words => (words === '' ? what : t('{0}: {1}', what, words));
  switch (status) {
    case 401:
      return {
        code: 'authentication-required',
        what: sayingWhy(
          canLogIn === true
            ? t('The server requires you to log in (HTTP 401)')
            : t('The server requires authorization (HTTP 401)'),
        ),
        advice: canLogIn === true ? t('Run **Agent Logs: Log In…** to log in.') : headersAdvice,
        cause: causeOf('authentication'),
      };
    case 403:
      return {
        code: 'authentication-required',
        what: sayingWhy(
          canLogIn === true
            ? t('The server requires more permissions than your login has (HTTP 403)')
            : t('The server refused access (HTTP 403)'),
        ),
        advice: canLogIn === true ? t('Run **Agent Logs: Log In…** again to grant them.') : headersAdvice,
        cause: causes.accessRefused,
      };
    case 404:
    case 405:
      return {
        code: 'failed-request',
        what: sayingWhy(t('There is no MCP server at {0} (HTTP {1})', place, status)),
        advice: t('Correct its `url` in agentLogs.agents: most end in /mcp or /sse.'),
        cause: causes.noServer,
      };
    case 429:
      return {
        code: 'rate-limited',
        what: sayingWhy(t('The server answered {0} with HTTP {1}', method, status)),
        advice: t('Wait before the next request.'),
        cause: causeOf('rate-limit'),
      };
    default:
      return {
        code: 'failed-request',
        what: sayingWhy(t('The server answered {0} with HTTP {1}', method, status)),
        advice:
          status >= 500
            ? t('The server has a problem: check its log, or try again later.')
            : t("Check its `url` and `headers` in agentLogs.agents, and the server's log."),
        cause: verbatim(`HTTP ${status}`),
      };
  }
}

function placeOf(address: string | undefined): Words {
  if (address === undefined || !URL.canParse(address)) return t('the server');
  const { origin, pathname } = new URL(address);
  return verbatim(origin + pathname);
}
