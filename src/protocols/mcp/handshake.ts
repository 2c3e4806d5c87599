import { boundedJson } from '../../text/boundedJson';
import { duration, oneLine } from '../../text/text';
import { methodNotFound } from '../../work/errorCodes';
import type { ExchangeText } from '../jsonrpc/exchangeText';
import { errorExchange, subjectOf } from '../jsonrpc/exchangeText';
import type { JsonObject } from '../../text/json';
import { arrayOf, isObject, objectOf, textOf, textsOf } from '../../text/json';
import type { OpenRequest } from '../../work/requests';
import type { RpcError } from '../../work/rpcError';
import { levelOfRequest, metaField, versionOf } from './subject';

/** Maximum number of supported versions that are listed. */
const maxSupported = 20;

/**
 * Tracks the MCP era in use and the other side. Up to 2025-11-25 `initialize` settles the version; since 2026-07-28 there is no
 * handshake: every request carries its version and log level in `_meta`, and `server/discover` lists the supported versions.
 */
export class Handshake {
  private inForce: string | undefined;
  private isStateless = false;
  /** The response to `server/discover`, or empty. */
  private supported: readonly string[] = [];
  private levelAsked: string | undefined;
  private logging = false;
  /** Reported refusals of `logging/setLevel`: whether the server doesn't know the request. */
  private readonly refusals = new Set<boolean>();

  /** Describes the log level in one of our requests, if it has changed. */
  asked(params: unknown): ExchangeText | undefined {
    const level = levelOfRequest(objectOf(params))?.slice(0, 40);
    if (level === undefined || level === this.levelAsked) return undefined;
    this.levelAsked = level;
    return {
      level: 'debug',
      logger: 'logging',
      message: `each request now asks for logs from ${oneLine(level, 40)} on`,
    };
  }

  /** The answer to `initialize`. */
  initialized(request: OpenRequest, result: JsonObject, ms: number): ExchangeText {
    this.noteCapabilities(result);
    const version = textOf(result['protocolVersion']);
    this.inForce = version?.slice(0, 40);
    this.isStateless = false;
    const asked = versionOf(request);
    const other = asked === undefined || asked === version ? '' : ` (${oneLine(asked, 40)} was asked for)`;
    const words = [
      serverName(result),
      `protocol version ${version === undefined ? boundedJson(result['protocolVersion'] ?? null, 40) : oneLine(version, 40)}${other}`,
      offers(result),
    ];
    return lifecycle(`initialized in ${duration(ms)}: ${joined(words)}`);
  }

  /** The answer to `server/discover`. */
  discovered(request: OpenRequest, result: JsonObject, ms: number): ExchangeText {
    this.noteCapabilities(result);
    this.supported = arrayOf(result['supportedVersions'])
      .slice(0, maxSupported)
      .flatMap((version) => textOf(version)?.slice(0, 40) ?? []);
    const agreed = this.supported.find((version) => version === versionOf(request));
    const others = this.supported.filter((version) => version !== agreed).join(', ');
    if (agreed !== undefined) this.enter(agreed);
    const words = [
      serverName(result),
      agreed === undefined ? undefined : versionInForce(agreed),
      others === '' ? undefined : `${agreed === undefined ? '' : 'also '}supports ${others}`,
      offers(result),
    ];
    return lifecycle(`discovered in ${duration(ms)}: ${oneLine(joined(words), 1000)}`);
  }

  /** Any other response: it may show which version is in use. */
  answered(request: OpenRequest, result: JsonObject): ExchangeText | undefined {
    const version = versionOf(request);
    // Older servers ignore unknown fields, and send no `resultType`.
    if (version === undefined || version === this.inForce || textOf(result['resultType']) === undefined) {
      return undefined;
    }
    // Some servers ignore the version once they know the client.
    if (this.supported.length > 0 && !this.supported.includes(version)) return undefined;
    this.enter(version);
    return lifecycle(joined([serverName(result), versionInForce(version)]));
  }

  levelSet(request: OpenRequest, ms: number): ExchangeText {
    const message = `logs from ${subjectOf(request) ?? 'an unnamed level'} on (answered in ${duration(ms)})`;
    return { level: 'info', logger: request.method, message };
  }

  /**
   * Some servers declare logging but don't know `logging/setLevel`, or refuse valid levels. That is reported once, and not as an error, because
   * they still send logs.
   */
  levelRefused(request: OpenRequest, error: RpcError): ExchangeText {
    const isUnknown = error.code === methodNotFound;
    // Versions since 2026-07-28 don't have this request.
    const isPromised = this.logging && !this.isStateless;
    const what = isUnknown
      ? `${isPromised ? 'the server declares logging, but its level' : 'the level of this server'} cannot be set`
      : `the server refused the level ${subjectOf(request) ?? '(none)'}`;
    const isNews = !this.refusals.has(isUnknown);
    this.refusals.add(isUnknown);
    return errorExchange(isNews && (isPromised || !isUnknown) ? 'warning' : 'debug', request.method, what, error);
  }

  private enter(version: string): void {
    this.inForce = version;
    this.isStateless = true;
  }

  private noteCapabilities(result: JsonObject): void {
    this.logging = isObject(objectOf(result['capabilities'])['logging']);
  }
}

function versionInForce(version: string): string {
  return `protocol version ${oneLine(version, 40)} is in force (stateless)`;
}

function serverName(result: JsonObject): string | undefined {
  const meta = metaField(result, 'serverInfo');
  const info = objectOf(isObject(meta) ? meta : result['serverInfo']);
  const name = textOf(info['title']) ?? textOf(info['name']);
  const version = textOf(info['version']);
  if (name === undefined) return undefined;
  return `${oneLine(name, 100)}${version === undefined ? '' : ` ${oneLine(version, 40)}`}`;
}

function offers(result: JsonObject): string {
  const names = Object.keys(objectOf(result['capabilities']));
  return names.length === 0 ? 'offers nothing' : `offers ${oneLine(names.slice(0, 50).join(', '), 300)}`;
}

function joined(words: readonly (string | undefined)[]): string {
  return textsOf(...words).join(', ');
}

function lifecycle(message: string): ExchangeText {
  return { level: 'info', kind: 'lifecycle', message };
}
