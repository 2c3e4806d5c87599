import type { Words } from '../../text/translator';
import { t, verbatim } from '../../text/translator';
import type { EndCause } from '../../wire/termination';
import { oneLine } from '../../text/text';
import { readable } from '../../work/failures/errorText';
import { isFault } from '../../work/failures/fault';
import type { LastEntries } from '../../protocols/stderr/lastEntries';
import type { Conversation } from '../conversation/conversation';
import { causeOf } from '../causes';
import { classOfText } from '../../work/failures/failureClass';
import type { FailureClass } from '../../work/failures/failurePatterns';
import type { LastWords } from './lastWords';
import { lastWords } from './lastWords';
import { adviceFor as adviceForClass, adviceOn } from './failureAdvice';
import { clientHungUp } from './clientLimits';
import type { Exit } from './calls/missingThing';
import { missingThing } from './calls/missingThing';
import { runtimeTooOld } from './runtimeTooOld';
import { causeOfExit } from './turnCause';
import { peer } from '../../protocols/terms';

/** The cause of an exit and its source. */
export interface FoundCause {
  readonly cause: EndCause;
  readonly isMissing: boolean;
  /** The class of what it said. */
  readonly failure?: FailureClass;
}

/** What a process has printed. */
export interface Printed {
  readonly stderr: LastEntries;
  /** What isn't a message. */
  readonly stdout: LastEntries;
}

interface Quoted extends LastWords {
  readonly by: 'stderr' | 'stdout';
}

/** Matches only names of environment variables. */
const variable = /\b[A-Z][A-Z\d]*_[A-Z\d_]*[A-Z\d]\b/;
const lacks = /\b(?:not (?:been )?(?:set|defined|provided|found)|unset|missing|required|must be set)\b/i;
const badArguments =
  /\b(?:unknown|unexpected|unrecogni[sz]ed|invalid|bad|no such) (?:command[- ]line )?(?:options?|arguments?|flags?)\b/i;
/** Matches how older servers report that they expect `initialize` first. */
const outOfOrder = /\bserver\/discover\b|\b(?:expect\w*|before|until|not)\b.{0,40}\binitiali[sz]/i;
/** A usage text: the server would exit whatever it was asked. */
const usage = /^[^\w\r\n]*usage:/im;
const maxWords = 300;
const version = /protocol[\s_]?version/i;

/**
 * Why a process ended without being asked to: from its output, standard error first, and its exit status. Every report of an exit uses this, so
 * that they agree.
 */
export function findEndCause(exit: Exit, conversation: Conversation): FoundCause {
  const { quoted, reason, missing } = evidenceOf(exit, conversation);
  const old = exit.code === 0 || exit.signal !== null ? undefined : runtimeTooOld(conversation.stderr.text);
  if (old) return { isMissing: false, cause: { ...wordsOf(quoted), ...old } };
  if (missing !== undefined) {
    return { isMissing: true, cause: { ...wordsOf(quoted), advice: missing, ...shortOf('missing-executable') } };
  }
  const left = clientHungUp(quoted?.words, conversation.oversized);
  if (left) return { isMissing: false, cause: left };
  const ofSignal = exit.signal === null ? undefined : causeOfSignal(exit.signal, reason);
  return { isMissing: false, ...(ofSignal ? { cause: ofSignal } : causeOfWords(quoted, conversation)) };
}

/** The last words on standard error, if other evidence already shows that the agent can't continue. */
export function lastOutput({ stderr }: Conversation): EndCause {
  const last = lastWords(stderr.said());
  return last ? { what: verbatim(last.words), by: 'stderr' } : {};
}

/** Whether an MCP server may have exited because of `server/discover`. Only then can another start help. */
export function mayBeRefusal(exit: Exit, printed: Printed): boolean {
  if (exit.signal !== null) return false;
  const mentions = (pattern: RegExp): boolean => printed.stderr.mentions(pattern) || printed.stdout.mentions(pattern);
  // With code 0 it may have done its work, which another start would repeat.
  if (exit.code === 0) return mentions(outOfOrder);
  if (mentions(usage)) return false;
  const { reason, missing } = evidenceOf(exit, printed);
  return missing === undefined && (reason === undefined || outOfOrder.test(reason.words));
}

