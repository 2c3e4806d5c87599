import type { Words } from '../../text/translator';
import { inEnglish, t, verbatim } from '../../text/translator';
import type { EndCause } from '../../wire/termination';
import { describeExitCode, withCause } from '../../wire/termination';
import { oneLine } from '../../text/text';
import { offersBoth } from '../../protocols/acp/exchange';
import type { ProcessFact, ResponseFact } from '../../work/facts';
import type { WireProcessEvent } from '../../wire/wireEvent';
import type { Exit } from '../../protocols/lifecycle';
import { isBeginning, shortExit } from '../../protocols/lifecycle';
import type { OpenRequest } from '../../work/requests';
import type { Conversation } from '../conversation/conversation';
import { opensSession } from '../../work/methodRole';
import type { Finding } from '../diagnosis';
import { standing } from '../diagnosis';
import type { FoundCause } from '../failures/endCause';
import { causeOf } from '../causes';
import { findEndCause, lastOutput, mayBeRefusal, refusesOffer } from '../failures/endCause';
import { missingPart } from '../failures/calls/missingThing';
import { classOfFailure } from '../../work/failures/failureClass';
import { isProgramMissing } from '../../work/failures/missingProgram';
import type { Findings, Found, Rule } from '../rule';
import { endSubject } from './recoveries';
import { peer } from '../../protocols/terms';

/** A process that crashes may close stdout this long before it exits, in milliseconds: it writes a core dump or ends its children first. */
const maxCrash = 3000;

/** An agent exits within this time after the answer that says why, in milliseconds. */
const maxFollow = 2000;

/** Agents that can't be started, exit without being asked to, or close stdout. */
export class ProcessEnds implements Rule {
  /** That stdout was closed, until it is clear whether the process goes on. */
  private closedStdout: Finding | undefined;

  /** The latest answer, if it is an error without which the agent can't go on. */
  private refusal: { readonly at: number; readonly words: string } | undefined;

  /** Why the process exited without being asked to. */
  endCause: EndCause | undefined;
  /** Whether the exit follows from a failed turn that the agent has already reported. */
  isEndReported = false;

  process({ event }: ProcessFact, conversation: Conversation): Findings {
    if (isBeginning(event)) {
      this.closedStdout = this.endCause = this.refusal = undefined;
      this.isEndReported = false;
    }
    switch (event.ev) {
      case 'start-failed':
        return judgeStart(event);
      case 'exit':
        return this.judgeExit(event, conversation);
      case 'stdout-close':
        this.judgeClosed(event.t, conversation);
        return undefined;
      case 'stdin-close':
      case 'signal':
        return this.finished();
      default:
        return undefined;
    }
  }

  response({ dir, request, error, event }: ResponseFact): undefined {
    if (dir !== 'a2c' || !request) return;
    const isNeeded = request.role === 'greeting' || request.role === 'turn' || opensSession(request);
    this.refusal = error && isNeeded ? { at: event.t, words: error.message } : undefined;
  }

  passed(t: number): Findings {
    return this.closedStdout && t - this.closedStdout.at > maxCrash ? this.finished() : undefined;
  }

  finished(): Findings {
    const found = this.closedStdout;
    this.closedStdout = undefined;
    return found;
  }

  private judgeExit(event: Extract<WireProcessEvent, { ev: 'exit' }>, conversation: Conversation): Findings {
    const { code } = event;
    // The exit says more.
    if (this.closedStdout) this.closedStdout = this.endCause = undefined;
    if (conversation.askedToEnd) return undefined;
    if (code === 0 && conversation.silentSince !== undefined) return endedInSilence;
    const waiting = conversation.work.requests.judged.filter(({ direction }) => direction === 'out');
    if (code === 0 && waiting.every(({ isOptional }) => isOptional === true)) return undefined;
    if (code !== null && conversation.hasReportedFailure) {
      this.isEndReported = true;
      return undefined;
    }
    const found = findEndCause(event, conversation);
    if (code !== null && waiting.length === 0 && this.followsRefusal(event.t, found.cause)) {
      this.isEndReported = true;
      return undefined;
    }
    this.endCause = found.cause;
    return unasked(event, waiting, found, conversation);
  }

