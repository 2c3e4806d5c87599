import type { Words } from '../../log/translator';
import { inEnglish, l10n } from '../../log/translator';
import type { EndCause } from '../../log/termination';
import { duration, oneLine } from '../../log/text';
import { offersBoth } from '../../protocols/acp/exchange';
import type { ProcessFact } from '../../protocols/facts';
import type { WireProcessEvent } from '../../wire/wireEvent';
import { describeExit, isBeginning, isProgramMissing, shortExit } from '../../protocols/lifecycle';
import type { OpenRequest } from '../../protocols/jsonrpc/requests';
import type { Conversation } from '../conversation/conversation';
import type { Finding } from '../diagnosis';
import type { Cause, FoundCause } from '../failures/endCause';
import { findEndCause, lastSaid } from '../failures/endCause';
import { classOfText } from '../failures/failureClass';
import { mayBeRefusal, refusesOffer } from '../failures/probeRefusal';
import type { Findings, Found, Rule } from '../rule';

/** An agent should exit within this time after it is asked to, in milliseconds. */
const patience = 1000;
/** Agents that can't be started, exit without being asked to, or don't exit when asked to. */
export class ProcessEnds implements Rule {
  private causeOfEnd: EndCause | undefined;
  private asked: { readonly at: number; readonly how: string } | undefined;

  /** Whether the exit follows from a failed turn that the agent has already reported. */
  isEndReported = false;

  /** Why the process exited without being asked to. */
  get endCause(): EndCause | undefined {
    return this.causeOfEnd;
  }

  process({ event }: ProcessFact, conversation: Conversation): Findings {
    if (isBeginning(event)) {
      this.asked = this.causeOfEnd = undefined;
      this.isEndReported = false;
    }
    switch (event.ev) {
      case 'start-failed':
        return judgeStart(event);
      case 'exit':
        return this.judgeExit(event, conversation);
      case 'stdout-close':
        return this.judgeClosed(conversation);
      case 'stdin-close':
        this.asked = { at: event.t, how: 'stdin closed' };
        return undefined;
      case 'signal': {
        const found = this.judgeWait(event.t, `after ${this.asked?.how ?? ''}`);
        this.asked = { at: event.t, how: event.signal };
        return found;
      }
      default:
        return undefined;
    }
  }

  private judgeWait(t: number, when: string): Findings {
    if (!this.asked || t - this.asked.at < patience) return undefined;
    return {
      code: 'slow-to-end',
      level: 'notice',
      what: `The agent was still running ${duration(t - this.asked.at)} ${when}`,
      advice: l10n.t('Agents should exit on end of stdin and on SIGTERM, and stop their child processes.'),
      key: this.asked.how,
    };
  }

  private judgeExit(event: Extract<WireProcessEvent, { ev: 'exit' }>, conversation: Conversation): Findings {
    const { t, code, signal } = event;
    if (conversation.askedToEnd) {
      const isKilled = signal === 'SIGKILL' && this.asked?.how === 'SIGTERM';
      return isKilled ? this.judgeWait(t, 'after SIGTERM, and was killed') : undefined;
    }
    if (code === 0 && conversation.silentSince !== undefined) return endedInSilence;
    const waiting = conversation.openRequests.filter(({ direction }) => direction === 'out');
    if (code === 0 && waiting.length === 0) return undefined;
    if (code !== null && conversation.hasReportedFailure) {
      this.isEndReported = true;
      return undefined;
    }
    const found = findEndCause(event, conversation);
    this.causeOfEnd = inEnglishOf(found.cause);
    return unasked(event, waiting, found, conversation);
  }

  private judgeClosed(conversation: Conversation): Findings {
    if (conversation.askedToEnd) return undefined;
    const what = "The agent closed stdout but is still running, so it can't answer any more";
    const advice = l10n.t("Don't close or redirect stdout (file descriptor 1): the protocol uses it.");
    this.causeOfEnd = inEnglishOf({ ...lastSaid(conversation), advice });
    return { code: 'agent-ended', level: 'error', what, advice };
  }
}

/** A command line that exits successfully without output probably had nothing to do. */
const endedInSilence: Found = {
  code: 'agent-ended',
  level: 'warning',
  what: 'The agent exited without any output',
  advice: l10n.t(
    'Check its arguments: they must name a prompt, and JSON lines as the output format. If it waits for messages, set its `protocol` in agentLogs.agents.',
  ),
};

/** The finding about an unexpected exit. */
function unasked(
  event: Extract<WireProcessEvent, { ev: 'exit' }>,
  waiting: readonly OpenRequest[],
  { cause, isMissing }: FoundCause,
  { lastStderr, lastStdout, initializeResult, initializeParams, protocol }: Conversation,
): Pick<Finding, 'code' | 'level' | 'what' | 'advice' | 'cause'> {
  const [open] = waiting;
  const before = open ? ` before it answered ${open.method}` : '';
  const what = `${describeExit(event)}${before}${quoted(cause)}`;
  const short = cause.short ?? shortExit(event);
  if (isMissing) return { code: 'missing-executable', level: 'error', what, cause: short, ...advised(cause.advice) };
  if (
    open &&
    waiting.every(({ method }) => method === 'server/discover') &&
    mayBeRefusal(event, lastStderr, lastStdout)
  ) {
    const advice = l10n.t('Some older servers exit if anything comes before `initialize`; it is restarted.');
    return { code: 'agent-ended', level: 'notice', what, advice };
  }
  if (
    open?.method === 'initialize' &&
    protocol === 'acp' &&
    offersBoth(initializeParams) &&
    refusesOffer(event, initializeResult !== undefined, [...lastStderr, ...lastStdout])
  ) {
    const advice = l10n.t('It may not accept an offer of version 2: restarted with version 1. Set "acpVersion": 1.');
    return { code: 'agent-ended', level: 'notice', what, advice };
  }
  const advice = cause.advice ?? (cause.by === 'stderr' ? l10n.t('See stderr above.') : undefined);
  return { code: 'agent-ended', level: 'error', what, cause: short, ...advised(advice) };
}

function inEnglishOf({ advice, ...cause }: Cause): EndCause {
  return { ...cause, ...(advice && { advice: inEnglish(advice) }) };
}

function quoted({ what, by }: Cause): string {
  if (what === undefined) return '';
  return by === undefined ? `: ${what}` : `; it ${by === 'stderr' ? 'said last' : 'printed'}: "${what}"`;
}

function advised(advice: Words | undefined): { advice?: Words } {
  return advice === undefined ? {} : { advice };
}

function judgeStart({ message }: Extract<WireProcessEvent, { ev: 'start-failed' }>): Findings {
  if (!isProgramMissing(message) && classOfText(message) !== 'missing-executable') return undefined; // the event is complete
  return {
    code: 'missing-executable',
    level: 'error',
    what: oneLine(message, 500).replace(/\.$/, ''),
    cause: 'program not found',
  };
}
