import type { FetchLike } from '../mcpLibrary';
import { anySignal } from './anySignal';
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
