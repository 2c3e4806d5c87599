import { oneLine } from '../../text/text';
import type { JsonObject, RequestId } from '../../text/json';
import { isObject, objectOf, requestIdOf, textOf, textsOf } from '../../text/json';
import type { OpenRequest } from '../../work/requests';

/** The parts of an open request's parameters that are kept; the parameters themselves may be large. */
export interface McpNoted {
  /** What the request is about: a tool's name, a resource's URI, a level. */
  readonly subject?: string;
  /** The protocol version that it requests or uses. */
  readonly version?: string;
  /** Since 2026-07-28 a request says whether its answer may be a task. */
  readonly allowsTask?: boolean;
}

/** Longer names are cut. */
const maxSubject = 200;
const maxVersion = 40;

/** The key of MCP's own fields in `_meta`. */
const prefix = 'io.modelcontextprotocol/';
/** The extension for requests whose answer may be a task. */
export const tasksExtension = `${prefix}tasks`;

/** A field that MCP reserves in `_meta` of parameters or results. */
export function metaField(fields: JsonObject, name: string): unknown {
  return objectOf(fields['_meta'])[`${prefix}${name}`];
}

export function progressTokenOf(params: unknown): RequestId | undefined {
  return requestIdOf(objectOf(objectOf(params)['_meta'])['progressToken']);
}

/** @param task what the task is about that the parameters name */
export function notedOf(params: unknown, task: string | undefined): McpNoted {
  const fields = objectOf(params);
  const ref = objectOf(fields['ref']);
  const { name, uri, level } = fields;
  const [subject] = textsOf(name, uri, level, task, ref['name'], ref['uri']);
  const [version] = textsOf(fields['protocolVersion'], metaField(fields, 'protocolVersion'));
  const capabilities = metaField(fields, 'clientCapabilities');
  const allowsTask = objectOf(objectOf(capabilities)['extensions'])[tasksExtension] !== undefined;
  return {
    ...(subject !== undefined && { subject: oneLine(subject, maxSubject) }),
    ...(version !== undefined && { version: version.slice(0, maxVersion) }),
    ...(isObject(capabilities) && { allowsTask }),
  };
}

/** The first version without a handshake. */
const firstStateless = '2026-07-28';

/** Whether a request is one of a version without a handshake, in which each request says what it asks for. */
export function isStateless(params: JsonObject): boolean {
  const version = textOf(metaField(params, 'protocolVersion'));
  return version !== undefined && version >= firstStateless;
}

/** The level from which on a request asks for logs. Versions with a handshake have no such field. */
export function levelOfRequest(params: JsonObject): string | undefined {
  return isStateless(params) ? textOf(metaField(params, 'logLevel')) : undefined;
}

export function versionOf({ noted }: OpenRequest): string | undefined {
  return textOf(objectOf(noted)['version']);
}

/** Tool calls, sampling and elicitation get short names, because users look for them. */
export function loggerOf({ method }: OpenRequest): string {
  switch (method) {
    case 'tools/call':
      return 'tool';
    case 'sampling/createMessage':
      return 'sampling';
    case 'elicitation/create':
      return 'elicitation';
    default:
      return method;
  }
}
