import { deepJson } from '../../text/jsonText';
import { boundedJson } from '../../text/boundedJson';
import { ownCopy, ownHead } from '../../text/ownText';
import type { FileChange } from '../changes/fileChange';
import { changesOfInput } from '../changes/inputChanges';
import { inputDigest } from './inputDigest';

/** What is kept of a text, in UTF-16 units. */
const maxText = 2000;

/** The arguments or the result of a tool call. */
export interface CallText {
  readonly text: string;
  /** UTF-16 units that were cut off. */
  readonly missing: number;
}

/** The input of a tool call, as facts have it. */
export interface ToolInput {
  /** Stands for it: see `inputDigest`. */
  readonly input?: string | undefined;
  /** For display. */
  readonly args?: CallText | undefined;
  /** The files that it changes unless it fails. */
  readonly changes?: readonly FileChange[] | undefined;
}

/** @param name the tool's */
export function toolInput(input: unknown, name?: string): ToolInput {
  return { input: inputDigest(input), args: argumentsText(input), changes: changesOfInput(name, input) };
}

/** Arguments as JSON. */
export function argumentsText(input: unknown): CallText | undefined {
  if (input === undefined || input === null) return undefined;
  if (typeof input === 'string') return callText(input);
  const text = ownCopy(boundedJson(input, maxText));
  return { text, missing: text.endsWith('…') ? Math.max(1, lengthOf(input) - text.length + 1) : 0 };
}

/** The longest of the texts, because some agents report a result twice: in short, and as it was. */
export function callText(...texts: readonly (string | undefined)[]): CallText | undefined {
  let longest = '';
  for (const text of texts) if (text !== undefined && text.length > longest.length) longest = text;
  const text = longest.trim();
  if (text === '') return undefined;
  const kept = ownCopy(ownHead(text, maxText));
  return { text: kept, missing: text.length - kept.length };
}

export function wholeLength({ text, missing }: CallText): number {
  return Math.min(text.length, maxText) + missing;
}

function lengthOf(input: unknown): number {
  try {
    return deepJson(input).length;
  } catch {
    // Circular, from another extension.
    return 0;
  }
}
