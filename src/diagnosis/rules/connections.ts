import { duration, oneLine } from '../../log/text';
import type { ConnectionEvent } from '../../wire/wireEvent';
import { describeHttp } from '../../protocols/lifecycle';
import type { Conversation } from '../conversation';
import { adviceFor, classOfText } from '../failureClass';
import type { Finding } from '../diagnosis';
import type { Report, Rule } from '../rule';
import type { ClosedFact } from '../../protocols/facts';
import type { Seen } from '../seen';

type HttpEvent = Extract<ConnectionEvent, { ev: 'http' }>;
type ConnectionFinding = Pick<Finding, 'code' | 'level' | 'what'> & Partial<Pick<Finding, 'advice' | 'key'>>;

/** Whatever is asked for, it is refused. */
const barred = new Set([401, 403, 429]);

/** What goes wrong with a connection over HTTP (MCP "Streamable HTTP"). */
export class Connections implements Rule {
  /** The request that was closed last without a response. */
  private closed: ClosedFact | undefined;

  looksAt(): boolean {
    return false;
  }

  see(seen: Seen, conversation: Conversation, report: Report): void {
    if (seen.type === 'closed') this.closed = seen;
    if (seen.type !== 'process' || conversation.askedToEnd) return;
    const { event } = seen;
    if (event.ev !== 'http' && event.ev !== 'reconnect' && event.ev !== 'disconnect') return;
    if (event.ev === 'http' && this.isRefusedProbe(event)) return;
    const found = judge(event);
    if (found) report({ ...found, at: event.t });
  }

  /** An older server doesn't know `server/discover`, and may say so with an HTTP status (MCP 2026-07-28 "Versioning"). */
  private isRefusedProbe(event: HttpEvent): boolean {
    const isProbe = this.closed?.event === event && this.closed.request.method === 'server/discover';
    return isProbe && event.status !== undefined && event.status < 500 && !barred.has(event.status);
  }
}

function judge(
  event: Extract<ConnectionEvent, { ev: 'http' | 'reconnect' | 'disconnect' }>,
): ConnectionFinding | undefined {
  switch (event.ev) {
    case 'http':
      return judgeHttp(event);
    case 'reconnect':
      return {
        code: 'retrying',
        level: 'notice',
        what: `the connection broke off; connecting again in ${duration(event.ms)}, attempt ${event.attempt}`,
      };
    case 'disconnect': {
      if (event.message === undefined) return undefined;
      const what = `the connection is lost: ${oneLine(event.message, 400)}`;
      return {
        code: 'agent-ended',
        level: 'error',
        what,
        advice: 'Look whether the server runs, and at its `url` in agentLogs.agents.',
      };
    }
  }
}

function judgeHttp(event: HttpEvent): ConnectionFinding | undefined {
  const { method, status, message } = event;
  const what = describeHttp(event);
  const key = `${method} ${status ?? message}`;
  if (status === 401 || status === 403) {
    const advice = 'Look at its `headers` in agentLogs.agents: a token may be missing, wrong or expired.';
    return { code: 'authentication-required', level: 'error', what, advice, key };
  }
  if (status === 429) return { code: 'rate-limited', level: 'warning', what, key, advice: 'Wait for a while.' };
  // A server need not have a stream of its own, nor sessions that can be ended.
  if (method !== 'POST' && status !== undefined && status < 500) return undefined;
  const failure = classOfText(message);
  const advice =
    failure === 'network' ? 'Look whether the server runs, and at its `url` in agentLogs.agents.' : adviceFor(failure);
  return { code: 'failed-request', level: 'warning', what, key, ...(advice !== undefined && { advice }) };
}
