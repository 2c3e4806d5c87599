import type { Words } from '../text/translator';
import { t } from '../text/translator';
import { isHeader } from '../live/config/launchSpec';
import { isObject } from '../text/json';

/** Where to export records, according to the settings. */
export type OtlpTarget =
  | { readonly type: 'off' }
  /** `headers` are sent with every request. */
  | (Omit<OtlpUrls, 'type'> & { readonly type: 'on'; readonly headers: Readonly<Record<string, string>> })
  /** What is wrong with the settings and how to fix it. */
  | { readonly type: 'invalid'; readonly message: Words };

interface OtlpUrls {
  readonly type: 'valid';
  /** For logs. */
  readonly url: string;
  readonly tracesUrl: string;
  readonly metricsUrl: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the settings `agentLogs.otlp.endpoint` and `agentLogs.otlp.headers`. Replaces `${env:NAME}`, with nothing if the variable isn't
 * set.
 */
export function otlpTarget(endpoint: unknown, headers: unknown, env: Environment): OtlpTarget {
  if (endpoint !== undefined && typeof endpoint !== 'string') {
    return invalid(t('{0} must be a URL.', 'agentLogs.otlp.endpoint'));
  }
  const text = substitute(endpoint ?? '', env).trim();
  if (text === '') return { type: 'off' };
  const urls = otlpUrls(text, { address: 'agentLogs.otlp.endpoint', headers: 'agentLogs.otlp.headers' });
  if (urls.type === 'invalid') return invalid(urls.message);
  if (!areHeaders(headers)) {
    return invalid(
      t(
        'agentLogs.otlp.headers must be an object of strings, such as {0}.',
        '{ "Authorization": "Bearer ${env:MY_TOKEN}" }',
      ),
    );
  }
  const named = Object.entries(headers ?? {}).map(([name, value]) => [name, substitute(value, env).trim()] as const);
  const invalidHeader = named.find(([name, value]) => !isHeader(name, value));
  if (invalidHeader) {
    return invalid(
      t("The header '{0}' in agentLogs.otlp.headers has a name or value that HTTP doesn't allow.", invalidHeader[0]),
    );
  }
  return { ...urls, type: 'on', headers: Object.fromEntries(named) };
}

/**
 * The endpoints of a collector's signals. As with OTEL_EXPORTER_OTLP_ENDPOINT, `/v1/logs` and the like are appended to the path,
 * unless `/v1/logs` is already there.
 * @param names of the settings, options or variables for the address and the headers
 */
export function otlpUrls(
  text: string,
  names: { readonly address: string; readonly headers: string },
): OtlpUrls | { readonly type: 'invalid'; readonly message: Words } {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    const message = t('{0} must be an http:// or https:// URL, such as http://127.0.0.1:4318.', names.address);
    return { type: 'invalid', message };
  }
  if (url.username !== '' || url.password !== '') {
    const { address, headers } = names;
    return {
      type: 'invalid',
      message: t(
        '{0} contains a user name or password. Set an `Authorization` header in {1} instead.',
        address,
        headers,
      ),
    };
  }
  return {
    type: 'valid',
    url: signalUrl(url, 'logs'),
    tracesUrl: signalUrl(url, 'traces'),
    metricsUrl: signalUrl(url, 'metrics'),
  };
}

/** The URL without its query, which may contain a key. */
export function shownUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

function areHeaders(headers: unknown): headers is Record<string, string> | null | undefined {
  if (headers === undefined || headers === null) return true;
  return isObject(headers) && Object.values(headers).every((value) => typeof value === 'string');
}

function signalUrl({ href }: URL, signal: 'logs' | 'traces' | 'metrics'): string {
  const url = new URL(href);
  url.pathname = `${url.pathname.replace(/\/+$/, '').replace(/\/v1\/logs$/, '')}/v1/${signal}`;
  url.hash = '';
  return url.href;
}

function substitute(text: string, env: Environment): string {
  return text.replace(/\$\{env:([^}]*)\}/g, (_, name: string) => env[name] ?? '');
}

function invalid(what: Words): OtlpTarget {
  return { type: 'invalid', message: t('{0} No records are exported.', what) };
}
