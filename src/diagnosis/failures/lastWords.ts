import { reaches } from '../../log/level';
import { oneLine } from '../../log/text';
import { readStderrLine } from '../../protocols/stderr/stderrLine';
import { withIssues } from './validationIssues';

/** What tells most of why a process ended, of what it wrote. */
export interface LastWords {
  /** To be shown: on one line. */
  readonly words: string;
  /** The line that they are from. */
  readonly line: string;
  /** Whether it reads like a reason, and is not only what was there. */
  readonly isReason: boolean;
}

/** What looks like a reason in a line that does not say how severe it is. */
const reason =
  /\b(?:\w*(?:Error|Exception)\b.*|error\b.*|fatal\b.*|panic(?:ked)?\b.*|cannot (?:find|connect|open|read|load) .*|no module named .*|could(?: not|n['’]t) .*|unable to .*|failed to .*|(?:is|was|are) (?:not set|required|missing)\b|not found\b.*|denied\b.*|npm ERR!.*|.*(?:command not found|No such file or directory|is not recognized as).*)/i;
/** That something has failed says of no cause. */
const consequence = /\b(?:exit(?:ed)?|command failed|startup failed)\b/i;
/** An exception that nothing caught ended the process, whatever its message says. */
const uncaught = /^\s*Uncaught\b/;
/** What programs and runtimes put below a reason, whatever it is: how to get help, where it was, and what was left of a block. */
const aside =
  /^\s*(?:(?:run|try|see) ['"`‘].*--help|for more information\b|\(?did you mean\b|usage:|tip: |\d+: 0x[\da-f]+ |exit status \d+$|thrown in \S+ on line \d|Bun v\d|Node\.js v\d|File name: '|from \S+:\d+:in |\(Use `node --trace-|----- .* -----$|[\])}>#|+\s-]+[;,]?$)/i;
/** How Node.js says that nobody took a rejection that is no error. */
const rejected = /^\[UnhandledPromiseRejection: .* with the reason "(.*)"\.\]/;
/** How Node.js puts the error that another one came of. */
const isCauseOf = /^\s*\[cause\]: /;
/** Frames of messages that are drawn (Rust's miette, as of uv). */
const drawn = /^\s*(?:[×│╰├─▶•]+\s+|#\s+)/;
const drawnBelow = /^(?: {4,}| *│ {2,})\S/;
const maxWords = 300;
const maxBelow = 5;

/**
 * The line that tells most: the newest that reads like a reason and not like what came of one; where there is none, the last, or of what a
 * program has printed (which may be how it is used) the first.
 * @param told without stacks, as `tellingLines` makes it
 */
export function lastWords(told: readonly string[], otherwise: 'first' | 'last' = 'last'): LastWords | undefined {
  const lines = told.some((line) => !aside.test(line)) ? told.filter((line) => !aside.test(line)) : told;
  const reasons = lines.filter(isReason);
  const found = reasons.findLast((line) => uncaught.test(line) || !consequence.test(line)) ?? reasons.at(-1);
  const line = found ?? lines.at(otherwise === 'last' ? -1 : 0);
  if (line === undefined) return undefined;
  return { words: oneLine(shown(line, told), maxWords).replace(/(?<!\.)\.$/, ''), line, isReason: found !== undefined };
}

/** A line that calls itself less than an error tells of none. */
function isReason(line: string): boolean {
  const { level } = readStderrLine(line);
  return level === undefined ? reason.test(line) : reaches(level, 'error');
}

/** The line as a person wants it: without what a log puts before the message, and with what belongs to it in those below. */
function shown(line: string, told: readonly string[]): string {
  const [, why] = rejected.exec(line) ?? [];
  if (why !== undefined) return `unhandled rejection: ${why}`;
  const read = readStderrLine(line);
  if (read.time !== undefined || line.startsWith('{')) return [read.logger, read.message].filter(Boolean).join(': ');
  const below = told.slice(told.lastIndexOf(line) + 1);
  if (!drawn.test(line)) return withIssues(line.replace(isCauseOf, ''), below);
  const end = below.findIndex((other) => !drawnBelow.test(other));
  const rest = below.slice(0, end < 0 ? maxBelow : Math.min(end, maxBelow));
  return [line, ...rest].map((part) => part.replace(drawn, '').trim()).join(' ');
}
