import type { ToolCall } from '../../../work/tools/toolCall';
import { isNotFoundCode, missingProgramIn } from '../../../work/failures/missingProgram';
import type { EndedTurn, Turn } from '../../../work/turn';
import { admits, asksOrDenies } from './admission';
import { isAskedFor, isMeantToFail, isWanted } from './askedFor';
import type { Attempt } from './attempt';
import { attemptsOf, commandLineOf } from './attempt';
import type { Failed } from './dealtWith';
import { isDealtWith, leftAfter, saysMisled } from './dealtWith';
import { lookOnly } from './purpose';

/** How the agent dealt with a failed call: it or another way succeeded, the answer says that it failed, or it was meant to fail. */
export type Dealt = 'succeeded' | 'said' | 'asked' | 'unwanted' | 'child';

/** A failed tool call of a turn that is still running. */
export interface FailedCall extends Failed {
  readonly tool: ToolCall;
  readonly at: number;
  /** The `seq` of the record of its end, and its line. */
  readonly evidence: number | undefined;
  readonly raw: string | undefined;
  /** What the user asked for. */
  readonly prompt: string;
  /** What the agent had said when it failed. */
  readonly textBefore: string;
  /** What hasn't been dealt with. */
  left: readonly Attempt[];
  dealt: Dealt | undefined;
  /** Something succeeded after it. */
  hasSuccessor: boolean;
}

/** A question mark is looked for in this many characters. */
const maxEnd = 20;

/** @param hasStopped whether the agent has stopped a process in this turn */
export function failedCall(
  tool: ToolCall,
  place: Pick<FailedCall, 'at' | 'evidence' | 'raw' | 'prompt'>,
  hasStopped: boolean,
): FailedCall {
  const attempts = attemptsOf(tool, true);
  const output = tool.end?.error ?? tool.output;
  const isMissing =
    isNotFoundCode(tool.end?.exitCode) ||
    (commandLineOf(tool) !== undefined && missingProgramIn(output.slice(0, 500)) !== undefined);
  const isMeant = isMeantToFail(tool, attempts, hasStopped);
  return {
    ...place,
    tool,
    attempts,
    isMisled: saysMisled(output),
    isMissing,
    isWanted: lookOnly(attempts) && isWanted(attempts, place.prompt),
    left: attempts,
    textBefore: tool.turn?.earlierText ?? '',
    dealt: isMeant ? 'asked' : undefined,
    hasSuccessor: false,
  };
}

/** Notes what a call that succeeded later says about a failed one. */
export function noteSuccess(failed: FailedCall, tool: ToolCall, succeeded: readonly Attempt[]): void {
  if (failed.dealt !== undefined) return;
  failed.hasSuccessor = true;
  const { title, input } = failed.tool;
  const isSame = title !== '' && tool.title === title && tool.input === input;
  failed.left = isSame ? [] : leftAfter({ ...failed, attempts: failed.left }, succeeded);
  if (isSame || isDealtWith(failed, failed.left)) failed.dealt = 'succeeded';
}

/**
 * How a failed call was dealt with, now that its turn is over or nothing more will come.
 * @param all the calls that weren't dealt with
 */
export function judgeCall(failed: FailedCall, turn: Turn | EndedTurn, all: readonly FailedCall[]): Dealt | undefined {
  if (failed.dealt !== undefined) return failed.dealt;
  const { tool, attempts, hasSuccessor, textBefore } = failed;
  const { outcome, exitCode } = tool.end ?? {};
  if (outcome === 'cancelled' || turn.isUnwanted || turn.cancel !== undefined) return 'unwanted';
  const earlier = turn.earlierText === textBefore ? '' : turn.earlierText;
  const answer = turn.lastText.trim() === '' ? earlier : turn.lastText;
  // The agent looked, and went on.
  if (hasSuccessor && lookOnly(attempts) && !failed.isWanted) return 'succeeded';
  const subject = {
    names: namesOf(tool, attempts),
    purposes: new Set(attempts.map(({ purpose }) => purpose)),
    exitCode: exitCode === 0 ? undefined : exitCode,
    output: `${tool.end?.error ?? ''} ${tool.output}`.toLowerCase(),
    isOnly: all.length === 1,
    isQuestion: /[?？]\s*$/.test(failed.prompt.slice(-maxEnd)),
  };
  if (isAskedFor(tool, subject, failed.prompt, answer)) return 'asked';
  // That a search found nothing isn't that it failed.
  const isAnySaid = areForOne(all) && !lookOnly(attempts) && asksOrDenies(answer);
  return admits(answer, subject) || isAnySaid ? 'said' : undefined;
}

/** Whether all calls were for the same purpose, so that a denial is about all of them. */
function areForOne(all: readonly FailedCall[]): boolean {
  return new Set(all.flatMap(({ attempts }) => attempts.map(({ purpose }) => purpose))).size <= 1;
}

const tooCommon =
  /^(?:script|npm|node|git|docker|python|bash|sh|make|tool|run|src|test|index|main|app|file|json|text)$/;

/** The names of what failed, in lower case. */
function namesOf(tool: ToolCall, attempts: readonly Attempt[]): readonly string[] {
  const line = commandLineOf(tool);
  const names = attempts.flatMap(({ program, verb, targets }) => [
    program,
    ...(verb === '' ? [] : [verb.length > 4 ? verb : '', `${program} ${verb}`]),
    ...targets.map((target) => target.replace(/^.*[/\\]/, '')),
  ]);
  return [...new Set([line ?? '', ...names].map((name) => name.trim().slice(0, 200).toLowerCase()))].filter(
    (name) => name.length > 2 && !tooCommon.test(name),
  );
}
