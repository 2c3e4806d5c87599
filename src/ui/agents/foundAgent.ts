import type { JsonObject } from '../../protocols/json';

/** An agent or a server that another client is set up with. */
export interface FoundAgent {
  readonly name: string;
  /** Where it stands, for a person: `.vscode/mcp.json`. */
  readonly source: string;
  /** As an entry of `agentLogs.agents`. */
  readonly entry: JsonObject;
}

/** Among several folders, it says which it is of; what its file calls the workspace folder is that one. */
export function ofFolder({ name, source, entry }: FoundAgent, folder: string): FoundAgent {
  const variable = `\${workspaceFolder:${folder}}`;
  const named = JSON.parse(
    JSON.stringify(entry).replaceAll('${workspaceFolder}', () => JSON.stringify(variable).slice(1, -1)),
  ) as JsonObject;
  const cwd = 'url' in named || 'cwd' in named ? {} : { cwd: variable };
  return { name, source: `${folder}/${source}`, entry: { ...named, ...cwd } };
}
