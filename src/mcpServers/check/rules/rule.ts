import { oneLine } from '../../../text/text';
import type { Words } from '../../../text/translator';
import type { FindingCode, Severity } from './finding';
import type { ListedTool, ListingServer } from './listedTool';
import type { SchemaNode } from './schemaNodes';

/** What a provider or an agent demands of tools. An error only if all its models refuse the request. */
interface Rule {
  readonly code: FindingCode;
  readonly severity: Severity;
  /** The providers and agents that have it. */
  readonly by: string;
  /** Only for servers of these agents, by ID. */
  readonly clients?: readonly string[];
  /** The rule with its limit, for the documents. */
  readonly rule: string;
  /** How it is known. */
  readonly source: string;
  readonly advice: Words;
}

/** A rule for a single tool. */
export interface ToolRule extends Rule {
  /** Returns what is wrong. */
  readonly find: (tool: ListedTool) => Found | undefined;
}

/** A rule for all tools of a server. */
export interface ListRule extends Rule {
  /** Returns what is wrong, and with which tools. */
  readonly findIn: (server: ListingServer) => (Found & { readonly tools: readonly string[] }) | undefined;
}

/** What is wrong, without a final period. */
export interface Found extends Words {
  /** Where the first one is in the schema, such as `filter.tags[]`. */
  readonly at?: string;
}

/** Something wrong with any of the schemas within a schema. */
export function atAnyDepth(wrong: (node: SchemaNode) => Words | undefined): ToolRule['find'] {
  return ({ nodes }) => {
    for (const node of nodes) {
      const message = wrong(node);
      if (message) return { ...message, at: node.path };
    }
    return undefined;
  };
}

/** Names, such as keywords, that may not be anywhere in a schema. */
export function namesAtAnyDepth(
  namesIn: (node: SchemaNode) => readonly string[],
  say: (names: string) => Words,
): ToolRule['find'] {
  return ({ nodes }) => {
    const names = new Set<string>();
    let at: string | undefined;
    for (const node of nodes) {
      for (const name of namesIn(node)) {
        names.add(name);
        at ??= node.path;
      }
    }
    return at === undefined ? undefined : { ...say(named([...names])), at };
  };
}

/** The first of many names, as code. */
export function named(names: readonly string[], max = 5): string {
  return names.slice(0, max).map(codeOf).join(', ');
}

export function codeOf(text: string): string {
  return `\`${oneLine(text.replaceAll('`', "'"), 80) || ' '}\``;
}
