import { t } from '../../text/translator';
import type { ConnectionEvent } from '../../wire/wireEvent';
import type { Conversation } from '../conversation/conversation';
import { causes } from '../causes';
import { wordsOfEvent } from '../../protocols/connectionWords';
import { httpFailure, serverAdvice } from '../failures/httpFailure';
import { loginSubjects } from '../failures/loginAdvice';
import { endSubject } from './recoveries';
import { standing } from '../diagnosis';
import type { Findings, Found, Rule } from '../rule';
import type { ClosedFact, ProcessFact } from '../../work/facts';
import { isFirst } from '../../work/methodRole';

type HttpEvent = Extract<ConnectionEvent, { ev: 'http' }>;

/** Statuses that refuse any request. */
const barred = new Set([401, 403, 429]);

/** Failures of an HTTP connection (MCP "Streamable HTTP"). */
export class Connections implements Rule {
  /** The latest request that was closed without a response. */
  private lastClosed: ClosedFact | undefined;
  /** The HTTP status that was reported last. */
  private lastStatus: number | undefined;
  /** A refusal that is reported only if the run doesn't start: the older transport is tried first. */
  private refusal: Found | undefined;
  private url: string | undefined;

  closed(fact: ClosedFact): undefined {
    this.lastClosed = fact;
  }

  process({ event }: ProcessFact, { askedToEnd }: Conversation): Findings {
    if (event.ev === 'connect') {
      this.url = event.url;
      this.refusal = undefined;
    }
    if (askedToEnd) return undefined;
    switch (event.ev) {
      case 'http':
        return this.judgeHttp(event);
      case 'start-failed':
        return this.refusal;
      case 'reconnect':
      case 'disconnect': {
        // The end of the connection repeats why.
        const isReported = event.ev === 'disconnect' && event.message?.includes(`HTTP ${this.lastStatus}`) === true;
        return isReported ? undefined : judge(event);
      }
      default:
        return undefined;
    }
  }

  private judgeHttp(event: HttpEvent): Found | undefined {
    if (this.isRefusedProbe(event)) return undefined;
    if (this.isOlderTransport(event)) {
      this.refusal = { ...found(event, this.url), level: 'error' };
      return undefined;
    }
    const isRepeated = event.method === 'GET' && this.refusal !== undefined;
    const problem = isRepeated || isOptional(event) ? undefined : { ...found(event, this.url), ...this.levelOf(event) };
    if (problem) this.refusal = undefined;
    this.lastStatus = problem && event.status;
    return problem;
  }

  /** Without an answer to the first request, nothing works. */
  private levelOf(event: HttpEvent): Partial<Pick<Found, 'level'>> {
    const isOfFirst = this.lastClosed?.event === event && isFirst(this.lastClosed.request);
    return event.status !== 429 && isOfFirst ? { level: 'error' } : {};
  }

  /** A server with the older transport refuses the first POST (MCP "Backwards Compatibility"). */
  private isOlderTransport(event: HttpEvent): boolean {
    const isGreeting = this.lastClosed?.event === event && this.lastClosed.request.role === 'greeting';
    return isGreeting && event.method === 'POST' && olderTransport.has(event.status);
  }

  /** An older server doesn't know `server/discover`, and may answer with an HTTP status (MCP 2026-07-28 "Versioning"). */
  private isRefusedProbe(event: HttpEvent): boolean {
    const isProbe = this.lastClosed?.event === event && this.lastClosed.request.role === 'probe';
    return isProbe && event.status !== undefined && event.status < 500 && !barred.has(event.status);
  }
}

/** With these statuses, a client tries the older transport next; if that also fails, the end of the connection is reported. */
const olderTransport: ReadonlySet<number | undefined> = new Set([400, 404, 405, 406, 415]);

/** A server doesn't have to offer a stream, or sessions that can be ended. */
function isOptional({ method, status }: HttpEvent): boolean {
  return method !== 'POST' && status !== undefined && status < 500 && !barred.has(status);
}

function found(event: HttpEvent, url: string | undefined): Found {
  const { code, what, advice, cause } = httpFailure(event, url);
  const isLogin = code === 'authentication-required';
  return {
    code,
    level: isLogin ? 'error' : 'warning',
    what,
    advice,
    cause,
    key: `${event.method} ${event.status ?? event.message}`,
    ...(isLogin && { delivery: standing(loginSubjects.requests) }),
  };
}

function judge(event: Extract<ConnectionEvent, { ev: 'reconnect' | 'disconnect' }>): Found | undefined {
  if (event.ev === 'reconnect') {
    return {
      code: 'retrying',
      level: 'notice',
      what: t('Connection lost; reconnecting in {0} (attempt {1})', { ms: event.ms }, event.attempt),
      cause: causes.reconnecting,
    };
  }
  if (event.message === undefined) return undefined;
  return {
    code: 'agent-ended',
    level: 'error',
    what: t('Connection lost: {0}', wordsOfEvent(event)),
    advice: serverAdvice,
    cause: causes.connectionLost,
    delivery: standing(endSubject),
  };
}
