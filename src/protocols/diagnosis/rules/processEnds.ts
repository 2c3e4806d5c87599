import { duration, oneLine } from '../../../log/text';
import type { WireProcessEvent } from '../../../wire/wireEvent';
import { describeExit, isBeginning, isProgramMissing } from '../../lifecycle';
import type { OpenRequest } from '../../openRequests';
import { tellingLines } from '../../stderr/tellingLines';
import type { Conversation } from '../conversation';
import type { Finding } from '../diagnosis';
import { classOfText } from '../failureClass';
import { missingThing } from '../missingThing';
import type { Report, Rule } from '../rule';
import type { Seen } from '../seen';

/** An agent that ends within this time of being asked to is quick enough, in milliseconds. */
const patience = 1000;
/** What looks like the reason in the last lines of standard error. */
const reason =
  /\b(?:[A-Z]\w*(?:Error|Exception)\b.*|error\b.*|fatal\b.*|panic(?:ked)?\b.*|cannot find .*|no module named .*|not found\b.*|denied\b.*|npm ERR!.*|.*(?:command not found|No such file or directory|is not recognized as).*)/i;
/** How an older server says that it had waited for `initialize`. */
const outOfOrder = /\bserver\/discover\b|\b(?:expect\w*|before|until|not)\b.{0,40}\binitiali[sz]/i;

/** Agents that could not be started, end by themselves, or do not end when they are asked to. */
export class ProcessEnds implements Rule {
  private asked: { readonly at: number; readonly how: string } | undefined;

  looksAt(): boolean {
    return false;
  }

  see(seen: Seen, conversation: Conversation, report: Report): void {
    if (seen.type !== 'process') return;
    const { event } = seen;
    if (isBeginning(event)) this.asked = undefined;
    switch (event.ev) {
      case 'start-failed':
        return judgeStart(event, report);
      case 'exit':
        return this.judgeExit(event, conversation, report);
      case 'stdout-close':
        return judgeClosed(event.t, conversation, report);
      case 'stdin-close':
        this.asked = { at: event.t, how: 'its standard input was closed' };
        return;
      case 'signal':
        this.judgeWait(event.t, `after ${this.asked?.how ?? ''}`, report);
        this.asked = { at: event.t, how: event.signal };
        return;
      default:
    }
  }

  private judgeWait(t: number, when: string, report: Report): void {
    if (!this.asked || t - this.asked.at < patience) return;
    report({
      code: 'slow-to-end',
      level: 'notice',
      what: `the agent was still there ${duration(t - this.asked.at)} ${when}`,
      advice: 'An agent should end when its standard input ends, and on SIGTERM, and take with it what it has started.',
      key: this.asked.how,
      at: t,
    });
  }

  private judgeExit(
    event: Extract<WireProcessEvent, { ev: 'exit' }>,
    conversation: Conversation,
    report: Report,
  ): void {
    const { t, code, signal } = event;
    if (conversation.askedToEnd) {
      if (signal === 'SIGKILL' && this.asked?.how === 'SIGTERM') {
        this.judgeWait(t, 'after SIGTERM, and was killed', report);
      }
      return;
    }
    const waiting = conversation.openRequests.filter(({ direction }) => direction === 'out');
    if (code === 0 && waiting.length === 0) return;
    if (code !== null && conversation.hasToldFailure) return;
    report({ ...unasked(event, waiting, conversation.lastStderr), at: t });
  }
}

/** An end that nobody had asked for. */
function unasked(
  event: Extract<WireProcessEvent, { ev: 'exit' }>,
  waiting: readonly OpenRequest[],
  lines: readonly string[],
): Pick<Finding, 'code' | 'level' | 'what' | 'advice'> {
  const [open] = waiting;
  const told = tellingLines(lines);
  const cause = [...told].reverse().find((line) => reason.test(line));
  const words = cause ?? told.at(-1);
  const before = open ? ` before it answered ${open.method}` : '';
  const what = `${describeExit(event)}${before}${words === undefined ? '' : `; it said last: "${oneLine(words, 300)}"`}`;
  const missing = missingThing(event, cause, told);
  if (missing !== undefined) return { code: 'missing-executable', level: 'error', what, advice: missing };
  if (open && waiting.every(({ method }) => method === 'server/discover') && mayBeRefusal(event, words)) {
    const advice = 'Some older servers end when they hear something before initialize: then it is started anew.';
    return { code: 'agent-ended', level: 'notice', what, advice };
  }
  const advice =
    words === undefined
      ? 'It said nothing on standard error: start the same command in a terminal to see why.'
      : 'Its standard error, above, says more.';
  return { code: 'agent-ended', level: 'error', what, advice };
}

/** Whether it may have ended for what it was asked, and not for a reason of its own. */
function mayBeRefusal({ code, signal }: Extract<WireProcessEvent, { ev: 'exit' }>, words: string | undefined): boolean {
  if (signal !== null) return false;
  return code === 0 || words === undefined || !reason.test(words) || outOfOrder.test(words);
}

function judgeClosed(at: number, conversation: Conversation, report: Report): void {
  if (conversation.askedToEnd) return;
  const what = 'the agent closed its standard output, though its process goes on: it can answer no more';
  const advice =
    'Something in it closes or redirects standard output (file descriptor 1), which belongs to the protocol.';
  report({ code: 'agent-ended', level: 'error', what, advice, at });
}

function judgeStart({ t, message }: Extract<WireProcessEvent, { ev: 'start-failed' }>, report: Report): void {
  if (!isProgramMissing(message) && classOfText(message) !== 'missing-executable') return; // the event says it all
  report({ code: 'missing-executable', level: 'error', what: oneLine(message, 500).replace(/\.$/, ''), at: t });
}