/**
 * Whether an ACP agent may have exited because `initialize` offered version 2, or came twice.
 * @param hasAnswered whether it answered the offer, so that only the repeat can be the cause
 */
export function refusesOffer({ code, signal }: Exit, hasAnswered: boolean, { stderr, stdout }: Printed): boolean {
  if (signal !== null) return false;
  // With code 0 it has done its work, which another start would repeat.
  return hasAnswered ? code !== 0 : stderr.mentions(version) || stdout.mentions(version);
}

/** The informative output of a process that exited, and what it shows. */
interface Evidence {
  /** The reason, wherever it is; otherwise the last line of standard error, or of standard output. */
  readonly quoted: Quoted | undefined;
  readonly reason: Quoted | undefined;
  /** What to do about what was missing, if anything was. */
  readonly missing: Words | undefined;
}

function evidenceOf(exit: Exit, { stderr, stdout }: Printed): Evidence {
  const lines = stderr.said();
  const written = lastWords(lines);
  const printed = lastWords(stdout.said(), 'first');
  const isPrinted = printed && (!written || (printed.isReason && !written.isReason));
  const quoted: Quoted | undefined = isPrinted ? { ...printed, by: 'stdout' } : written && { ...written, by: 'stderr' };
  const reason = quoted?.isReason ? quoted : undefined;
  return { quoted, reason, missing: missingThing(exit, reason?.line, lines) };
}

function wordsOf(quoted: Quoted | undefined): EndCause {
  return quoted ? { what: verbatim(quoted.words), by: quoted.by } : {};
}

function causeOfWords(quoted: Quoted | undefined, conversation: Conversation): Omit<FoundCause, 'isMissing'> {
  const said = causeOfExit(quoted?.words, conversation);
  if (!said) {
    return { cause: { advice: t('It printed nothing to stderr. Run the same command in a terminal to see why.') } };
  }
  const { words, failure } = said;
  const advice = adviceFor(words, failure, conversation);
  const what = words === quoted?.words ? wordsOf(quoted) : { what: verbatim(oneLine(readable(words), maxWords)) };
  return { cause: { ...what, ...(advice && { advice }), ...shortOf(failure) }, failure };
}

function shortOf(failure: FailureClass): Pick<EndCause, 'short'> {
  const short = causeOf(failure);
  return short === undefined || failure === 'aborted' ? {} : { short };
}

function adviceFor(words: string, failure: FailureClass, conversation: Conversation): Words | undefined {
  const [name] = variable.exec(words) ?? [];
  if (name !== undefined && lacks.test(words)) {
    return t('The {1} says to set `{0}`: its environment is "env" in its settings.', name, peer);
  }
  if (badArguments.test(words)) return t('Correct its arguments ("args" in its settings).');
  return adviceOn(failure, words, conversation);
}

/** Output without a reason is unrelated to a signal from outside. */
function causeOfSignal(signal: string, reason: Quoted | undefined): EndCause {
  if (isFault(signal)) {
    if (!reason) {
      const advice = t('A bug in the {0}, its runtime or a native module: try another version.', peer);
      return { what: t('it crashed in native code'), advice };
    }
    const failure = classOfText(reason.words);
    const advice = failure === 'out-of-memory' ? adviceForClass(failure) : undefined;
    return { ...wordsOf(reason), ...(advice && { advice, ...shortOf(failure) }) };
  }
  if (signal !== 'SIGKILL') return reason ? wordsOf(reason) : { what: t('another process ended it') };
  const advice = t("Usually the out-of-memory killer: check `dmesg` and the container's memory limit.");
  return reason ? { ...wordsOf(reason), advice } : { what: t('another process killed it'), advice };
}
