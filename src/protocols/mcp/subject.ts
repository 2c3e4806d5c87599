import { oneLine } from '../../log/text';
import type { JsonObject, RequestId } from '../json';
import { objectOf, requestIdOf, textOf } from '../json';
import type { OpenRequest } from '../jsonrpc/requests';

/** What is remembered of an open request's parameters, which may be large. */
export interface McpNoted {
  /** What the request is about: a tool's name, a resource's URI, a level. */
  readonly subject?: string;
  /** The protocol version that it asks for, or goes by. */
  readonly version?: string;
}

/** A name longer than this is cut. */
const maxSubject = 200;
const maxVersion = 40;

/** The key of MCP's own fields in `_meta`. */
const prefix = 'io.modelcontextprotocol/';

/** A field of `_meta` that MCP has reserved, of parameters or of a result. */
export function metaField(fields: JsonObject, name: string): unknown {
  return objectOf(fields['_meta'])[`${prefix}${name}`];
}

export function progressTokenOf(params: unknown): RequestId | undefined {
  return requestIdOf(objectOf(objectOf(params)['_meta'])['progressToken']);
}

export function notedOf(params: unknown): McpNoted {
  const fields = objectOf(params);
  const ref = objectOf(fields['ref']);
  const subject = [fields['name'], fields['uri'], fields['level'], fields['taskId'], ref['name'], ref['uri']]
    .map(textOf)
    .find((text) => text !== undefined);
  const version = textOf(fields['protocolVersion']) ?? textOf(metaField(fields, 'protocolVersion'));
  return {
    ...(subject !== undefined && { subject: oneLine(subject, maxSubject) }),
    ...(version !== undefined && { version: version.slice(0, maxVersion) }),
  };
}

export function subjectOf({ noted }: OpenRequest): string | undefined {
  return textOf(objectOf(noted)['subject']);
}

export function versionOf({ noted }: OpenRequest): string | undefined {
  return textOf(objectOf(noted)['version']);
}

/** The text, behind what the request is about. */
export function withSubject(request: OpenRequest, text: string): string {
  const subject = subjectOf(request);
  return subject === undefined ? text : `${subject}: ${text}`;
}

/** Tool calls are what a person looks for; everything else is filed under its method. */
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
