// @ts-check
// What package.json says of commands, settings, views and tools, from `src/ui/manifest`.
import { savers } from '../../src/agents/agents';
import { answerTools, checksByStarting, inputSchemaOf } from '../../src/answers/tools';
import { agentSchema } from '../../src/ui/manifest/agentSchema';
import { alertSchema } from '../../src/ui/manifest/alertSchema';
import { keepSchema } from '../../src/ui/manifest/keepSchema';
import { commands } from '../../src/ui/manifest/commands';
import { canKey, contextKeys } from '../../src/ui/manifest/contextKeys';
import { lmTools } from '../../src/ui/manifest/lmTools';
import { editorViewType, explorerViewType, prefix, viewId } from '../../src/ui/manifest/names';
import { settings } from '../../src/ui/manifest/settings';
import {
  customEditors,
  jsonValidation,
  mcpServerDefinitionProviders,
  views,
  viewsContainers,
  viewsWelcome,
  walkthroughs,
} from '../../src/ui/manifest/views';

/** @typedef {import('../../src/ui/manifest/commandEntry').CommandEntry} CommandEntry */
/** @typedef {import('../../src/ui/manifest/commandEntry').Place} Place */
/** @typedef {import('../../src/ui/manifest/commandEntry').Key} Key */
/** @typedef {import('../../src/ui/manifest/settings').SettingEntry} SettingEntry */
/** @typedef {{ command: string, when?: string, group?: string }} MenuItem */

const inTree = `view == ${viewId}`;
const inExplorer = `activeWebviewPanelId == ${explorerViewType}`;
const inAnyExplorer = `${inExplorer} || activeCustomEditorId == ${editorViewType}`;
// In a remote window, the scheme of a file isn't "file".
const onLogFile = String.raw`resourceScheme =~ /^(file|vscode-remote)$/ && resourceExtname =~ /^\.(ndjson|jsonl)$/`;

/** @type {Readonly<Record<Place['in'], { menu: string, when: string }>>} */
const menus = {
  title: { menu: 'view/title', when: inTree },
  output: {
    menu: 'view/title',
    when: String.raw`view == workbench.panel.output && activeOutputChannel =~ /^agent-logs\.agent-logs\./`,
  },
  row: { menu: 'view/item/context', when: inTree },
  explorer: { menu: 'editor/title', when: inExplorer },
  anyExplorer: { menu: 'editor/title', when: inAnyExplorer },
  tab: { menu: 'editor/title/context', when: onLogFile },
  file: { menu: 'explorer/context', when: onLogFile },
  record: {
    menu: 'webview/context',
    when: `webviewId =~ /^${explorerViewType.replace('.', () => String.raw`\.`)}/ && webviewSection == record`,
  },
};

/** @type {Readonly<Record<Key['in'], string>>} */
const focus = { tree: `focusedView == ${viewId} && listFocus && !inputFocus`, anyExplorer: inAnyExplorer };

/** @type {[string, CommandEntry][]} */
const commandEntries = Object.entries(commands);
/** @type {[string, SettingEntry][]} */
const settingEntries = Object.entries(settings);

/** Parts of a setting's schema that code below `ui` knows, or that are long. */
const schemas = {
  agents: { additionalProperties: agentSchema },
  alerts: { items: alertSchema },
  'savedSessions.keep': keepSchema,
  'savedSessions.folders': { propertyNames: { enum: savers.map(({ id }) => id) } },
};

/**
 * The manifest with everything that `src/ui/manifest` says.
 * @template {{ capabilities: { untrustedWorkspaces: object } }} Manifest
 * @param {Manifest} manifest
 * @param {Readonly<Record<string, string>>} texts of package.nls.json
 */
