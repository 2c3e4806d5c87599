import { reaches } from '../../text/level';
import { oneLine } from '../../text/text';
import type { SaidLine } from '../../work/facts';
import { arrayOf, objectOf, textOf } from '../../text/json';

/** The most informative output of a process that ended. */
export interface LastWords {
  /** For display: on one line. */
  readonly words: string;
  /** The line that the words are from. */
  readonly line: SaidLine;
  /** Whether it reads like a reason rather than being merely the best line available. */
  readonly isReason: boolean;
}

/** Looks like a reason, in lines without a level. */
const reason =
  /\b(?:\w*(?:Error|Exception)\b.*|error\b.*|fatal\b.*|panic(?:ked)?\b.*|giv(?:ing|en) up\b.*|gave up\b.*|cannot (?:find|connect|open|read|load) .*|no module named .*|could(?: not|n['’]t) .*|unable to .*|failed to .*|(?:is|was|are) (?:not set|required|missing)\b|not found\b.*|denied\b.*|npm ERR!.*|.*(?:command not found|No such file or directory|is not recognized as).*)/i;
/** A consequence, which isn't a reason. */
export const consequence = /\b(?:exit(?:ed)?|command failed|startup failed)\b/i;
/** An uncaught exception ended the process, whatever its message says. */
const uncaught = /^\s*Uncaught\b/;
/** What programs print below a reason: how to get help, and the ends of blocks. */
const aside =
  /^(?:(?:run|try|see) ['"`‘].*--help|for more information\b|\(?did you mean\b|usage:|tip: |exit status \d+$|[\])}>#|+\s-]+[;,]?$)/i;
/** How Node.js reports an unhandled rejection with a non-error. */
const rejected = /^\[UnhandledPromiseRejection: .* with the reason "(.*)"\.\]/;
/** How Node.js prints the cause of an error. */
const isCauseOf = /^\s*\[cause\]: /;
/** Frames of drawn messages (Rust's miette, used by uv). */
const drawn = /^\s*(?:[×│╰├─▶•]+\s+|#\s+)/;
const drawnBelow = /^(?: {4,}| *│ {2,})\S/;
const maxWords = 300;
const maxBelow = 5;

/**
 * The most informative line: the newest that reads like a reason and not like a consequence. Otherwise the last line; or the first, for standard
 * output, which may be a usage text.
 */
export function lastWords(output: readonly SaidLine[], otherwise: 'first' | 'last' = 'last'): LastWords | undefined {
  const telling = output.filter(({ text, isIdle }) => isIdle !== true && !aside.test(text.trim()));
  const lines = telling.length > 0 ? telling : output;
  const reasons = lines.filter(isReason);
  const found = reasons.findLast(({ text }) => uncaught.test(text) || !consequence.test(text)) ?? reasons.at(-1);
  const line = found ?? lines.at(otherwise === 'last' ? -1 : 0);
  if (line === undefined) return undefined;
  return {
    words: oneLine(shown(line, output), maxWords).replace(/(?<!\.)\.$/, ''),
    line,
    isReason: found !== undefined,
  };
}

/** A line whose level is below error is no reason. */
function isReason({ level, text }: SaidLine): boolean {
  return level === undefined ? reason.test(text) : reaches(level, 'error');
}

/** The line for display: without log prefixes, and with the continuation lines below it. */
function shown(line: SaidLine, output: readonly SaidLine[]): string {
  const { text, time, logger, message } = line;
  const [, why] = rejected.exec(text) ?? [];
  if (why !== undefined) return `unhandled rejection: ${why}`;
  if (time !== undefined || text.startsWith('{')) return [logger, message].filter(Boolean).join(': ');
  const below = output.slice(output.lastIndexOf(line) + 1).map((other) => other.text);
  if (!drawn.test(text)) return withIssues(text.replace(isCauseOf, ''), below);
  const end = below.findIndex((other) => !drawnBelow.test(other));
  const rest = below.slice(0, end < 0 ? maxBelow : Math.min(end, maxBelow));
  return [text, ...rest].map((part) => part.replace(drawn, '').trim()).join(' ');
}

/** Zod and others that print issues as JSON. */
const beginsList = /\[$/;
/** Pydantic lists the fields below, each with its problem indented. */
const announcesFields = /\b\d+ validation errors? for \S+$/;
/** Details for developers. */
const fieldDetails = / \[type=.*$/;
const maxIssues = 3;

/** Adds the failed fields from the lines below to a line that reports a failed validation. */
function withIssues(line: string, below: readonly string[]): string {
  if (beginsList.test(line)) {
    const issues = issuesOf(below);
    return issues.length === 0 ? line : `${line.replace(beginsList, '').trimEnd()} ${listed(issues)}`;
  }
  if (!announcesFields.test(line)) return line;
  const fields = fieldsOf(below);
  return fields.length === 0 ? line : `${line}: ${listed(fields)}`;
}

function issuesOf(lines: readonly string[]): string[] {
  const end = lines.findIndex((line) => line.startsWith(']'));
  if (end < 0) return [];
  try {
    const issues: unknown = JSON.parse(`[${lines.slice(0, end).join('\n')}]`);
    return arrayOf(issues).flatMap((issue) => {
      const { path, message } = objectOf(issue);
      const text = textOf(message);
      if (text === undefined) return [];
      const where = arrayOf(path).slice(0, 10).map(String).join('.');
      return [where === '' ? text : `${where}: ${text}`];
    });
  } catch {
    return [];
  }
}

function fieldsOf(lines: readonly string[]): string[] {
  return lines.flatMap((line, i) => {
    const trouble = lines[i + 1] ?? '';
    const isField = /^\S+$/.test(line) && /^\s+\S/.test(trouble);
    return isField ? [`${line}: ${trouble.trim().replace(fieldDetails, '')}`] : [];
  });
}

function listed(all: readonly string[]): string {
  const more = all.length - maxIssues;
  return `${all.slice(0, maxIssues).join('; ')}${more > 0 ? `, and ${more} more` : ''}`;
}
