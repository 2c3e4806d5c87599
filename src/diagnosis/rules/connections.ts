import { t } from '../../log/translator';
import { duration, oneLine } from '../../log/text';
import type { ConnectionEvent } from '../../wire/wireEvent';
import type { Conversation } from '../conversation/conversation';
import { httpText } from '../../protocols/lifecycle';
import { causeOf, causes } from '../causes';
import { adviceFor } from '../failures/failureAdvice';
import { loginSubjects } from '../failures/loginAdvice';
import { endSubject } from './recoveries';
import { classOfText } from '../../work/failures/failureClass';
import type { Findings, Found, Rule } from '../rule';
import type { ClosedFact, ProcessFact } from '../../work/facts';

type HttpEvent = Extract<ConnectionEvent, { ev: 'http' }>;

const serverAdvice = t('Check that the server runs, and its `url` in agentLogs.agents.');
/** Statuses that refuse any request. */
const barred = new Set([401, 403, 429]);

/** Failures of an HTTP connection (MCP "Streamable HTTP"). */
export class Connections implements Rule {
  /** The latest request that was closed without a response. */
  private lastClosed: ClosedFact | undefined;
  /** The HTTP status that was reported last. */
  private lastStatus: number | undefined;

  closed(fact: ClosedFact): undefined {
    this.lastClosed = fact;
  }

  process({ event }: ProcessFact, { askedToEnd }: Conversation): Findings {
    if (askedToEnd) return undefined;
    if (event.ev !== 'http' && event.ev !== 'reconnect' && event.ev !== 'disconnect') return undefined;
    if (event.ev === 'http' && (this.isRefusedProbe(event) || this.isOlderTransport(event))) return undefined;
    // The end of the connection repeats why.
    const isReported = event.ev === 'disconnect' && event.message?.includes(`HTTP ${this.lastStatus}`) === true;
    const found = isReported ? undefined : judge(event);
    if (event.ev === 'http') this.lastStatus = found && event.status;
    return found;
  }

  /** A server with the older transport refuses the first POST (MCP "Backwards Compatibility"). */
  private isOlderTransport(event: HttpEvent): boolean {
    const isFirst = this.lastClosed?.event === event && this.lastClosed.request.method === 'initialize';
    return isFirst && event.method === 'POST' && olderTransport.has(event.status);
  }

  /** An older server doesn't know `server/discover`, and may answer with an HTTP status (MCP 2026-07-28 "Versioning"). */
  private isRefusedProbe(event: HttpEvent): boolean {
    const isProbe = this.lastClosed?.event === event && this.lastClosed.request.method === 'server/discover';
    return isProbe && event.status !== undefined && event.status < 500 && !barred.has(event.status);
  }
}

/** With these statuses, a client tries the older transport next; if that also fails, the end of the connection is reported. */
const olderTransport: ReadonlySet<number | undefined> = new Set([400, 404, 405, 406, 415]);

function judge(event: Extract<ConnectionEvent, { ev: 'http' | 'reconnect' | 'disconnect' }>): Found | undefined {
  switch (event.ev) {
    case 'http':
      return judgeHttp(event);
    case 'reconnect':
      return {
        code: 'retrying',
        level: 'notice',
        what: t('Connection lost; reconnecting in {0} (attempt {1})', duration(event.ms), event.attempt),
        cause: causes.reconnecting,
      };
    case 'disconnect': {
      if (event.message === undefined) return undefined;
      return {
        code: 'agent-ended',
        level: 'error',
        what: t('Connection lost: {0}', oneLine(event.message, 300)),
        advice: serverAdvice,
        cause: causes.connectionLost,
        subject: endSubject,
      };
    }
  }
}

function judgeHttp(event: HttpEvent): Found | undefined {
  const { method, status, message } = event;
  const what = httpText(event);
  const key = `${method} ${status ?? message}`;
  if (status === 401 || status === 403) {
    const advice =
      event.canLogIn === true
        ? t('Run **Agent Logs: Log In…**.')
        : t('Check its `headers` in agentLogs.agents: the token may be missing, wrong or expired.');
    const cause = causeOf('authentication');
    return {
      code: 'authentication-required',
      level: 'error',
      what,
      advice,
      key,
      subject: loginSubjects.requests,
      cause,
    };
  }
  if (status === 429) {
    return {
      code: 'rate-limited',
      level: 'warning',
      what,
      key,
      advice: t('Wait before the next request.'),
      cause: causeOf('rate-limit'),
    };
  }
  // A server doesn't have to offer a stream, or sessions that can be ended.
  if (method !== 'POST' && status !== undefined && status < 500) return undefined;
  const failure = classOfText(message);
  const advice = failure === 'network' ? serverAdvice : adviceFor(failure);
  return { code: 'failed-request', level: 'warning', what, key, advice };
}
