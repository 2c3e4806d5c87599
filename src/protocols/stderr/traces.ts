import { goesOnInGo } from './goTrace';
import { goesOnInNode, isPlace } from './nodeTrace';
import { goesOnInGroup, goesOnInPython } from './pythonTrace';
import { beginsRustTrace, goesOnInRust } from './rustTrace';

/** The origin of a stack trace whose parts can't be recognized on their own; npm's reports are treated the same way. */
export type Trace = 'python' | 'python-group' | 'go' | 'rust' | 'node' | 'npm';

const begins =
  /^(?:(Traceback \(most recent call last\)|Fatal Python error: | {2}File ".{1,300}", line \d{1,10}$)|( {2}\+ Exception Group Traceback \()|(panic: |fatal error: |goroutine \d)|(thread ')|(npm (?:error|ERR!)))/;

/** The first characters of traces, and of indented ones after their two spaces. */
const firstCharacters: ReadonlySet<number> = new Set(Array.from('TFpfgtn', (character) => character.charCodeAt(0)));
const indentedCharacters: ReadonlySet<number> = new Set(Array.from('F+', (character) => character.charCodeAt(0)));
const blank = 0x20;

/** The kind of stack trace that a line begins. */
export function traceOf(line: string): Trace | undefined {
  return (mayBegin(line) ? named(line) : undefined) ?? (isPlace(line) ? 'node' : undefined);
}

/** Fast path: most lines don't begin with any of these characters. */
function mayBegin(line: string): boolean {
  const first = line.charCodeAt(0);
  return first === blank ? indentedCharacters.has(line.charCodeAt(2)) : firstCharacters.has(first);
}

function named(line: string): Trace | undefined {
  const [found, python, group, go, rust] = begins.exec(line) ?? [];
  if (found === undefined) return undefined;
  if (python !== undefined) return 'python';
  if (group !== undefined) return 'python-group';
  if (go !== undefined) return 'go';
  if (rust === undefined) return 'npm';
  return beginsRustTrace(line) ? 'rust' : undefined;
}

/** Whether it is a Python traceback; these may follow one another. */
export function isOfPython(trace: Trace | undefined): boolean {
  return trace === 'python' || trace === 'python-group';
}

/**
 * Whether a line continues a stack trace although it doesn't look like part of one.
 * @param before the lines of the trace so far, the last of which may be empty
 * @param last the newest nonempty one
 */
export function goesOn(trace: Trace, before: readonly string[], last: string, line: string): boolean {
  switch (trace) {
    case 'python':
      return goesOnInPython(before, last, line);
    case 'python-group':
      return goesOnInGroup(before, last, line);
    case 'go':
      return goesOnInGo(last, line);
    case 'rust':
      return goesOnInRust(before, line);
    case 'node':
      return goesOnInNode(before, line);
    case 'npm':
      return before.at(-1) !== '' && line.startsWith(last.slice(0, 'npm ERR!'.length));
  }
}
