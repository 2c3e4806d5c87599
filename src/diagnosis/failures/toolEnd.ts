import { t, verbatim } from '../../log/translator';
import { oneLine } from '../../log/text';
import { isAnswer, isPrinter } from './commandStatus';
import { readAnswer } from './errorAnswer';
import { readable } from './errorText';
import type { ToolFact } from '../../work/activity';
import { leadingExitCode, ownFailure, parsedObject, stateError } from '../../work/toolOutput';
import { isFault } from '../../protocols/lifecycle';
import type { Found } from '../rule';
import { tellsOfRejection } from '../../work/troubleText';

/** How a tool call ended, according to its protocol. */
export interface ToolEnd extends Pick<ToolFact, 'command' | 'outcome' | 'exitCode' | 'signal' | 'error'> {
  readonly title: string;
  /** Whether it ran a command: only then can its output state an exit code. */
  readonly isCommand: boolean;
  /** Whether it ran a subagent, or waited for one. */
  readonly isDelegation: boolean;
  /** The subagent's error, if fields have it. */
  readonly childError: string | undefined;
  readonly output: string;
}

/** The start of a wrapped output; the exit code is shown anyway. */
const wrapping = /^(?:```\w*\s*)?(?:Exit code:? \d{1,3}\s*)?/i;
const fence = '```';
const maxName = 100;
const maxOutput = 160;
/** A line that states an exit code, in any language. */
const exitLine =
  /^\W*(?:exit(?:ed|[ _-]?code|[ _-]?status)?|return[ _-]?code|exit_?code>?)\W{0,3}(\d{1,3})\W*(?:<\/exit_?code>)?$/i;
const exitAtEnd =
  /\b(?:exit[ _-]?(?:code|status)|(?:exited|terminated|failed|ended) with(?: (?:code|status))?)\W{0,3}(\d{1,3})\W*$/i;
/** Messages of shells that can't run a command, in any language. */
const ofShell =
  /^(?:\S*[/\\])?-?(?:ba|da|z|k|fi)?sh(?:\.exe)?: (?!warning\b)(?:\S+ \d+: |\d+: )?[^:]{1,120}: \S.{2,200}$/;
/** The last lines of build tools and runtimes that failed, in any language. */
const ofFailure =
  /^(?:\S*[/\\])?g?make(?:\[\d+\])?: \*\*\* |^npm (?:ERR!|error\b)|\bld returned \d+ exit status$|^error: (?:could not compile|aborting due to)|^(?:\[\w+\] )?BUILD FAIL(?:ED|URE)\b|^fatal: |^curl: \(\d+\) |^(?:Segmentation fault|Bus error|Illegal instruction|Killed)(?: \(core dumped\))?$/;
/** How test runners, compilers and linters count what failed, at the end of their output. */
const failedCount =
  /^=*\s*[1-9]\d* failed\b.*\bin [\d.]+ ?m?s|^(?:Tests|Test Suites|Test Files):?\s+[1-9]\d* failed\b|^[1-9]\d* failing$|^FAIL(?:\s+\S+\s+[\d.]+s)?$|^test result: FAILED\b|^\d+ examples?, [1-9]\d* failures?|^Failed!\s+- |^✖ \d+ problems? \([1-9]\d* error|^Found [1-9]\d* errors?\b|^FAILURES!$/;
const traceback = /^Traceback \(most recent call last\):$/m;
const pythonError = /^(?:[a-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Exit|Interrupt)(?::|$)/;
/** How the result of a subagent says that it failed: `<task state="error">`, `<task_error>`, `Subagent failed`. */
const childFailed =
  /^\W*(?:<\w+\b[^>]*\b(?:state|status)=["']?(?:failed|failure|error(?:ed)?|crashed|timed[_-]?out)\b[^>]*>|<(?:\w+_)?error>|(?:sub-?)?(?:agent|task) (?:\S+ )?(?:failed|crashed|errored|timed out|(?:ended|terminated|stopped|aborted|died)(?: early)? (?:with|after|due to|because of) an? (?:\w+ )?error)\b)/i;
const notFound = /\bcommand not found\b|is not recognized as (?:an internal|(?:the|a) name)/;

/** Names of tools that read, and file names. */
const showsData =
  /\b(?:read|view|show|open|cat|get|fetch|search|find|list|grep|glob|query|web|browser?|http|curl|sql|request)(?:s|ing|er)?\b|\.\w{1,5}$/i;

/** The finding about a finished tool, if it failed. */
export function toolFinding(end: ToolEnd): Found | undefined {
  const title = end.command ?? end.title;
  const exitCode = end.exitCode ?? statedExit(end, title);
  const isBad = exitCode !== undefined && exitCode !== 0;
  const crash = exitCode === undefined && end.signal !== undefined && isFault(end.signal) ? end.signal : undefined;
  const error = end.error ?? childErrorOf(end) ?? refusalIn(end, title);
  const saysError = error !== undefined && exitCode !== 0;
  const saysFailed = end.isCommand && exitCode === undefined && !isPrinter(title) && endsInFailure(end.output);
  if (end.outcome !== 'failed' && !isBad && !saysError && !saysFailed && crash === undefined) return undefined;
  const output = oneLine(unwrapped(error ?? end.output), maxOutput);
  const name = title === '' ? t('A tool') : `\`${oneLine(title, maxName)}\``;
  const how = isBad
    ? t('{0} exited with code {1}', name, exitCode)
    : crash === undefined
      ? t('{0} failed', name)
      : t('{0} crashed ({1})', name, crash);
  const what = end.outcome === 'completed' ? t('{0}, but the agent marked it completed', how) : how;
  const isNews = !(isBad && isAnswer(title, exitCode, end.output)) && !tellsOfRejection(output);
  const short = isBad ? t('exit {0}', exitCode) : crash === undefined ? t('failed') : verbatim(crash);
  return {
    code: 'tool-failed',
    level: isNews ? 'warning' : 'notice',
    what: output === '' ? what : t('{0}: {1}', what, output),
    cause: t('{0} · {1}', short, title === '' ? t('a tool') : oneLine(title, 60)),
    key: `${exitCode ?? ''} ${title}`,
  };
}

function unwrapped(output: string): string {
  const text = output.trim();
  return (text.endsWith(fence) ? text.slice(0, -fence.length) : text).replace(wrapping, '');
}

/** The exit code stated on a line of a command's output: the first, or one of the last. */
function statedExit({ isCommand, output, outcome }: ToolEnd, title: string): number | undefined {
  const hasFailed = outcome === 'failed';
  if ((!isCommand && !hasFailed) || isPrinter(title)) return hasFailed ? leadingExitCode(output) : undefined;
  const lines = output.trim().split('\n');
  for (const line of [lines[0] ?? '', ...lines.slice(-6)].reverse()) {
    const code = exitLine.exec(line.trim())?.[1] ?? exitAtEnd.exec(line.trim())?.[1];
    if (code !== undefined) return Number(code);
  }
  return undefined;
}

/** The error of the subagent that a tool ran or waited for. Its answer may be about other failures. */
function childErrorOf({ isCommand, isDelegation, childError, output }: ToolEnd): string | undefined {
  if (isCommand || !isDelegation) return undefined;
  const error = childError ?? stateError(parsedObject(output.trim()));
  if (error !== undefined) return readable(error);
  if (!childFailed.test(output)) return undefined;
  return output.replace(/<[^<>]{1,300}>/g, ' ').trim() || undefined;
}

/** The error that a tool or subagent returned as its result, unless it shows data from elsewhere. */
function refusalIn({ isCommand, command, output }: ToolEnd, title: string): string | undefined {
  if (isCommand || command !== undefined || showsData.test(title.replaceAll('_', ' '))) return undefined;
  const own = ownFailure(parsedObject(output.trim()));
  if (own !== undefined) return own;
  const reading = readAnswer(output, '');
  return reading === 'marker' || reading === 'body' ? readable(output) : undefined;
}

/** Whether the last line of an output is that of a command that failed. */
function endsInFailure(output: string): boolean {
  const lines = output.trim().split('\n');
  const last = lines.at(-1)?.trim() ?? '';
  if (notFound.test(last) || ofShell.test(last) || ofFailure.test(last)) return true;
  if (lines.slice(-8).some((line) => failedCount.test(line.trim()))) return true;
  return pythonError.test(last) && traceback.test(output);
}
