import { oneLine } from '../../text/text';
import { commandsIn, programOf } from '../failures/commandLine';
import { isAnswer, isPrinter } from '../failures/commandStatus';
import { readAnswer } from '../failures/errorAnswer';
import { readable } from '../failures/errorText';
import { missingProgramIn } from '../failures/missingProgram';
import type { Ended } from '../step';
import { maxTitle } from '../step';
import type { ToolCall } from './toolCall';
import { leadingExitCode, ownFailure, parsedObject, stateError } from './toolOutput';
import { tellsOfRejection } from '../troubleText';
import { isFault } from '../failures/fault';

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

/** Names of tools that read, and file names. */
const showsData =
  /\b(?:read|view|show|open|cat|get|fetch|search|find|list|grep|glob|query|web|browser?|http|curl|sql|request)(?:s|ing|er)?\b|\.\w{1,5}$/i;

/** How a tool call ended, whatever status the agent gave it. */
export function toolOutcome(tool: ToolCall): Ended {
  const { outcome } = tool;
  const title = tool.command ?? tool.subject;
  const exitCode = tool.exitCode ?? statedExit(tool, title);
  const isBad = exitCode !== undefined && exitCode !== 0;
  const signal = exitCode === undefined && tool.signal !== undefined && isFault(tool.signal) ? tool.signal : undefined;
  const error = tool.error ?? childErrorOf(tool) ?? refusalIn(tool, title);
  const saysError = error !== undefined && exitCode !== 0;
  const tellsItself = isPrinter(title) ? lacksOwnProgram : endsInFailure;
  const saysFailed = tool.isCommand && exitCode === undefined && tellsItself(tool.output, title);
  const isStopped = signal !== undefined || (tool.hook !== undefined && outcome !== 'ok');
  const hasFailed = outcome === 'error' || isBad || saysError || saysFailed || isStopped;
  const words = short(error ?? tool.output);
  const isTurnUnwanted = tool.turn?.isUnwanted === true || tool.turn?.cancel !== undefined || tool.isInterrupted;
  const unwanted = tool.unwanted ?? (isTurnUnwanted ? 'cancelled' : undefined);
  if (unwanted && (hasFailed || outcome !== 'ok')) {
    return { outcome: unwanted, detail: unwanted === 'cancelled' ? words : undefined };
  }
  if ((outcome === 'cancelled' || outcome === 'refused') && !tool.hook) return { outcome };
  if (!hasFailed) return { outcome: 'ok', exitCode };
  if (isBad && isAnswer(title, exitCode, tool.output)) {
    return { outcome: 'ok', detail: `exit ${exitCode}`, exitCode, isAnswer: true, error };
  }
  // Without a word about why, nothing was found.
  const isSilent = exitCode === undefined && error === undefined && signal === undefined && tool.output.trim() === '';
  if (isSilent && tool.isCommand && isAnswer(title, 1)) return { outcome: 'ok', isAnswer: true };
  if (!isBad && !tool.hook && tellsOfRejection(error ?? tool.output)) return { outcome: 'refused', error };
  return { outcome: 'error', detail: isBad ? `exit ${exitCode}` : (signal ?? words), exitCode, signal, error };
}

function short(text: string): string | undefined {
  return text === '' ? undefined : oneLine(text, maxTitle);
}

/** The exit code stated on a line of a command's output: the first, or one of the last. */
function statedExit({ isCommand, output, outcome }: ToolCall, title: string): number | undefined {
  const hasFailed = outcome === 'error';
  if ((!isCommand && !hasFailed) || isPrinter(title)) return hasFailed ? leadingExitCode(output) : undefined;
  const lines = output.trim().split('\n');
  for (const line of [lines[0] ?? '', ...lines.slice(-6)].reverse()) {
    const code = exitLine.exec(line.trim())?.[1] ?? exitAtEnd.exec(line.trim())?.[1];
    if (code !== undefined) return Number(code);
  }
  return undefined;
}

/** The error of the subagent that a tool ran or waited for. Its answer may be about other failures. */
function childErrorOf({ isCommand, isDelegation, childError, output }: ToolCall): string | undefined {
  if (isCommand || !isDelegation) return undefined;
  const error = childError ?? stateError(parsedObject(output.trim()));
  if (error !== undefined) return readable(error);
  if (!childFailed.test(output)) return undefined;
  return output.replace(/<[^<>]{1,300}>/g, ' ').trim() || undefined;
}

/** The error that a tool or subagent returned as its result, unless it shows data from elsewhere. */
function refusalIn({ isCommand, command, output }: ToolCall, title: string): string | undefined {
  if (isCommand || command !== undefined || showsData.test(title.replaceAll('_', ' '))) return undefined;
  const own = ownFailure(parsedObject(output.trim()));
  if (own !== undefined) return own;
  const reading = readAnswer(output, '');
  return reading === 'marker' || reading === 'body' ? readable(output) : undefined;
}

/** Whether the last line of an output says that a program of the command line is missing. Other texts may be what it prints. */
function lacksOwnProgram(output: string, line: string): boolean {
  const missing = missingProgramIn(output.trim().split('\n').at(-1) ?? '');
  return missing !== undefined && commandsIn(line).some(({ words }) => programOf(words)[0] === missing);
}

/** Whether the last line of an output is that of a command that failed. */
function endsInFailure(output: string): boolean {
  const lines = output.trim().split('\n');
  const last = lines.at(-1)?.trim() ?? '';
  if (missingProgramIn(last) !== undefined || ofShell.test(last) || ofFailure.test(last)) return true;
  if (lines.slice(-8).some((line) => failedCount.test(line.trim()))) return true;
  return pythonError.test(last) && traceback.test(output);
}
