import { parse } from 'jsonc-parser';
import type { JsonObject } from '../../protocols/json';
import { objectOf } from '../../protocols/json';

/** An agent or a server from another client's settings. */
export interface FoundAgent {
  readonly name: string;
  /** Display name of the file it comes from, such as `.vscode/mcp.json`. */
  readonly source: string;
  /** An entry for `agentLogs.agents`. */
  readonly entry: JsonObject;
}

/** Adds the folder to the name if there are several, and makes `${workspaceFolder}` refer to it. */
export function ofFolder({ name, source, entry }: FoundAgent, folder: string): FoundAgent {
  const variable = `\${workspaceFolder:${folder}}`;
  const named = JSON.parse(
    JSON.stringify(entry).replaceAll('${workspaceFolder}', () => JSON.stringify(variable).slice(1, -1)),
  ) as JsonObject;
  const cwd = 'url' in named || 'cwd' in named ? {} : { cwd: variable };
  return { name, source: `${folder}/${source}`, entry: { ...named, ...cwd } };
}

/** Parses a settings file: JSON with comments. Returns an empty object if it isn't an object, or is nested too deeply. */
export function settingsIn(text: string): JsonObject {
  try {
    return objectOf(parse(text));
  } catch {
    return {};
  }
}
