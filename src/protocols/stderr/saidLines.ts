import { plainText } from '../../text/text';
import { completes, frameBeforeFields, idle, innerException, isCodeAt, stackBelow } from './runtimes';

/** The prefix of lines in an exception group (Python). */
const bar = /^ {2,40}\| /;
const npm = /^npm (?:error|ERR!)(?: (.*))?$/;
/** npm's lines about any failure; only its other lines are specific. */
const npmDetail =
  /^(?:A complete log of this run|\s*\S*[/\\]_logs[/\\]|(?:code|syscall|errno|path|dest|cwd|location|workspace|command|Lifecycle script)\b|\d{3}$|\s*$)/;
/** The exit code of a script that npm ran; the script's own lines explain it. */
const npmExitCode = /^code \d+$/;

/**
 * The lines of an entry that say what happened, as plain text: without stacks, quoted code and fields, with two-line sentences joined, and with only
 * the specific line of an npm report. If nothing is left, the last line.
 */
export function saidIn(lines: readonly string[]): { readonly lines: readonly string[]; readonly isIdle?: true } {
  const plain = lines.map((line) => plainText(line).trimEnd().replace(bar, '')).filter((line) => line !== '');
  // Most entries are one line of a log.
  const own = plain.length === 1 ? plain : joined(withoutFields(withoutCode(plain)));
  const said = withoutNpmDetails(withoutStacks(own));
  return said.length > 0 ? { lines: said } : { lines: plain.slice(-1), isIdle: true };
}

/** Removes the location and the code that Node.js prints before an exception. */
function withoutCode(lines: readonly string[]): readonly string[] {
  return lines.filter((_, i) => ![i, i - 1, i - 2].some((start) => isCodeAt(lines, start)));
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

function withoutStacks(lines: readonly string[]): readonly string[] {
  let stack: ReturnType<typeof stackBelow>;
  return lines.filter((line, i) => {
    stack = stackBelow(line) ?? (stack?.has(line, lines[i - 1] ?? '') === true ? stack : undefined);
    return !stack && !idle.test(line);
  });
}

function joined(lines: readonly string[]): readonly string[] {
  const sentences: string[] = [];
  for (const line of lines) {
    const before = sentences.at(-1) ?? '';
    if (completes(line, before)) sentences[sentences.length - 1] = `${before} ${line.trim()}`;
    else sentences.push(line);
  }
  return sentences;
}

/** npm prints its lines one below the other. */
function withoutNpmDetails(lines: readonly string[]): readonly string[] {
  const ofNpm = lines.filter((line) => npm.test(line));
  if (ofNpm.length === 0) return lines;
  const words = (line: string) => npm.exec(line)?.[1] ?? '';
  const telling = ofNpm.filter((line) => !npmDetail.test(words(line)));
  // npm's first line names the error and the others what to do; for a script, they may be the script's own.
  const kept = ofNpm.some((line) => npmExitCode.test(words(line))) ? telling : telling.slice(0, 1);
  return lines.filter((line) => !npm.test(line) || kept.includes(line));
}
