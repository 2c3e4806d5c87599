import type { Words } from '../../../text/translator';

/** The worst first. */
const severities = ['error', 'warning', 'info'] as const;
export type Severity = (typeof severities)[number];

export type FindingCode =
  | 'tool-name'
  | 'long-name'
  | 'many-tools'
  | 'no-tools'
  | 'no-capability'
  | 'stdout-text'
  | 'schema-type'
  | 'schema-keyword'
  | 'property-name'
  | 'invalid-property'
  | 'no-properties'
  | 'unknown-type'
  | 'invalid-schema'
  | 'array-items'
  | 'pattern'
  | 'gemini-type'
  | 'gemini-keyword'
  | 'gemini-enum'
  | 'gemini-format'
  | 'gemini-boolean'
  | 'gemini-required'
  | 'gemini-empty-object'
  | 'broken-ref'
  | 'ref'
  | 'large-schema'
  | 'large-list'
  | 'same-name'
  | 'similar-name'
  | 'no-description'
  | 'long-description'
  | 'hidden-characters'
  | 'instructions'
  | 'no-annotations'
  | 'wrong-annotations'
  | 'failing-tool'
  | 'timed-out'
  | 'slow-tool';

/** Something that is wrong with tools, and what to do about it. */
export interface Finding {
  readonly severity: Severity;
  readonly code: FindingCode;
  /** The server's label; without it, the finding is about several. */
  readonly server?: string;
  /** The names of the tools; none if it is about the server. */
  readonly tools: readonly string[];
  /** Without a final period. */
  readonly message: Words;
  readonly advice: Words;
  /** Where the first one is in the schema of the first tool, such as `filter.tags[]`. */
  readonly at?: string;
  /** The provider or agent whose rule it is, and how the rule is known. */
  readonly by?: string;
  readonly source?: string;
}

/** Puts findings that differ only in their tools, and places in them, together, and sorts them: the worst first. */
export function merged(findings: readonly Finding[]): readonly Finding[] {
  const byText = new Map<string, Finding>();
  for (const finding of findings) {
    const { tools, at: _, ...rest } = finding;
    const key = JSON.stringify(rest);
    const known = byText.get(key);
    byText.set(key, { ...(known ?? finding), tools: [...new Set([...(known?.tools ?? []), ...tools])] });
  }
  const rank = ({ severity }: Finding): number => severities.indexOf(severity);
  return [...byText.values()].sort((a, b) => rank(a) - rank(b));
}
