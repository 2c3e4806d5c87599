import type { JsonObject } from '../../protocols/json';

/** An agent or a server that another client is set up with. */
export interface FoundAgent {
  readonly name: string;
  /** Where it stands, for a person: `.vscode/mcp.json`. */
  readonly source: string;
  /** As an entry of `agentLogs.agents`. */
  readonly entry: JsonObject;
}
