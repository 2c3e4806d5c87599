import type { JsonObject } from '../../text/json';
import type { ActivityDraft, Usage } from '../../work/activity';
import type { QuotaWindow } from '../../work/usage/quotaWindow';
import type { ExchangeText } from '../jsonrpc/exchangeText';

/** A turn that the agent starts or ends by itself. */
type OwnTurn = { readonly type: 'started' } | { readonly type: 'ended'; readonly stopReason: unknown };

/** What an agent adds to ACP by fields and methods of its own. Each part answers `undefined` to what isn't the agent's. */
export interface AcpExtension {
  /** What the `usage` counts that an agent with this name in `initialize` reports for a turn. */
  readonly counts?: { readonly agent: RegExp; readonly basis: Usage['basis'] };
  /** What the `_meta` of a tool call says about it. */
  toolOf?(meta: JsonObject): { readonly parentId: unknown; readonly name: unknown } | undefined;
  /** An update of a tool call in ACP's terms, if the agent has its input or result in a form of its own. */
  toolUpdateOf?(update: JsonObject): JsonObject | undefined;
  /** The model that the `_meta` of a `usage_update` names. */
  modelOf?(meta: JsonObject): unknown;
  /** The counts of a turn that the `_meta` of its prompt's answer has, if the answer has no `usage`. */
  usageOf?(meta: JsonObject): JsonObject | undefined;
  /** Whether the `_meta` of an update says that the turn failed, without a reason. */
  saysFailed?(meta: JsonObject): boolean;
  /** Reads a request or notification about a turn. */
  turnOf?(method: string, params: JsonObject): OwnTurn | undefined;
  /** Reads a notification about the agent's work. */
  reportOf?(method: string, params: JsonObject): ActivityDraft | undefined;
  /** Reads a notification about the account's limits. */
  quotaOf?(method: string, params: JsonObject): QuotaWindow | undefined;
  /** The record of a notification of its own. */
  wordsOf?(method: string, params: JsonObject): ExchangeText | undefined;
}

/** What all known agents add to ACP. Their adapters have names of their own, so all are asked. */
export class AcpExtensions {
  constructor(private readonly all: readonly AcpExtension[]) {}

  /** The first answer. */
  first<T>(ask: (extension: AcpExtension) => T | undefined): T | undefined {
    for (const extension of this.all) {
      const answer = ask(extension);
      if (answer !== undefined) return answer;
    }
    return undefined;
  }

  some(test: (extension: AcpExtension) => boolean | undefined): boolean {
    return this.all.some((extension) => test(extension) === true);
  }
}
