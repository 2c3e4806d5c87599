import { isObject } from '../../protocols/json';
import type { PageMessage } from './messages';
import { maxFilter, maxRows, maxState, recordActions } from './messages';
import { wireOrders } from './wire/wireMessages';

const maxDepth = 256;
const maxSeqs = 1000;
const maxSpanId = 40;
const maxBuckets = 400;

/** Validates a message of the page; `undefined` if it doesn't follow the protocol. */
export function parseMessage(value: unknown): PageMessage | undefined {
  if (!isObject(value)) return undefined;
  const { gen, seq } = value;
  switch (value['t']) {
    case 'ready':
      return isCount(value['v']) && isText(value['state'], maxState)
        ? { t: 'ready', v: value['v'], state: value['state'] }
        : undefined;
    case 'state':
      return isText(value['state'], maxState) ? { t: 'state', state: value['state'] } : undefined;
    case 'query':
      return isCount(gen) && isText(value['q'], maxFilter) ? { t: 'query', gen, q: value['q'] } : undefined;
    case 'rows':
      return isCount(gen) && isCount(value['from']) && isCount(value['count']) && value['count'] <= maxRows
        ? { t: 'rows', gen, from: value['from'], count: value['count'] }
        : undefined;
    case 'counts':
      return isCount(gen) && isCount(value['buckets']) && value['buckets'] > 0 && value['buckets'] <= maxBuckets
        ? { t: 'counts', gen, buckets: value['buckets'] }
        : undefined;
    case 'details':
    case 'raw':
      return isCount(seq) ? { t: value['t'], seq } : undefined;
    case 'tree':
      return isCount(seq) && isPath(value['path']) && isCount(value['from'])
        ? { t: 'tree', seq, path: value['path'], from: value['from'] }
        : undefined;
    case 'value':
      return isCount(seq) && isPath(value['path']) ? { t: 'value', seq, path: value['path'] } : undefined;
    default:
      return parseCommand(value);
  }
}

function parseCommand(value: Readonly<Record<string, unknown>>): PageMessage | undefined {
  const { gen, seq } = value;
  switch (value['t']) {
    case 'next': {
      const { dir, what } = value;
      const isNext =
        isCount(gen) && isCount(seq) && (dir === 1 || dir === -1) && (what === 'problem' || what === 'session');
      return isNext ? { t: 'next', gen, seq, dir, what } : undefined;
    }
    case 'locate':
      return isCount(gen) && isCount(seq) ? { t: 'locate', gen, seq } : undefined;
    case 'complete':
      return isText(value['text'], maxFilter) && isCount(value['caret'])
        ? { t: 'complete', text: value['text'], caret: value['caret'] }
        : undefined;
    case 'act': {
      const name = recordActions.find((known) => known === value['name']);
      return name !== undefined && isSeqs(value['seqs']) ? { t: 'act', name, seqs: value['seqs'] } : undefined;
    }
    case 'turns':
      return { t: 'turns' };
    case 'compare':
      return isText(value['id'], maxSpanId) ? { t: 'compare', id: value['id'] } : undefined;
    case 'export':
      return isCount(gen) ? { t: 'export', gen } : undefined;
    default:
      return parseWireQuestion(value);
  }
}

function parseWireQuestion(value: Readonly<Record<string, unknown>>): PageMessage | undefined {
  const { t, gen, row, seq, q, from, count, text, caret } = value;
  switch (t) {
    case 'wire': {
      const order = wireOrders.find((known) => known === value['order']);
      return isCount(gen) && isText(q, maxFilter) && order !== undefined ? { t, gen, q, order } : undefined;
    }
    case 'wireRows':
      return isCount(gen) && isCount(from) && isCount(count) && count <= maxRows ? { t, gen, from, count } : undefined;
    case 'wireBody':
    case 'wireCopy':
      return isCount(row) ? { t, row } : undefined;
    case 'wireLocate':
      return isCount(gen) && isCount(seq) ? { t, gen, seq } : undefined;
    case 'wireComplete':
      return isText(text, maxFilter) && isCount(caret) ? { t, text, caret } : undefined;
    default:
      return undefined;
  }
}

/** A whole number from 0. */
function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isText(value: unknown, max: number): value is string {
  return typeof value === 'string' && value.length <= max;
}

function isPath(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.length <= maxDepth && value.every(isCount);
}

function isSeqs(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.length <= maxSeqs && value.every(isCount);
}
