import type { Words } from '../../../text/translator';
import { t, verbatim } from '../../../text/translator';
import { oneLine, shownLine } from '../../../text/text';
import type { ToolCall } from '../../../work/tools/toolCall';
import { tellsOfRejection } from '../../../work/troubleText';
import type { Found } from '../../rule';
import type { Dealt, FailedCall } from './failedCall';
import { adviceFor } from '../failureAdvice';
import { commonCause } from './callCause';
import { peer } from '../../../protocols/terms';

/** The start of a wrapped output; the exit code is shown anyway. */
const wrapping = /^(?:```\w*\s*)?(?:Exit code:? \d{1,3}\s*)?/i;
const fence = '```';
const maxName = 100;
const maxOutput = 160;
/** How many calls a finding names. */
const maxNamed = 3;
/** How many records a finding refers to. */
const maxEvidence = 10;

/** The finding about a tool call that failed, or ended with an exit code that is a result. */
export function toolFinding(tool: ToolCall): Found | undefined {
  const { outcome, exitCode, error, isAnswer = false } = tool.end ?? {};
  const isRejected = outcome === 'refused' && tool.unwanted === undefined && tool.outcome !== 'refused';
  if (outcome !== 'error' && !isRejected && !isAnswer) return undefined;
  const title = tool.command ?? tool.subject;
  const output = oneLine(unwrapped(error ?? tool.output), maxOutput);
  const how = howOf(tool, title === '' ? t('A tool') : quoted(title));
  const what = tool.outcome === 'ok' ? t('{0}, but the {1} marked it completed', how, peer) : how;
  const isNews = !isAnswer && !tellsOfRejection(output);
  return {
    code: 'tool-failed',
    level: isNews ? 'warning' : 'notice',
    what: output === '' ? what : t('{0}: {1}', what, output),
    cause: t('{0} · {1}', shortEnd(tool), title === '' ? t('a tool') : shownLine(title, 60)),
    key: `${exitCode ?? ''} ${title}`,
  };
}

function howOf({ end }: ToolCall, name: Words | string): Words {
  const { outcome, exitCode, signal } = end ?? {};
  if (exitCode !== undefined && exitCode !== 0) return t('{0} exited with code {1}', name, exitCode);
  if (signal !== undefined) return t('{0} crashed ({1})', name, signal);
  return outcome === 'refused' ? t('{0} was refused', name) : t('{0} failed', name);
}

function quoted(title: string): string {
  return `\`${shownLine(title, maxName)}\``;
}

function shortEnd({ end }: ToolCall): Words {
  const { outcome, exitCode, signal } = end ?? {};
  if (exitCode !== undefined && exitCode !== 0) return t('exit {0}', exitCode);
  if (signal !== undefined) return verbatim(signal);
  return outcome === 'refused' ? t('refused') : t('failed');
}

/** The finding about failed calls of a turn that the agent ignored. @param more how many others it ignored */
export function ignoredFailures(failed: readonly FailedCall[], more: number): Found | undefined {
  const [first] = failed;
  if (!first) return undefined;
  const isMissing = failed.some((call) => call.isMissing);
  const count = failed.length + more;
  const advice = isMissing ? adviceFor('missing-executable') : (commonCause(failed)?.advice ?? checkWork(count));
  const found = count === 1 ? toolFinding(first.tool) : undefined;
  if (found) return { ...found, ...placeOf(failed), advice };
  const names = listOf(failed, count);
  const what = failed.every(({ tool }) => tool.isCommand)
    ? t("{0} commands failed and weren't repeated: {1}", count, names)
    : t("{0} tool calls failed and weren't repeated: {1}", count, names);
  const cause = t('{0} tool calls failed', count);
  return { code: 'tool-failed', level: 'warning', what, cause, advice, key: 'several', ...placeOf(failed) };
}

/** The finding about failed calls of a turn that aren't a problem. */
export function settledFailures(failed: readonly FailedCall[]): Found | undefined {
  const [first] = failed;
  if (!first) return undefined;
  const found = failed.length === 1 ? toolFinding(first.tool) : undefined;
  if (found) return { ...found, level: 'notice', what: withReason(found.what, first.dealt), ...placeOf(failed) };
  const names = listOf(failed, failed.length);
  const isLeft = failed.some(({ dealt }) => dealt === 'unwanted') || failed.every(({ dealt }) => dealt === 'said');
  return {
    code: 'tool-failed',
    level: 'notice',
    what: isLeft
      ? t('{0} tool calls failed: {1}', failed.length, names)
      : t('{0} tool calls failed, but no problem is left: {1}', failed.length, names),
    key: 'dealt with',
    ...placeOf(failed),
  };
}

function checkWork(count: number): Words {
  return count === 1
    ? t('The agent neither repeated it nor said that it failed: check its work.')
    : t('The agent neither repeated them nor said that they failed: check its work.');
}

function withReason(what: Words, dealt: Dealt | undefined): Words {
  switch (dealt) {
    case 'succeeded':
      return t('{0} (dealt with later in the turn)', what);
    case 'said':
      return t('{0} (the answer says so)', what);
    case 'asked':
      return t('{0} (expected)', what);
    default:
      return what;
  }
}

/** The records of failed calls. */
export function placeOf(failed: readonly FailedCall[]): Pick<Found, 'raw' | 'evidence' | 'moreEvidence'> {
  const [evidence, ...moreEvidence] = failed.flatMap((call) => call.evidence ?? []).slice(0, maxEvidence);
  return { raw: failed[0]?.raw, evidence, moreEvidence };
}

/** `npm test` (exit 1), `make` (exit 2) and 3 more */
export function listOf(failed: readonly FailedCall[], count: number): Words {
  const names = failed.slice(0, maxNamed).map(({ tool }) => {
    const title = tool.command ?? tool.subject;
    return t('{0} ({1})', title === '' ? t('a tool') : quoted(title), shortEnd(tool));
  });
  const list = names.reduce((before, name) => t('{0}, {1}', before, name));
  return count > names.length ? t('{0} and {1} more', list, count - names.length) : list;
}

function unwrapped(output: string): string {
  const text = output.trim();
  return (text.endsWith(fence) ? text.slice(0, -fence.length) : text).replace(wrapping, '');
}
