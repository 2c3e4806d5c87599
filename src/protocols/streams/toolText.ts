import { boundedJson } from '../../log/boundedJson';
import { duration, oneLine } from '../../log/text';
import type { JsonObject } from '../json';
import { isObject, objectOf, textOf } from '../json';
import type { EventText } from './eventText';
import type { ToolCall } from './toolCalls';

/** What a person would look for in a tool's input, the most telling first. */
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

/** `Bash: npm test`: the tool and what it works on, uncut. */
export function toolTitle(name: string, input: unknown): string {
  const telling = tellingArgument(objectOf(input));
  return telling === undefined ? name : `${name}: ${telling[1]}`;
}

/** The tool's use, with the rest of its input as data. */
export function toolStarted(name: string, input: unknown): EventText {
  const told = tellingArgument(objectOf(input))?.[0];
  const rest = isObject(input) ? Object.entries(input).filter(([field]) => field !== told) : [];
  const other = isObject(input) || input === undefined || input === null ? undefined : input;
  return {
    level: 'info',
    logger: 'tool',
    message: oneLine(toolTitle(name, input), 1000),
    ...(rest.length > 0 && { data: Object.fromEntries(rest) }),
    ...(other !== undefined && { data: other }),
  };
}

/** How a tool's use came out. */
export interface ToolOutcome {
  readonly title: string;
  readonly failed: boolean;
  readonly status?: string | undefined;
  readonly exitCode?: number | undefined;
  /** In milliseconds. */
  readonly ms?: number | undefined;
  readonly output: string;
}

/** `Bash: npm test (failed, exit 3, in 2.3 s): out err`: a tool that failed is a warning, since agents try again. */
export function toolEnded({ title, failed, status, exitCode, ms, output }: ToolOutcome): EventText {
  const isBad = failed || (exitCode !== undefined && exitCode !== 0);
  const state = [
    status ?? (failed ? 'failed' : 'completed'),
    ...(exitCode === undefined ? [] : [`exit ${exitCode}`]),
    ...(ms === undefined ? [] : [`in ${duration(ms)}`]),
  ].join(', ');
  const told = oneLine(output, isBad ? 1000 : 300);
  return {
    level: isBad ? 'warning' : 'info',
    logger: 'tool',
    message: `${oneLine(title, 200)} (${state})${told === '' ? '' : `: ${told}`}`,
  };
}

/** How long a call took by its own events; the times of arrival say nothing where a file is read. */
export function tookOf(call: ToolCall | undefined, time: number | undefined): number | undefined {
  return call?.startedAt === undefined || time === undefined ? undefined : Math.max(0, time - call.startedAt);
}

/** The text of a tool's output, whatever it is. */
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
    // Codex (and others) may have a command as a list of words.
    if (Array.isArray(value) && name === 'command') return [name, value.slice(0, 100).map(wordText).join(' ')];
  }
  return undefined;
}

/** A word of a command. An object is no word, and may have a `toString` that is no function. */
function wordText(word: unknown): string {
  return typeof word === 'string' ? word : boundedJson(word, 200);
}
