import type { JsonObject } from '../../../../log/json';
import { isObject, objectOf, textOf } from '../../../../log/json';

/** A tool as its server lists it, unchanged. */
export interface ListedTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** JSON Schema of the arguments; anything, because servers send anything. */
  readonly schema: unknown;
  readonly annotations: JsonObject;
  /** How much of a model's context it takes, estimated. */
  readonly tokens: number;
}

/** A server whose tools are checked. */
export interface ListingServer {
  /** Its name in the settings. */
  readonly name: string;
  /** The IDs of the agents that have it in their settings. */
  readonly clients: readonly string[];
  readonly tools: readonly ListedTool[];
  /** What it tells the model in general. */
  readonly instructions?: string;
}

/** Reads an entry of `tools/list`; `undefined` if it has no name. */
export function listedTool(entry: unknown): ListedTool | undefined {
  const { name, title, description, inputSchema, annotations } = objectOf(entry);
  if (typeof name !== 'string') return undefined;
  const sent = { name, description, input_schema: inputSchema };
  return {
    name,
    ...texts({ title: textOf(title), description: textOf(description) }),
    schema: inputSchema,
    annotations: isObject(annotations) ? annotations : {},
    tokens: estimatedTokens(JSON.stringify(sent)),
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
