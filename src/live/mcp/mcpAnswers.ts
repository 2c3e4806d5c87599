import type { JsonObject } from '../../text/json';
import { isObject, objectOf, textOf } from '../../text/json';

/** Key of the server's name and version in the response to `server/discover` (MCP 2026-07-28 "Discovery"). */
const serverInfoKey = 'io.modelcontextprotocol/serverInfo';

/** Capabilities, grouped by the type of value that the MCP library expects in them. */
const capabilitiesOfFlags = ['prompts', 'resources', 'tools'] as const;
const capabilitiesOfObjects = ['experimental', 'extensions'] as const;
const capabilitiesOfAnything = ['logging', 'completions'] as const;

/**
 * Rewrites a result so that the MCP library accepts it. The library (2.4) validates `initialize`, `server/discover` and every result of
 * 2026-07-28 strictly, and callers can't change that: a single `null` field would make a server, all its tools, or the result of a
 * finished tool unusable. The log keeps the original.
 */
export function acceptable(method: string, result: JsonObject): JsonObject {
  switch (method) {
    case 'initialize':
      return greeting(result);
    case 'server/discover':
      return discovery(result);
    case 'tools/list':
      return toolList(result);
    case 'tools/call':
      // The caller gets the original result; the library only has to see requests for input.
      return asksForInput(result) ? result : { resultType: 'complete', content: [] };
    case 'logging/setLevel':
      return {};
    case 'tasks/get':
    case 'tasks/update':
    case 'tasks/cancel':
      return { ...result, resultType: 'complete' };
    default:
      return result;
  }
}

function greeting({ protocolVersion, capabilities, serverInfo, instructions }: JsonObject): JsonObject {
  return {
    protocolVersion,
    capabilities: capabilitiesIn(capabilities),
    serverInfo: implementation(objectOf(serverInfo)),
    ...texts({ instructions }),
  };
}

/** Servers that don't know `server/discover` may answer anything; those that know it list versions. */
function discovery(result: JsonObject): JsonObject {
  const { supportedVersions, capabilities, instructions, ttlMs, cacheScope, _meta } = result;
  if (!Array.isArray(supportedVersions)) return result;
  const serverInfo = objectOf(_meta)[serverInfoKey];
  return {
    resultType: 'complete',
    supportedVersions: supportedVersions.filter((version) => typeof version === 'string'),
    capabilities: capabilitiesIn(capabilities),
    ...caching(ttlMs, cacheScope),
    ...texts({ instructions }),
    ...(isObject(serverInfo) && { _meta: { [serverInfoKey]: implementation(serverInfo) } }),
  };
}

function implementation(info: JsonObject): JsonObject {
  const { name, version, title, description, websiteUrl } = info;
  return {
    name: textOf(name) ?? '',
    version: typeof version === 'number' ? String(version) : (textOf(version) ?? ''),
    ...texts({ title, description, websiteUrl }),
  };
}

function capabilitiesIn(given: unknown): JsonObject {
  const capabilities = objectOf(given);
  const taken: Record<string, unknown> = {};
  const take = (names: readonly string[], isPart: (part: unknown) => boolean): void => {
    for (const name of names) {
      const capability = capabilities[name];
      // Some servers send `true` instead of an object.
      if (capability === true) taken[name] = {};
      if (!isObject(capability)) continue;
      taken[name] = Object.fromEntries(Object.entries(capability).filter(([, part]) => isPart(part)));
    }
  };
  take(capabilitiesOfFlags, (part) => typeof part === 'boolean');
  take(capabilitiesOfObjects, isObject);
  take(capabilitiesOfAnything, () => true);
  return taken;
}

function toolList(result: JsonObject): JsonObject {
  const { tools, nextCursor, ttlMs, cacheScope } = result;
  if (!Array.isArray(tools)) return result;
  return {
    resultType: 'complete',
    ...caching(ttlMs, cacheScope),
    tools: tools.filter(isObject).flatMap(tool),
    ...texts({ nextCursor }),
  };
}

/** Drops the output schema, against which the library would validate results, and tools without a name. */
function tool({ name, title, description, inputSchema }: JsonObject): JsonObject[] {
  if (typeof name !== 'string') return [];
  return [{ name, ...texts({ title, description }), inputSchema: argumentsSchema(objectOf(inputSchema)) }];
}

function argumentsSchema({ properties, required, $schema, ...rest }: JsonObject): JsonObject {
  return {
    ...rest,
    type: 'object',
    ...(isObject(properties) && { properties }),
    ...(Array.isArray(required) && { required: required.filter((name) => typeof name === 'string') }),
    ...texts({ $schema }),
  };
}

/** Whether a result only asks for input (MCP 2026-07-28 "Multi Round-Trip Requests"). */
function asksForInput({ resultType, inputRequests, requestState }: JsonObject): boolean {
  return resultType === 'input_required' && (isObject(inputRequests) || typeof requestState === 'string');
}

function caching(ttlMs: unknown, cacheScope: unknown): JsonObject {
  return {
    ttlMs: typeof ttlMs === 'number' && Number.isSafeInteger(ttlMs) && ttlMs >= 0 ? ttlMs : 0,
    cacheScope: cacheScope === 'public' ? 'public' : 'private',
  };
}

/** The fields that are strings. */
function texts(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => typeof value === 'string'));
}
