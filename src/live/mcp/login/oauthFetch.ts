import type { FetchLike } from '@modelcontextprotocol/client';
import { readBeginning, withBody } from '../http/httpBody';
import type { AddressGuard } from '../../addresses';

/** In milliseconds; these are small documents. */
const timeout = 30_000;
const maxBytes = 1024 * 1024;

/**
 * `fetch` for metadata, registration and tokens: bounded in time and size, and not logged, because most of it is secret. The servers name
 * these addresses, so each is checked first. Redirects are left to the caller, which checks where they lead by fetching it here.
 */
export function oauthFetch(signal: AbortSignal, guard: AddressGuard): FetchLike {
  return async (url, init) => {
    const limited = anySignal(signal, AbortSignal.timeout(timeout));
    await unlessAborted(guard.check(new URL(url)), limited);
    const response = await fetch(url, { ...init, redirect: 'manual', signal: limited });
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

/** Stops waiting for work when the signal aborts. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | null | undefined): Promise<T> {
  if (!signal) return work;
  signal.throwIfAborted();
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort);
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
