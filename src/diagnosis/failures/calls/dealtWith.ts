import type { Attempt } from './attempt';
import type { Purpose } from './purpose';
import { areAlike } from './purpose';

/** What a failed call tried, and what its output says about the reason. */
export interface Failed {
  readonly attempts: readonly Attempt[];
  /** Its arguments were wrong: a file, an option, a script that isn't there. */
  readonly isMisled: boolean;
  /** Its program isn't installed. */
  readonly isMissing: boolean;
  /** The prompt names the file that could not be read. */
  readonly isWanted: boolean;
}

const misled =
  /\bno such (?:file|command|option|module|task|target|remote|image|service|container)|\bnot found\b|\bdoes ?n[o'’]t exist\b|\bnot exist\b|\bunknown\b|\bunrecogni[sz]ed\b|\binvalid\b|\busage:|\bmissing script\b|\bdid not match\b|\bcannot find\b|\bcan't (?:open|cd)\b|\bambiguous\b|\bnot a git repository\b|\bunexpected (?:argument|option)\b|\bno (?:rule|tests? found|matches|matching)\b|\bnot a directory\b|\bis a directory\b|\bENOENT\b|\boutside (?:of )?(?:the )?(?:allowed|permitted|workspace|project)\b|\bmust be\b/i;
/** Wrong characters in a word that may be a typing mistake. */
const maxWrong = 2;
const minLength = 4;
const maxLength = 60;

/** Purposes whose result is good or bad, so that a success elsewhere doesn't replace it. */
const checks: ReadonlySet<Purpose> = new Set<Purpose>(['test', 'build', 'lint']);
const reading: ReadonlySet<Purpose> = new Set<Purpose>(['look', 'fetch']);
const running: ReadonlySet<Purpose> = new Set<Purpose>(['run', 'other', 'test', 'build', 'lint']);
/** Programs and tools that look for files. */
const searching =
  /^(?:ls|ll|dir|tree|find|fd|fdfind|[ef]?grep|rg|ag|git|gci|dir)$|glob|grep|search|find|list|web|fetch/i;
/** What ends or continues an operation of Git that stopped. */
const stopping = /^(?:merge|rebase|pull|cherry-pick|stash.*|revert|am|apply|commit)$/;
const continuing = /^(?:commit|merge|rebase|cherry-pick|revert|am|pull|apply|stash.*)$/;
const switching = /^(?:checkout|switch|restore|branch)$/;
/** Programs that test only what they have built. */
const testsBuild = /^(?:cargo|go|dotnet|mvnw?|gradlew?|swift|make|ninja|zig|sbt|bazel)$/;

/** Whether the output of a failed call says that its arguments were wrong. */
export function saysMisled(output: string): boolean {
  return misled.test(output.slice(0, 4000));
}

/** What is left to be dealt with after something succeeded. */
export function leftAfter(failed: Failed, succeeded: readonly Attempt[]): readonly Attempt[] {
  return failed.attempts.filter((attempt) => !succeeded.some((other) => covers(attempt, other, failed)));
}

/** Whether what is left matters: of several commands in a line, all tests and builds have to succeed, of others one. */
export function isDealtWith({ attempts }: Failed, left: readonly Attempt[]): boolean {
  const isCheck = ({ purpose }: Attempt): boolean => checks.has(purpose);
  if (attempts.some(isCheck)) return !left.some(isCheck);
  return left.length < attempts.length;
}

/** Whether the success of one attempt shows that the failure of another doesn't matter any more. */
function covers(failed: Attempt, other: Attempt, { isMisled, isMissing, isWanted }: Failed): boolean {
  if (other.isAbort && !failed.isAbort) return false;
  const isShared = areNear(failed.targets, other.targets);
  if (reading.has(failed.purpose) && reading.has(other.purpose)) {
    return !isWanted || isShared || isMissing || searching.test(other.program);
  }
  // A read of a missing file, and then its creation.
  if (failed.purpose === 'look') return isShared || (isMissing && other.purpose === 'run');
  // That a text wasn't found doesn't say that the file was wrong.
  if (failed.purpose === 'edit') {
    return changes(other) && (isShared || failed.targets.length === 0 || other.targets.length === 0);
  }
  const hasOther = failed.targets.length > 0 && other.targets.length > 0 && !isShared && !isMisled;
  if (failed.program === other.program && isSameVerb(failed, other)) {
    return (failed.isInline && other.isInline) || failed.purpose === 'vcs' || !hasOther;
  }
  if (failed.purpose === 'vcs' && other.purpose === 'vcs') return isSameOperation(failed.verb, other.verb);
  if (failed.purpose === other.purpose && (checks.has(failed.purpose) || failed.purpose === 'install')) {
    return !hasOther;
  }
  if (failed.purpose === 'build' && other.purpose === 'test') {
    return failed.program === other.program && testsBuild.test(failed.program);
  }
  if (failed.purpose === 'files') return changes(other) && isShared;
  if (failed.purpose === 'delegate') return other.purpose === 'delegate' && isShared;
  if (isMissing && areAlike(failed.program, other.program)) return true;
  return running.has(failed.purpose) && running.has(other.purpose) && isShared;
}

function changes({ purpose, isInline }: Attempt): boolean {
  return purpose === 'edit' || purpose === 'files' || isInline;
}

function isSameVerb(one: Attempt, other: Attempt): boolean {
  return one.verb === other.verb || isTypo(one.verb, other.verb);
}

function isSameOperation(one: string, other: string): boolean {
  return (stopping.test(one) && continuing.test(other)) || (switching.test(one) && switching.test(other));
}

/** Whether two lists of files or names have something in common, or almost. */
function areNear(ones: readonly string[], others: readonly string[]): boolean {
  return ones.some((one) => others.some((other) => isNear(one, other)));
}

function isNear(one: string, other: string): boolean {
  if (one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`)) return true;
  const [a, b] = [nameOf(one), nameOf(other)];
  return a === b || isTypo(a, b);
}

/** The name of a file without its folder and ending. */
function nameOf(path: string): string {
  const name = path.replace(/^.*[/\\]/, '');
  return name.replace(/(?<=.)\.\w{1,5}$/, '').toLowerCase();
}

/** Whether two words differ only as after a typing mistake. */
export function isTypo(one: string, other: string): boolean {
  const [long, short] = one.length > other.length ? [one, other] : [other, one];
  if (short.length < minLength || long.length > maxLength || long.length - short.length > maxWrong) return false;
  return distance(long, short) <= (short.length < 8 ? 1 : maxWrong);
}

/** How many characters have to be changed, added, left out or exchanged. */
function distance(one: string, other: string): number {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_none, i) => i);
  for (let i = 1; i <= one.length; i++) {
    const now = [i];
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1];
      const isExchanged = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const changed = Math.min((last[j] ?? 0) + 1, (now[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (isSame ? 0 : 1));
      now.push(isExchanged ? Math.min(changed, (before[j - 2] ?? 0) + 1) : changed);
    }
    [before, last] = [last, now];
  }
  return last[other.length] ?? 0;
}
