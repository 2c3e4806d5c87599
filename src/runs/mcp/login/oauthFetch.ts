import type { FetchLike } from '@modelcontextprotocol/client';
import { readBeginning, withBody } from '../http/httpBody';

/** In milliseconds; these are small documents. */
const timeout = 30_000;
const maxBytes = 1024 * 1024;

/** `fetch` for metadata and tokens: bounded in time and size, and not logged, because most of it is secret. */
export function oauthFetch(signal: AbortSignal): FetchLike {
  return async (url, init) => {
    const limited = anySignal(signal, AbortSignal.timeout(timeout));
    const response = await fetch(url, { ...init, signal: limited });
    return response.body ? withBody(response, await readBeginning(response.body, maxBytes, timeout)) : response;
  };
}

/** Aborts with the first of several signals. `AbortSignal.any` may be garbage-collected before it aborts (nodejs/node#54614). */
export function anySignal(...signals: readonly AbortSignal[]): AbortSignal {
  const controller = new AbortController();
  for (const signal of signals) {
    if (signal.aborted) controller.abort(signal.reason);
    else signal.addEventListener('abort', () => controller.abort(signal.reason), { once: true });
  }
  return controller.signal;
}
