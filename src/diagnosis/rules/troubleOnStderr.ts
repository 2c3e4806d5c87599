import { boundedJson } from '../../log/boundedJson';
import { reaches } from '../../log/level';
import { oneLine } from '../../log/text';
import type { StderrLine } from '../../protocols/stderr/stderrLine';
import { readStderrLine } from '../../protocols/stderr/stderrLine';
import type { Conversation } from '../conversation';
import { adviceFor, classOfText } from '../failureClass';
import type { Finding } from '../diagnosis';
import type { Report, Rule } from '../rule';
import type { Seen } from '../seen';
import { tellsOfFallback, tellsOfRetry } from '../troubleText';

/** How much of a line is looked at, in characters. */
const maxLine = 16_384;
/** One of these is in everything that is told of. */
const trouble =
  /limit|too many|quota|exhausted|overload|credit|429|529|retr|reconnect|attempt|fall|switch|downgrad|instead/i;

/** Limits, retries and other models, where an agent tells of them on standard error only. */
export class TroubleOnStderr implements Rule {
  looksAt(): boolean {
    return false;
  }

  see(seen: Seen, conversation: Conversation, report: Report): void {
    if (seen.type !== 'stderr') return;
    const { event } = seen;
    // Most lines are about nothing of it, and need not be read.
    if (!trouble.test(event.line.slice(0, maxLine))) return;
    const said = readStderrLine(event.line.slice(0, maxLine));
    // Standard error is a log: only what calls itself a warning is one.
    if (said.level === undefined || !reaches(said.level, 'warning')) return;
    const found = judge(said);
    if (!found) return;
    report({ ...found, sessionId: conversation.sessionIn(event.line), at: event.t, raw: event.line });
  }
}

function judge(said: StderrLine): Pick<Finding, 'code' | 'level' | 'what' | 'advice'> | undefined {
  const details = said.data === undefined ? '' : boundedJson(said.data, 2000);
  const text = `${said.message} ${details}`;
  const quoted = `on standard error: "${oneLine(told(said), 300)}"`;
  if (classOfText(text) === 'rate-limit') {
    const advice = adviceFor('rate-limit');
    return {
      code: 'rate-limited',
      level: 'warning',
      what: `rate limit, ${quoted}`,
      ...(advice !== undefined && { advice }),
    };
  }
  if (tellsOfRetry(text)) return { code: 'retrying', level: 'warning', what: `a retry, ${quoted}` };
  if (tellsOfFallback(text)) return { code: 'model-fallback', level: 'notice', what: `another model, ${quoted}` };
  return undefined;
}

/** The message, with what its fields say of the error. */
function told({ message, data }: StderrLine): string {
  const errors = Object.entries(typeof data === 'object' && data !== null ? data : {})
    .filter(([name, value]) => /error|cause|reason|err\b/i.test(name) && typeof value === 'string')
    .map(([, value]) => String(value));
  return [message, ...errors.slice(0, 2)].join(': ');
}
