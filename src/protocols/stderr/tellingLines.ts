import { plainText } from '../../log/text';
import { isGoStack, isInGoStack } from './goTrace';
import { isCodeAt } from './nodeTrace';
import { isBeforeReason, isPartOfPanic } from './rustTrace';

/** Places of stack traces, and what is added to errors whatever they are. */
const idle =
  /^(?:\s+at |at \S.{0,400}(?:\)|:\d+)$|\s*(?:Node\.js v|Emitted 'error' event|npm notice\b|\(Use `node --trace-uncaught |\+(?:-\+)?-{4,}(?: \d+ -+)?$))/;
/** What stands before the lines of an exception that is in a group (Python). */
const bar = /^ {2,40}\| /;
/** The last frame of an exception's stack, where Node.js puts the exception's fields below it. */
const frameBeforeFields = /^\s+at .* \{$/;
/** Of the fields only other exceptions tell more. */
const innerException = /^\s+(?:\[cause\]: |\[errors\]: \[ ?)?[\w$.]*(?:Error|Exception)(?: \[\w+\])?: /;
const npm = /^npm (?:error|ERR!)(?: (.*))?$/;
/** What npm says of every failure: only its other lines tell of this one. */
const npmDetail =
  /^(?:A complete log of this run|\s*\S*[/\\]_logs[/\\]|(?:code|syscall|errno|path|dest|cwd|location|workspace|command|Lifecycle script)\b|\d{3}$|\s*$)/;
/** What a script that npm has run ended with: its own lines tell why. */
const npmExitCode = /^code \d+$/;

type StackTest = (line: string, before: string) => boolean;

const never: StackTest = () => false;
const isRustFrame: StackTest = (line) => /^\s+(?:\d{1,4}: |at )/.test(line);
const isRequiringFile: StackTest = (line) => line.startsWith('- ');

/**
 * The lines of standard error of which one may say why a process ended, as plain text: without stacks and what says nothing, sentences of
 * two lines as one, and of what npm says the line that tells most. Where nothing else is there, the last.
 */
export function tellingLines(lines: readonly string[]): string[] {
  const plain = lines.map((line) => plainText(line).trimEnd().replace(bar, '')).filter((line) => line !== '');
  const telling = withoutNpmDetails(joined(withoutStacks(withoutFields(withoutCode(plain)))));
  return telling.length > 0 ? telling : plain.slice(-1);
}

/** Without the place and the code that Node.js puts before an exception. */
function withoutCode(lines: readonly string[]): readonly string[] {
  return lines.filter((_, i) => !isCodeAt(lines, i) && !isCodeAt(lines, i - 1) && !isCodeAt(lines, i - 2));
}

/** Without the fields of an exception: those of a request that failed say more often what was asked than why it failed. */
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

/** How to know the lines of the stack that a line announces. */
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

/** A panic of Rust has its reason on the second line, Windows ends its sentence there. */
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
  // The first says what, those below it what to do; but they may be those of a script.
  return block.some((line) => npmExitCode.test(said(line))) ? telling : telling.slice(0, 1);
}
