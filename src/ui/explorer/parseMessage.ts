import { isObject } from '../../log/json';
import type { PageMessage } from './messages';
import { pageMessages } from './messages';

/** Validates a message of the page; `undefined` if it isn't in the list, or one of its fields isn't valid. */
export function parseMessage(value: unknown): PageMessage | undefined {
  if (!isObject(value)) return undefined;
  const { t } = value;
  if (typeof t !== 'string' || !Object.hasOwn(pageMessages, t)) return undefined;
  const checks = Object.entries<(field: unknown) => boolean>(pageMessages[t as PageMessage['t']]);
  if (!checks.every(([name, isValid]) => isValid(value[name]))) return undefined;
  return Object.fromEntries([['t', t], ...checks.map(([name]) => [name, value[name]])]) as PageMessage;
}
