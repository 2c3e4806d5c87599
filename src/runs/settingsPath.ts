import type { JSONPath } from 'jsonc-parser';

/**
 * Where a file keeps its settings: at its root (`settings.json` of a user, a profile or a folder), or under a key (`.code-workspace`).
 * @param path the path of a URI, with slashes
 * @returns `undefined` for a file that holds no settings
 */
export function settingsPathOf(path: string): JSONPath | undefined {
  if (path.endsWith('.code-workspace')) return ['settings'];
  return /\/(\.vscode|User|Machine|profiles\/[^/]+)\/settings\.json$/.test(path) ? [] : undefined;
}
