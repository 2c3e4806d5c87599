import { isObject, objectOf } from '../../protocols/json';

/** Where records are sent, as the settings say it. */
export type OtlpTarget =
  | { readonly type: 'off' }
  /** `url` is that of the collector's logs, `headers` go with every request. */
  | { readonly type: 'on'; readonly url: string; readonly headers: Readonly<Record<string, string>> }
  /** What is wrong with the settings, and what to do. */
  | { readonly type: 'invalid'; readonly message: string };

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the settings `agentLogs.otlp.endpoint` and `agentLogs.otlp.headers`; substitutes `${env:NAME}` (empty where there is no such
 * variable). As with OTEL_EXPORTER_OTLP_ENDPOINT, `/v1/logs` is added to the path; one that ends so stays as it is.
 */
export function otlpTarget(endpoint: unknown, headers: unknown, env: Environment): OtlpTarget {
  if (endpoint !== undefined && typeof endpoint !== 'string') return invalid('agentLogs.otlp.endpoint must be a URL.');
  const text = substitute(endpoint ?? '', env).trim();
  if (text === '') return { type: 'off' };
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const problem = urlProblem(url) ?? headersProblem(headers);
  if (problem !== undefined || !url) return invalid(problem ?? '');
  const named = Object.entries(objectOf(headers)).map(([name, value]): [string, string] => [
    name,
    substitute(value as string, env).trim(),
  ]);
  const refused = named.find(([name, value]) => !canBeSent(name, value));
  if (refused) {
    return invalid(`agentLogs.otlp.headers has "${refused[0]}", which cannot be sent: HTTP does not allow it.`);
  }
  return { type: 'on', url: logsUrl(url), headers: Object.fromEntries(named) };
}

/** The URL without its query, which may hold a key. */
export function shownUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

function urlProblem(url: URL | undefined): string | undefined {
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    return 'agentLogs.otlp.endpoint must be a URL of http:// or https://, such as http://127.0.0.1:4318.';
  }
  if (url.username !== '' || url.password !== '') {
    return 'agentLogs.otlp.endpoint has a name or password in it. Put an "Authorization" into agentLogs.otlp.headers instead.';
  }
  return undefined;
}

function headersProblem(headers: unknown): string | undefined {
  if (headers === undefined || headers === null) return undefined;
  return isObject(headers) && Object.values(headers).every((value) => typeof value === 'string')
    ? undefined
    : 'agentLogs.otlp.headers must be an object of strings: { "Authorization": "Bearer ${env:MY_TOKEN}" }.';
}

function logsUrl(url: URL): string {
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = path.endsWith('/v1/logs') ? path : `${path}/v1/logs`;
  url.hash = '';
  return url.href;
}

/** What HTTP allows in a header (RFC 9110, section 5). */
function canBeSent(name: string, value: string): boolean {
  return /^[!#$%&'*+.^_`|~\w-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
}

function substitute(text: string, env: Environment): string {
  return text.replace(/\$\{env:([^}]*)\}/g, (_, name: string) => env[name] ?? '');
}

function invalid(message: string): OtlpTarget {
  return { type: 'invalid', message: `${message} Until then no records are sent.` };
}
