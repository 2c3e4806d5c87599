import type { FetchLike } from '@modelcontextprotocol/client';
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream';
import { constants as zlib, createBrotliDecompress, createUnzip } from 'node:zlib';

/** Idle time before the operating system sends keep-alive probes, in milliseconds. */
const probeDelay = 60_000;

/**
 * `fetch` without a timeout. Node's own gives up after five minutes without headers or body, and VS Code replaces any dispatcher that
 * would change that. Node's `http` has no such limit, and VS Code patches it for proxies and certificates just like `fetch`. Callers
 * handle redirects.
 */
export const patientFetch: FetchLike = (url, init = {}) =>
  new Promise((resolve, reject) => {
    const request = begin(new URL(url), {
      method: init.method ?? 'GET',
      headers: headersFor(init.headers),
      ...(init.signal && { signal: init.signal }),
    });
    request.on('error', reject);
    // For example after a protocol upgrade, which Node reports in no other way.
    request.on('close', () => reject(new Error('the connection was closed')));
    request.on('response', (message) => {
      try {
        resolve(responseOf(message, init.signal));
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
        request.destroy();
      }
    });
    request.setSocketKeepAlive(true, probeDelay);
    request.shouldKeepAlive = false; // The server may close a kept connection just as we write to it.
    request.end(typeof init.body === 'string' ? init.body : undefined);
  });

type Signal = AbortSignal | null | undefined;

function begin(url: URL, options: RequestOptions): ClientRequest {
  return url.protocol === 'https:' ? requestHttps(url, options) : requestHttp(url, options);
}

function headersFor(given: ConstructorParameters<typeof Headers>[0]): Record<string, string> {
  return {
    accept: '*/*',
    'user-agent': 'node', // Like Node's own `fetch`; some gateways reject requests without one.
    ...Object.fromEntries(new Headers(given)),
    'accept-encoding': 'identity', // Compression would delay events.
  };
}

/** @throws if a `Response` can't have the status */
function responseOf(message: IncomingMessage, signal: Signal): Response {
  const { statusCode: status = 0, statusMessage = '', rawHeaders } = message;
  if (status < 200 || status > 599) throw new Error(`the answer has the status ${status}, which HTTP does not know`);
  const headers = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  const hasBody = status !== 204 && status !== 205 && status !== 304;
  if (!hasBody) message.resume();
  return new Response(hasBody ? bodyOf(message, signal) : null, { status, statusText: statusMessage, headers });
}

/** Decompresses a body: gateways may compress it although we asked them not to (RFC 9110, section 12.5.3). */
function decoded(message: IncomingMessage): Readable {
  const decoder = decoderFor(message.headers['content-encoding']?.toLowerCase());
  // The reader gets the error.
  return decoder ? pipeline(message, decoder, () => undefined) : message;
}

function decoderFor(coding: string | undefined): Transform | undefined {
  const flushed = { flush: zlib.Z_SYNC_FLUSH, finishFlush: zlib.Z_SYNC_FLUSH };
  if (coding === 'gzip' || coding === 'x-gzip' || coding === 'deflate') return createUnzip(flushed);
  const flushedBrotli = { flush: zlib.BROTLI_OPERATION_FLUSH, finishFlush: zlib.BROTLI_OPERATION_FLUSH };
  return coding === 'br' ? createBrotliDecompress(flushedBrotli) : undefined;
}

/** Reads only on demand; cancelling it closes the connection. */
function bodyOf(message: IncomingMessage, signal: Signal): ReadableStream<Uint8Array> {
  const chunks = decoded(message)[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await chunks.next();
        // An aborted body looks complete if the connection marks its end.
        signal?.throwIfAborted();
        if (next.done === true) controller.close();
        else controller.enqueue(next.value);
      },
      cancel: () => void message.destroy(),
    },
    { highWaterMark: 0 },
  );
}
