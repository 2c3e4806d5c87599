import { isObject } from '../../log/json';
import { wireOrders } from '../../runs/explorer/wire/wirePage';
import type { PageMessage } from './messages';
import { maxFilter, maxRows, maxState, recordActions } from './messages';

const maxDepth = 256;
const maxSeqs = 1000;
const maxSpanId = 40;
const maxBuckets = 400;

type Check<Value> = (value: unknown) => value is Value;
type Checks<Message> = { readonly [Name in keyof Omit<Message, 't'>]: Check<Message[Name]> };

/** The fields of each message. */
const messages: { readonly [T in PageMessage['t']]: Checks<PageMessage & { readonly t: T }> } = {
  ready: { v: isCount, state: textOf(maxState) },
  state: { state: textOf(maxState) },
  query: { gen: isCount, q: textOf(maxFilter) },
  rows: { gen: isCount, from: isCount, count: upTo(maxRows) },
  counts: { gen: isCount, buckets: upTo(maxBuckets, 1) },
  details: { seq: isCount },
  raw: { seq: isCount },
  tree: { seq: isCount, path: countsOf(maxDepth), from: isCount },
  value: { seq: isCount, path: countsOf(maxDepth) },
  next: { gen: isCount, seq: isCount, dir: oneOf([1, -1]), what: oneOf(['problem', 'session']) },
  locate: { gen: isCount, seq: isCount },
  complete: { text: textOf(maxFilter), caret: isCount },
  act: { name: oneOf(recordActions), seqs: countsOf(maxSeqs) },
  export: { gen: isCount },
  turns: {},
  compare: { id: textOf(maxSpanId) },
  wire: { gen: isCount, q: textOf(maxFilter), order: oneOf(wireOrders), row: orNull(isCount) },
  wireRows: { gen: isCount, from: isCount, count: upTo(maxRows) },
  wireBody: { row: isCount },
  wireCopy: { row: isCount },
  wireLocate: { gen: isCount, seq: isCount },
  wireNext: { gen: isCount, index: orNull(isCount), dir: oneOf([1, -1]), what: oneOf(['problem', 'session']) },
  turnCopy: { id: textOf(maxSpanId) },
  wireComplete: { text: textOf(maxFilter), caret: isCount },
};

/** Validates a message of the page; `undefined` if it doesn't follow the protocol. */
export function parseMessage(value: unknown): PageMessage | undefined {
  if (!isObject(value)) return undefined;
  const { t } = value;
  if (typeof t !== 'string' || !Object.hasOwn(messages, t)) return undefined;
  const checks: readonly (readonly [string, Check<unknown>])[] = Object.entries(messages[t as PageMessage['t']]);
  if (!checks.every(([name, isValid]) => isValid(value[name]))) return undefined;
  return Object.fromEntries([['t', t], ...checks.map(([name]) => [name, value[name]])]) as PageMessage;
}

/** A whole number from 0. */
function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function orNull<Value>(check: Check<Value>): Check<Value | null> {
  return (value): value is Value | null => value === null || check(value);
}

function upTo(max: number, least = 0): Check<number> {
  return (value): value is number => isCount(value) && value >= least && value <= max;
}

function textOf(max: number): Check<string> {
  return (value): value is string => typeof value === 'string' && value.length <= max;
}

function countsOf(max: number): Check<readonly number[]> {
  return (value): value is readonly number[] => Array.isArray(value) && value.length <= max && value.every(isCount);
}

function oneOf<const Value>(values: readonly Value[]): Check<Value> {
  return (value): value is Value => (values as readonly unknown[]).includes(value);
}
