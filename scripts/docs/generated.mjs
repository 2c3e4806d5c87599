// @ts-check
// What is generated: package.json from `src/ui/manifest`, and parts of the documents, each between two comments with its name.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { roomTable } from '../rooms.mjs';
import { repository } from '../vscode/paths.mjs';
import { deletionTable, folderTable, mcpFileTable, sessionTable, streamTable, waitTable } from './agentTable.mjs';
import { withContributes } from './manifest.mjs';
import { entryTable, settingsTable } from './settingsTables.mjs';
import { toolRuleTable } from './toolRuleTables.mjs';

/**
 * @typedef {object} Document
 * @property {string} path in the repository
 * @property {string} text current
 * @property {string} wanted expected
 */

/** @returns {Document[]} */
export function documents() {
  const texts = /** @type {Record<string, string>} */ (readJson('package.nls.json'));
  const manifest = withContributes(
    /** @type {typeof import('../../package.json')} */ (readJson('package.json')),
    texts,
  );
  /** @type {Record<string, import('./settingsTables.mjs').Setting>} */
  const settings = manifest.contributes.configuration.properties;
  return [
    { path: 'package.json', text: read('package.json'), wanted: `${JSON.stringify(manifest, undefined, 2)}\n` },
    document('ARCHITECTURE.md', { rooms: roomTable() }),
    document('docs/settings.md', { settings: settingsTable(settings, texts) }),
    document('docs/agents.md', {
      'agent-fields': entryTable(settings['agentLogs.agents'], texts),
      streams: streamTable(),
    }),
    document('docs/mcp.md', { 'tool-rules': toolRuleTable(), 'mcp-files': mcpFileTable() }),
    document('docs/saved-sessions.md', {
      folders: folderTable(),
      sessions: sessionTable(),
      waits: waitTable(),
      deletions: deletionTable(),
    }),
    document('docs/api.md', {
      'sample-extension': listing('samples/extension/agentLogs.mts', 'ts').replace('../../api/', './'),
    }),
    document('docs/agent-authors.md', {
      'sample-typescript': listing('samples/typescript/agentLog.mts', 'ts'),
      'sample-python': listing('samples/python/agent_log.py', 'python'),
    }),
  ];
}

/**
 * @param {string} path
 * @param {Record<string, string>} parts by name
 * @returns {Document}
 */
function document(path, parts) {
  const text = read(path);
  let wanted = text;
  for (const [name, content] of Object.entries(parts)) {
    const [begin, end] = [`<!-- begin generated: ${name} -->`, `<!-- end generated: ${name} -->`];
    const [before, rest] = halves(wanted, begin, path);
    const [, after] = halves(rest, end, path);
    wanted = `${before}${begin}\n\n${content}\n\n${end}${after}`;
  }
  return { path, text, wanted };
}

/**
 * @param {string} text
 * @param {string} mark
 * @param {string} path
 * @returns {[string, string]}
 */
function halves(text, mark, path) {
  const [before, after, ...more] = text.split(mark);
  if (before === undefined || after === undefined || more.length > 0) {
    throw new Error(`${path} must contain exactly once: ${mark}`);
  }
  return [before, after];
}

/**
 * @param {string} path
 * @param {string} language
 */
function listing(path, language) {
  return `\`\`\`${language}\n${read(path).trim()}\n\`\`\``;
}

/** @param {string} path */
function read(path) {
  return readFileSync(join(repository, path), 'utf8').replaceAll('\r\n', '\n');
}

/**
 * @param {string} path
 * @returns {unknown}
 */
function readJson(path) {
  return JSON.parse(read(path));
}
