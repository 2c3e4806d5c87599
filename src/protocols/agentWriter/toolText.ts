import { boundedJson } from '../../text/boundedJson';
import { duration, oneLine } from '../../text/text';
import type { JsonObject } from '../../text/json';
import { isObject, objectOf, textOf } from '../../text/json';
import type { Ended } from '../../work/step';
import { outcomeLevel, outcomeWord } from '../../work/tools/toolWords';
import type { EventText, HookEnd } from './verbs';

/** Input fields that describe a tool call best, most useful first. */
const tellingNames = [
  'command',
  'cmd',
  'file_path',
  'filePath',
  'notebook_path',
  'absolute_path',
  'path',
  'pattern',
  'query',
  'url',
  'description',
  'prompt',
  'skill',
  'name',
  'subject',
];

/** `Bash: npm test`: the tool and its main argument, uncut. */
export function toolTitle(name: string, input: unknown): string {
  const telling = tellingArgument(objectOf(input));
  return telling === undefined ? name : `${name}: ${telling[1]}`;
}

/** The start of a tool call, with the rest of its input as data. */
export function toolStarted(name: string, input: unknown): EventText {
  const told = tellingArgument(objectOf(input))?.[0];
  const rest = isObject(input) ? Object.entries(input).filter(([field]) => field !== told) : [];
  const other = isObject(input) || input === undefined || input === null ? undefined : input;
  return {
    level: 'info',
    logger: 'tool',
    content: 'tool',
    message: oneLine(toolTitle(name, input), 1000),
    ...(rest.length > 0 && { data: Object.fromEntries(rest) }),
    ...(other !== undefined && { data: other }),
  };
}

/** The end of a tool call, for its record. */
export interface ToolEndText {
  readonly title: string;
  readonly end: Ended;
  /** In place of the outcome's word. */
  readonly status?: string | undefined;
  /** In milliseconds. */
  readonly ms?: number | undefined;
  readonly output: string;
}

/** `Bash: npm test (failed, exit 3, in 2.3 s): out err`. */
export function toolEnded({ title, end, status, ms, output }: ToolEndText): EventText {
  const { outcome, exitCode } = end;
  const state = [
    status ?? outcomeWord(end),
    ...(exitCode === undefined ? [] : [`exit ${exitCode}`]),
    ...(ms === undefined ? [] : [`in ${duration(ms)}`]),
  ].join(', ');
  const told = oneLine(output, outcome === 'ok' ? 300 : 1000);
  return {
    level: outcomeLevel(end),
    logger: 'tool',
    content: 'tool',
    message: `${oneLine(title, 200)} (${state})${told === '' ? '' : `: ${told}`}`,
  };
}

/** `PreToolUse:Bash (blocked, exit 2, in 60 ms): Not on Fridays.` */
export function hookEnded({ name, outcome, exitCode, ms, output }: HookEnd): EventText {
  const status = outcome === 'refused' ? 'blocked' : undefined;
  const level =
    outcome === 'cancelled' ? 'notice' : outcome === 'ok' ? (output.trim() === '' ? 'debug' : 'info') : 'warning';
  return { ...toolEnded({ title: name, end: { outcome, exitCode }, status, ms, output }), logger: 'hook', level };
}

/** Converts any tool output to text. */
export function outputText(output: unknown): string {
  if (typeof output === 'string') return output;
  if (Array.isArray(output)) {
    return output
      .slice(0, 50)
      .map((part) => partText(objectOf(part)))
      .join(' ');
  }
  return output === undefined || output === null ? '' : boundedJson(output, 1000);
}

function partText(part: JsonObject): string {
  const { text } = part;
  if (typeof text === 'string') return text;
  return `(${oneLine(textOf(part['type']) ?? 'something', 60)})`;
}

function tellingArgument(input: JsonObject): [string, string] | undefined {
  for (const name of tellingNames) {
    const value = Object.hasOwn(input, name) ? input[name] : undefined;
    if (typeof value === 'string' && value !== '') return [name, value];
    // Codex and others may send a command as a list of words.
    if (Array.isArray(value) && name === 'command') return [name, value.slice(0, 100).map(wordText).join(' ')];
  }
  return undefined;
}

/** A word of a command. Objects are skipped; their `toString` may not be a function. */
function wordText(word: unknown): string {
  return typeof word === 'string' ? word : boundedJson(word, 200);
}