  /** Whether it has just answered with the reason for its exit. */
  private followsRefusal(at: number, { what, by }: EndCause): boolean {
    if (!this.refusal || at - this.refusal.at > maxFollow) return false;
    if (by === undefined || what === undefined) return true;
    const [answered, printed] = [this.refusal.words, inEnglish(what)];
    const failure = classOfFailure(answered);
    return printed.includes(answered) || (failure !== 'other' && failure === classOfFailure(printed));
  }

  private judgeClosed(at: number, conversation: Conversation): void {
    if (conversation.askedToEnd) return;
    const what = t("The {0} closed stdout but is still running, so it can't answer any more", peer);
    const advice = t("Don't close or redirect stdout (file descriptor 1): the protocol uses it.");
    this.endCause = { ...lastOutput(conversation), advice };
    this.closedStdout = { code: 'agent-ended', level: 'error', what, advice, at };
  }
}

/** A command line that exits successfully without output probably had nothing to do. */
const endedInSilence: Found = {
  code: 'agent-ended',
  level: 'warning',
  what: t('The {0} exited without any output', peer),
  advice: t(
    'Check its arguments: they must name a prompt, and JSON lines as the output format. If it waits for messages, set its `protocol` in agentLogs.agents.',
  ),
};

const restart = t(
  'Restart it. If it ends again, its stderr tells its developers why: **Agent Logs: Copy Diagnostic Report** has it.',
);

/** The finding about an unexpected exit. */
function unasked(
  event: Extract<WireProcessEvent, { ev: 'exit' }>,
  waiting: readonly OpenRequest[],
  { cause, isMissing, failure }: FoundCause,
  conversation: Conversation,
): Found {
  const { initializeResult, initializeParams, protocol } = conversation;
  const [open] = waiting;
  const exit = exitSentence(event);
  const what = withCause(open ? t('{0} before it answered {1}', exit, open.method) : exit, cause);
  const short = cause.short ?? shortExit(event);
  if (isMissing) return { code: 'missing-executable', level: 'error', what, cause: short, advice: cause.advice };
  if (open && waiting.every(({ role }) => role === 'probe') && mayBeRefusal(event, conversation)) {
    const advice = t('Some older servers exit if anything comes before `initialize`; it is restarted.');
    return { code: 'agent-ended', level: 'notice', what, advice };
  }
  if (
    open?.role === 'greeting' &&
    protocol === 'acp' &&
    offersBoth(initializeParams) &&
    refusesOffer(event, initializeResult !== undefined, conversation)
  ) {
    const advice = t('It may not accept an offer of version 2: restarted with version 1. Set "acpVersion": 1.');
    return { code: 'agent-ended', level: 'notice', what, advice };
  }
  const advice = cause.advice ?? (cause.by === 'stderr' ? restart : undefined);
  const offers = failure === 'no-session' ? 'saved-sessions' : undefined;
  return {
    code: 'agent-ended',
    level: 'error',
    what,
    cause: short,
    advice,
    delivery: standing(endSubject),
    ...(offers && { offers }),
  };
}

function exitSentence({ code, signal }: Exit): Words {
  if (signal !== null) return t('Ended by {0}', signal);
  return code === null ? t('Exited with an unknown code') : t('Exited with code {0}', describeExitCode(code));
}

function judgeStart({ message, missing }: Extract<WireProcessEvent, { ev: 'start-failed' }>): Findings {
  if (missing) {
    const code = missing.type === 'folder' ? 'missing-folder' : 'missing-executable';
    return { code, level: 'error', ...missingPart(missing) };
  }
  if (!isProgramMissing(message)) return undefined; // the event is complete
  return {
    code: 'missing-executable',
    level: 'error',
    what: verbatim(oneLine(message, 500).replace(/\.$/, '')),
    cause: causeOf('missing-executable'),
  };
}
