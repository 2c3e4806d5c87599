import { objectOf } from '../../text/json';
import { parsedJson } from '../../text/jsonText';
import type { CallText } from '../../work/tools/callText';
import { wholeLength } from '../../work/tools/callText';
import { inputDigest } from '../../work/tools/inputDigest';
import type { Outcome } from '../../work/outcome';
import { jitter } from './resolveCalls';

/** A tool call of an agent, or its request to a server. Times are in milliseconds since the epoch. */
export interface CallEnd {
  /** The tool's name, or the title of the call if its agent has no name for it. */
  readonly name: string;
  readonly args: CallText | undefined;
  readonly result: CallText | undefined;
  readonly startedAt: number;
  readonly endedAt: number | undefined;
  readonly outcome: Outcome | undefined;
}

/** What differs between what an agent asked and got, and what the server got and answered. */
export type Loss =
  | { readonly type: 'name'; readonly asked: string; readonly got: string }
  /** `fields`: the arguments that aren't the same, at most a few; empty if it isn't known which. */
  | { readonly type: 'arguments'; readonly fields: readonly FieldChange[] }
  | { readonly type: 'arguments-unknown' }
  /** In UTF-16 units. */
  | { readonly type: 'result-cut' | 'result-changed'; readonly kept: number; readonly of: number }
  | { readonly type: 'result-unknown' }
  /** The server failed, and the agent reported success; or the other way round. */
  | { readonly type: 'outcome'; readonly isServers: boolean }
  /** How long the call waited in the agent, in milliseconds. */
  | { readonly type: 'waited'; readonly before: number; readonly after: number | undefined }
  /** The agent reported the call after the request had been made. */
  | { readonly type: 'late'; readonly by: number };

export interface FieldChange {
  readonly name: string;
  readonly how: 'changed' | 'removed' | 'added';
}

const maxFields = 20;
const maxName = 80;
/** How much of the beginning of a long result has to be the same, in UTF-16 units. */
const headLength = 200;

/**
 * Compares a call with the requests that it caused, oldest first: the last of them answered it.
 * @throws RangeError if there is none
 */
export function lossesOf(call: CallEnd, requests: readonly CallEnd[]): readonly Loss[] {
  const [first, last = first] = [requests[0], requests.at(-1)];
  if (!first || !last) throw new RangeError('No request.');
  return [
    ...(call.name === last.name ? [] : [{ type: 'name', asked: call.name, got: last.name } as const]),
    ...argumentsLost(call, last),
    ...resultLost(call, last),
    ...outcomeLost(call, last),
    ...waiting(call, first, last),
  ];
}

function argumentsLost({ args }: CallEnd, { args: got }: CallEnd): readonly Loss[] {
  if (!args) return isEmpty(got) ? [] : [{ type: 'arguments-unknown' }];
  if (args.text === got?.text && args.missing === got.missing) return [];
  if (args.missing > 0 || (got && got.missing > 0)) {
    // Of long arguments, the order of the fields may differ.
    const isSame = got && wholeLength(args) === wholeLength(got);
    return isSame ? [] : [{ type: 'arguments', fields: [] }];
  }
  const fields = changes(objectOf(parsedJson(args.text)), objectOf(parsedJson(got?.text ?? '{}')));
  return fields.length === 0 ? [] : [{ type: 'arguments', fields }];
}

function changes(asked: Readonly<Record<string, unknown>>, got: Readonly<Record<string, unknown>>): FieldChange[] {
  const names = [...new Set([...Object.keys(asked), ...Object.keys(got)])];
  const changed = names.flatMap((name): FieldChange[] => {
    const how = !(name in got) ? 'removed' : !(name in asked) ? 'added' : 'changed';
    if (how === 'changed' && inputDigest([asked[name]]) === inputDigest([got[name]])) return [];
    return [{ name: name.slice(0, maxName), how }];
  });
  return changed.slice(0, maxFields);
}

function isEmpty(args: CallText | undefined): boolean {
  return !args || args.text === '{}';
}

function resultLost({ result, endedAt }: CallEnd, { result: sent }: CallEnd): readonly Loss[] {
  if (!sent || endedAt === undefined) return [];
  if (!result) return [{ type: 'result-unknown' }];
  const [kept, of] = [wholeLength(result), wholeLength(sent)];
  if (kept < of) return [{ type: 'result-cut', kept, of }];
  // The agent may have put something around it.
  const head = sent.missing > 0 ? sent.text.slice(0, headLength) : sent.text;
  const isWhole = words(result.text).includes(words(head).slice(0, result.missing > 0 ? headLength : Infinity));
  return isWhole ? [] : [{ type: 'result-changed', kept, of }];
}

/** Agents put other characters between the parts of a result. */
function words(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function outcomeLost({ outcome }: CallEnd, { outcome: atServer }: CallEnd): readonly Loss[] {
  const isLost = (outcome === 'ok' && atServer === 'error') || (outcome === 'error' && atServer === 'ok');
  return isLost ? [{ type: 'outcome', isServers: atServer === 'error' }] : [];
}

function waiting(call: CallEnd, first: CallEnd, last: CallEnd): readonly Loss[] {
  const before = first.startedAt - call.startedAt;
  if (before < -jitter) return [{ type: 'late', by: -before }];
  const isOver = call.endedAt !== undefined && last.endedAt !== undefined;
  return [
    {
      type: 'waited',
      before: Math.max(0, before),
      after: isOver ? Math.max(0, call.endedAt - last.endedAt) : undefined,
    },
  ];
}
