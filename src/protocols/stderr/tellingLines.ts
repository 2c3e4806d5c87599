import { plainText } from '../../log/text';
import { isGoStack, isInGoStack, isCodeAt, isBeforeReason, isPartOfPanic } from './traces';

/** Locations in stack traces, and text that is added to any error. */
const idle =
  /^(?:\s+at |at \S.{0,400}(?:\)|:\d+)$|\s*(?:Node\.js v|Emitted 'error' event|npm notice\b|\(Use `node --trace-uncaught |\+(?:-\+)?-{4,}(?: \d+ -+)?$))/;
/** The prefix of lines in an exception group (Python). */
const bar = /^ {2,40}\| /;
/** The last frame of a stack, if Node.js prints the exception's fields below it. */
const frameBeforeFields = /^\s+at .* \{$/;
/** Only nested exceptions among the fields add information. */
const innerException = /^\s+(?:\[cause\]: |\[errors\]: \[ ?)?[\w$.]*(?:Error|Exception)(?: \[\w+\])?: /;
const npm = /^npm (?:error|ERR!)(?: (.*))?$/;
/** npm's lines about any failure; only its other lines are specific. */
const npmDetail =
  /^(?:A complete log of this run|\s*\S*[/\\]_logs[/\\]|(?:code|syscall|errno|path|dest|cwd|location|workspace|command|Lifecycle script)\b|\d{3}$|\s*$)/;
/** The exit code of a script that npm ran; the script's own lines explain it. */
const npmExitCode = /^code \d+$/;

type StackTest = (line: string, before: string) => boolean;

const never: StackTest = () => false;
const isRustFrame: StackTest = (line) => /^\s+(?:\d{1,4}: |at )/.test(line);
const isRequiringFile: StackTest = (line) => line.startsWith('- ');

/**
 * The lines of standard error that may explain why a process ended, as plain text: without stacks and uninformative lines, with two-line sentences
 * joined, and with only the specific line of an npm report. If nothing is left, the last line.
 */
export function tellingLines(lines: readonly string[]): string[] {
  const plain = lines.map((line) => plainText(line).trimEnd().replace(bar, '')).filter((line) => line !== '');
  const telling = withoutNpmDetails(joined(withoutStacks(withoutFields(withoutCode(plain)))));
  return telling.length > 0 ? telling : plain.slice(-1);
}

/** Removes the location and the code that Node.js prints before an exception. */
function withoutCode(lines: readonly string[]): readonly string[] {
  return lines.filter((_, i) => !isCodeAt(lines, i) && !isCodeAt(lines, i - 1) && !isCodeAt(lines, i - 2));
}

/** Removes the fields of an exception: those of a failed request describe the request rather than the failure. */
function withoutFields(lines: readonly string[]): readonly string[] {
  let isInFields = false;
  return lines.filter((line) => {
    const isField = isInFields && /^\s/.test(line);
    const isEnd = isInFields && line === '}';
    isInFields = isField || frameBeforeFields.test(line);
    return !isEnd && (!isField || innerException.test(line));
  });
}

function withoutStacks(lines: readonly string[]): string[] {
  let isInStack = never;
  return lines.filter((line, i) => {
    isInStack = stackBelow(line) ?? (isInStack(line, lines[i - 1] ?? '') ? isInStack : never);
    return isInStack === never && !idle.test(line) && !isPartOfPanic(line);
  });
}

/** The test for the lines of the stack that a line announces. */
function stackBelow(line: string): StackTest | undefined {
  if (isGoStack(line)) return isInGoStack;
  if (/^stack backtrace:$/i.test(line)) return isRustFrame;
  return line === 'Require stack:' ? isRequiringFile : undefined;
}

function joined(lines: readonly string[]): string[] {
  const sentences: string[] = [];
  for (const line of lines) {
    const before = sentences.at(-1) ?? '';
    if (goesOnWith(before, line)) sentences[sentences.length - 1] = `${before} ${line.trim()}`;
    else sentences.push(line);
  }
  return sentences;
}

/** The second line has the reason of a Rust panic, or the end of a sentence that Windows splits. */
function goesOnWith(before: string, line: string): boolean {
  return isBeforeReason(before) || (before.endsWith(' command,') && line.startsWith('operable program'));
}

function withoutNpmDetails(lines: readonly string[]): string[] {
  const told: string[] = [];
  let block: string[] = [];
  for (const line of lines) {
    if (npm.test(line)) {
      block.push(line);
      continue;
    }
    told.push(...tellingOfNpm(block), line);
    block = [];
  }
  return [...told, ...tellingOfNpm(block)];
}

function tellingOfNpm(block: readonly string[]): readonly string[] {
  const said = (line: string) => npm.exec(line)?.[1] ?? '';
  const telling = block.filter((line) => !npmDetail.test(said(line)));
  // npm's first line names the error and the others what to do; for a script, they may be the script's own.
  return block.some((line) => npmExitCode.test(said(line))) ? telling : telling.slice(0, 1);
}