export function withContributes(manifest, texts) {
  const { capabilities } = manifest;
  const restricted = settingEntries.flatMap(([name, { isRestricted }]) => (isRestricted ? [named(name)] : []));
  const untrustedWorkspaces = { ...capabilities.untrustedWorkspaces, restrictedConfigurations: restricted.sort() };
  return {
    ...manifest,
    capabilities: { ...capabilities, untrustedWorkspaces },
    contributes: {
      commands: commandEntries.map(commandOf),
      languageModelTools: Object.entries(lmTools).map(toolOf),
      mcpServerDefinitionProviders,
      viewsContainers,
      views,
      viewsWelcome,
      walkthroughs,
      menus: allMenus(),
      keybindings: commandEntries.flatMap(([name, { keys = [] }]) => keys.map((key) => keybindingOf(name, key))),
      jsonValidation,
      customEditors,
      configuration: {
        title: 'Agent Logs',
        properties: Object.fromEntries(
          settingEntries.map(([name, entry], index) => [named(name), settingOf(name, entry, index + 1, texts)]),
        ),
      },
    },
  };
}

/** @param {[string, CommandEntry]} entry */
function commandOf([name, entry]) {
  return {
    command: named(name),
    title: `%${named(name)}%`,
    category: 'Agent Logs',
    icon: `$(${entry.icon})`,
    ...('enabled' in entry && { enablement: contextKeys[entry.enabled] }),
  };
}

function allMenus() {
  /** @type {Record<string, MenuItem[]>} */
  const all = { commandPalette: commandEntries.flatMap(paletteItem) };
  for (const { menu } of Object.values(menus)) all[menu] = [];
  for (const [name, { places = [] }] of commandEntries) {
    for (const place of places) {
      all[menus[place.in].menu]?.push({ command: named(name), when: whenOf(name, place), group: place.at });
    }
  }
  return all;
}

/**
 * @param {[string, CommandEntry]} entry
 * @returns {MenuItem[]}
 */
function paletteItem([name, { action, palette, hidden }]) {
  const when = hidden === undefined ? (action ? canKey(action) : palette) : 'false';
  return when === undefined ? [] : [{ command: named(name), when }];
}

/**
 * @param {string} name
 * @param {Place} place
 */
function whenOf(name, place) {
  const { when } = menus[place.in];
  if (place.in !== 'row') return place.when === undefined ? when : `${when} && ${place.when}`;
  const { of = '', word = name } = place;
  return String.raw`${when} && viewItem =~ /${of}\b${word}\b/`;
}

/**
 * @param {string} name
 * @param {Key} key
 */
function keybindingOf(name, { in: where, key, mac, ofRow }) {
  return {
    command: named(name),
    key,
    ...(mac !== undefined && { mac }),
    when: focus[where],
    ...(ofRow && { args: { $treeViewId: viewId, $focusedTreeItem: true } }),
  };
}

/** @param {[string, import('../../src/ui/manifest/lmTools').LmToolEntry]} entry */
function toolOf([name, { answer, reference, icon, subject, startsServers }]) {
  return {
    name: `${prefix}_${name}`,
    displayName: `%lmTools.${name}%`,
    userDescription: `%lmTools.${name}.description%`,
    toolReferenceName: reference,
    canBeReferencedInPrompt: true,
    icon: `$(${icon})`,
    tags: ['agent-logs', subject, 'debugging'],
    modelDescription: startsServers ? checksByStarting : answerTools[answer].description,
    inputSchema: inputSchemaOf(answerTools[answer]),
  };
}

/**
 * @param {string} name
 * @param {SettingEntry} entry
 * @param {number} order
 * @param {Readonly<Record<string, string>>} texts
 */
function settingOf(name, { min, max, isRestricted: _, isMarkdown, scope, ...schema }, order, texts) {
  const key = `settings.${name}`;
  const values = schema.enum?.map((value) => `${key}.${value}`) ?? [];
  return {
    order,
    scope,
    ...schema,
    ...(min !== undefined && { minimum: min }),
    ...(max !== undefined && { maximum: max }),
    ...(schema.pattern !== undefined && { patternErrorMessage: `%${key}.error%` }),
    [isMarkdown ? 'markdownDescription' : 'description']: `%${key}%`,
    ...(values.some((value) => value in texts) && { enumDescriptions: values.map((value) => `%${value}%`) }),
    ...Object.entries(schemas).find(([other]) => other === name)?.[1],
  };
}

/** @param {string} name */
function named(name) {
  return `${prefix}.${name}`;
}
