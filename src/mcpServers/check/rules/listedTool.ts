import type { JsonObject } from '../../../text/json';
import { boundedJson } from '../../../text/boundedJson';
import { isObject, objectOf, textOf } from '../../../text/json';
import type { Words } from '../../../text/translator';
import { t } from '../../../text/translator';
import type { PastTool } from '../pastCalls';
import type { SchemaNode } from './schemaNodes';
import { schemaNodes } from './schemaNodes';
import type { Conduct } from '../recordedServer';

/** A tool as its server lists it. */
export interface ListedTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** JSON Schema of the arguments, as far as it is read; anything, because servers send anything. */
  readonly schema: unknown;
  /** The schemas within it, itself first. */
  readonly nodes: readonly SchemaNode[];
  readonly annotations: JsonObject;
  /** Whether its schema was left out for its length. */
  readonly isTooLong: boolean;
  /** How much of a model's context it takes, estimated. */
  readonly tokens: number;
}

/** A server whose tools are checked. */
export interface ListingServer {
  /** Its name in the settings. */
  readonly name: string;
  /** What it is called in findings. */
  readonly label: string;
  /** The IDs of the agents that have it in their settings. */
  readonly clients: readonly string[];
  readonly tools: readonly ListedTool[];
  /** What it tells the model in general. */
  readonly instructions?: string;
  /** What its tools did in recorded runs. */
  readonly past?: readonly PastTool[];
  /** What it did beside; absent if its tools are unknown. */
  readonly conduct?: Conduct;
}

/** A list with more is cut: its checks would take too long. */
const maxTools = 2000;
/** Of the JSON of one tool, in characters. The schema of a longer one isn't checked. */
const maxLength = 1024 * 1024;
/** Of all tools, in tokens: about 4 MB of ASCII. */
const maxTokens = 1_000_000;

/** The tools of a list, and what is wrong with the others. */
export function listedTools(entries: readonly unknown[]): {
  readonly tools: readonly ListedTool[];
  readonly notes: readonly Words[];
} {
  const tools: ListedTool[] = [];
  let tokens = 0;
  let read = 0;
  for (; read < Math.min(entries.length, maxTools) && tokens < maxTokens; read++) {
    const tool = listedTool(entries[read]);
    if (!tool) continue;
    tools.push(tool);
    tokens += tool.tokens;
  }
  const nameless = read - tools.length;
  const more = entries.length - read;
  const long = tools.filter(({ isTooLong }) => isTooLong).length;
  return {
    tools,
    notes: [
      ...(nameless > 0 ? [t('{0} tools have no name, so no client can use them', nameless)] : []),
      ...(long > 0 ? [t('{0} tools have more than 1 MB, so their schemas are not checked', long)] : []),
      ...(more > 0 ? [t('Only the first {0} tools are checked; it has {1} more', read, more)] : []),
    ],
  };
}

/** Reads an entry of `tools/list`; `undefined` if it has no name. */
export function listedTool(entry: unknown): ListedTool | undefined {
  const { name, title, description, inputSchema, annotations } = objectOf(entry);
  if (typeof name !== 'string') return undefined;
  const sent = boundedJson({ name, description, input_schema: inputSchema }, maxLength);
  // It was cut, maybe at an earlier word.
  const isTooLong = !sent.endsWith('}');
  const given = isTooLong ? { type: 'object' } : inputSchema;
  const nodes = schemaNodes(given);
  return {
    name,
    ...texts({ title: textOf(title), description: textOf(description) }),
    schema: nodes[0]?.schema ?? given,
    nodes,
    isTooLong,
    annotations: isObject(annotations) ? annotations : {},
    tokens: estimatedTokens(sent),
  };
}

function texts<T extends Readonly<Record<string, string | undefined>>>(fields: T): { [K in keyof T]?: string } {
  const known = Object.entries(fields).filter(([, text]) => text !== undefined);
  return Object.fromEntries(known) as { [K in keyof T]?: string };
}

/** Tokenizers differ: about four characters of ASCII are a token, and each other character. */
export function estimatedTokens(text: string): number {
  const others = text.match(/[^\u0000-\u007f]/gu)?.length ?? 0;
  return Math.ceil((text.length - others) / 4) + others;
}
