import type { Protocol } from '../../wire/protocol';
import type { Words } from '../../text/translator';
import { t } from '../../text/translator';
import type { Threshold } from '../../text/level';
import { isThreshold, parseLevel, thresholds } from '../../text/level';
import { isProtocol, protocolNames } from '../../wire/protocol';
import type { JsonObject } from '../../text/json';
import { isObject, objectOf } from '../../text/json';
import type { AgentDefinition, NamedFolder, OAuthSettings } from './launchSpec';
import type { LspSettings } from '../lsp/lspSettings';

/** Other programs' names and common misspellings of our fields, in lower case. */
const mistaken: ReadonlyMap<string, string> = new Map(
  Object.entries({
    protocol: ['protocoll', 'protocal'],
    command: ['cmd', 'comand', 'commmand', 'commandline', 'program', 'executable'],
    args: ['arg', 'argv', 'arguments', 'params'],
    env: ['envs', 'environment', 'environmentvariables', 'variables'],
    cwd: ['dir', 'directory', 'folder', 'workdir', 'workingdir', 'workingdirectory'],
    url: ['uri', 'endpoint', 'serverurl', 'httpurl', 'baseurl'],
    headers: ['header', 'httpheaders'],
    level: ['loglevel', 'levels'],
    initializationOptions: ['initoptions', 'initializeoptions', 'initializationoption'],
  }).flatMap(([field, others]) => [field.toLowerCase(), ...others].map((other) => [other, field] as const)),
);

/** The parsed setting `agentLogs.agents`: valid agents, and problems with the others. */
export interface AgentDefinitions {
  readonly agents: readonly AgentDefinition[];
  /** One per invalid entry. */
  readonly problems: readonly DefinitionProblem[];
  /** Likely mistakes in valid entries. */
  readonly hints: readonly DefinitionProblem[];
}

export interface DefinitionProblem {
  /** The agent's name; absent if the whole setting is invalid. */
  readonly agent?: string;
  /** The invalid field; absent if the whole entry is invalid. */
  readonly field?: string;
  /** The problem and how to correct it, for the user. */
  readonly message: Words;
  /** The same without the agent's name. */
  readonly reason: Words;
}

export interface FolderSettings extends NamedFolder {
  /** The unchecked value of `agentLogs.agents`. */
  readonly setting: unknown;
}

type EntryProblem = Pick<DefinitionProblem, 'field' | 'reason'>;

/** Parses the setting. Invalid entries don't affect others. Fields of other clients are ignored. */
export function agentDefinitions(setting: unknown): AgentDefinitions {
  const agents: AgentDefinition[] = [];
  const problems: DefinitionProblem[] = [];
  const hints: DefinitionProblem[] = [];
  if (setting !== undefined && setting !== null && !isObject(setting)) {
    const reason = t('`agentLogs.agents` must be an object: {0}.', '`{ "My Agent": { "command": "my-agent" } }`');
    return { agents, hints, problems: [{ message: reason, reason }] };
  }
  for (const [name, entry] of Object.entries(objectOf(setting))) {
    const ofAgent = (problem: EntryProblem): DefinitionProblem => ({
      ...problem,
      agent: name,
      message: t('{0}: {1}', `agentLogs.agents["${name}"]`, problem.reason),
    });
    const problem = problemOf(entry);
    const misspelt = misspeltField(objectOf(entry));
    const hint = misspelt && ofAgent(misspelt.hint);
    if (problem) problems.push(hint && problem.field === misspelt.meant ? hint : ofAgent(problem));
    else agents.push(definitionOf(name, objectOf(entry)));
    if (hint && !problem) hints.push(hint);
  }
  return { agents, problems, hints };
}

/** Merges the agents of each folder with the general ones. An agent whose name is taken gets its folder's name added. */
export function agentsOfFolders(general: AgentDefinitions, folders: readonly FolderSettings[]): AgentDefinitions {
  const agents = [...general.agents];
  const problems = [...general.problems];
  const hints = [...general.hints];
  for (const { name, path, setting } of folders) {
    const own = agentDefinitions(setting);
    for (const agent of own.agents) agents.push({ ...named(agent, name, agents), folder: path });
    problems.push(...own.problems);
    hints.push(...own.hints);
  }
  return { agents, problems, hints };
}

function named(agent: AgentDefinition, folder: string, others: readonly AgentDefinition[]): AgentDefinition {
  const isTaken = (name: string): boolean => others.some((other) => other.name === name);
  if (!isTaken(agent.name)) return agent;
  const base = `${agent.name} (${folder})`;
  let name = base;
  for (let number = 2; isTaken(name); number++) name = `${base} ${number}`;
  return { ...agent, name };
}

/** Finds the first field of an agent that is probably misspelt, if the correct one is missing. Fields of other clients are ignored. */
function misspeltField(entry: JsonObject): { readonly hint: EntryProblem; readonly meant: string } | undefined {
  for (const field of Object.keys(entry)) {
    const meant = mistaken.get(field.toLowerCase());
    if (meant === undefined || meant === field || Object.hasOwn(entry, meant)) continue;
    return { hint: { field, reason: t('Unknown field `{0}`. Did you mean `{1}`?', field, meant) }, meant };
  }
  return undefined;
}

function problemOf(entry: unknown): EntryProblem | undefined {
  if (!isObject(entry)) return { reason: t('Must be an object with a `command`.') };
  const { protocol = 'acp', url, level, replay } = entry;
  const mistake = replay === undefined ? undefined : replayProblem(entry);
  if (mistake) return mistake;
  if (!isProtocol(protocol)) {
    const known = Object.keys(protocolNames)
      .map((each) => `"${each}"`)
      .join(', ');
    const reason = t('Unknown `protocol`: {0}. Use one of {1}.', JSON.stringify(protocol), known);
    return { field: 'protocol', reason };
  }
  if (level !== undefined && !isThreshold(level)) {
    const meant = parseLevel(level);
    const reason =
      meant === undefined
        ? t('`level` must be one of {0}.', thresholds.join(', '))
        : t('`level` must be "{0}", not {1}.', meant, JSON.stringify(level));
    return { field: 'level', reason };
  }
  if (replay !== undefined) return undefined;
  const { acpVersion } = entry;
  if (acpVersion !== undefined && acpVersion !== 1 && acpVersion !== 2) {
    return { field: 'acpVersion', reason: t('`acpVersion` must be 1 or 2.') };
  }
  const { mcpServers } = entry;
  if (mcpServers !== undefined && typeof mcpServers !== 'boolean' && mcpServers !== 'watch') {
    return { field: 'mcpServers', reason: t('`mcpServers` must be true, false or "watch".') };
  }
  if (mcpServers !== undefined && mcpServers !== false && protocol !== 'acp') {
    return { field: 'mcpServers', reason: t('`{0}` requires {1}.', 'mcpServers', '`"protocol": "acp"`') };
  }
  return serverProblem(entry) ?? (url === undefined ? processProblem(entry) : remoteProblem(entry, protocol));
}

function serverProblem(entry: JsonObject): EntryProblem | undefined {
  for (const field of ['initializationOptions', 'settings'] as const) {
    if (entry[field] === undefined) continue;
    if (entry['protocol'] !== 'lsp') return { field, reason: t('`{0}` requires {1}.', field, '`"protocol": "lsp"`') };
    if (!isObject(entry[field])) return { field, reason: t('`{0}` must be an object.', field) };
  }
  return undefined;
}

function processProblem(entry: JsonObject): EntryProblem | undefined {
  const { command, args = [], env = {}, cwd, protocol, headers } = entry;
  if (typeof command !== 'string' || command.trim() === '') {
    const reason =
      protocol === 'mcp'
        ? t('Set `command` to the program to start, or `url` to the server to connect to.')
        : t('Set `command` to the program to start.');
    return { field: 'command', reason };
  }
  if (headers !== undefined) {
    return { field: 'headers', reason: t('`headers` require a `url`. For a `command`, use `env`.') };
  }
  if (!isTexts(args)) return { field: 'args', reason: t('`{0}` must be a list of strings.', 'args') };
  if (!isObject(env) || !isTexts(Object.values(env).filter((value) => value !== null))) {
    return { field: 'env', reason: t('`env` must be an object of strings, or null to remove a variable.') };
  }
  if (cwd !== undefined && typeof cwd !== 'string') return { field: 'cwd', reason: t('`cwd` must be a path.') };
  return undefined;
}

/** Fields of programs and servers: a recorded run has its own. */
const notForReplays = ['command', 'url', 'protocol'] as const;

function replayProblem(entry: JsonObject): EntryProblem | undefined {
  const { replay, args = [] } = entry;
  if (typeof replay !== 'string' || replay.trim() === '') {
    return { field: 'replay', reason: t("Set `replay` to the file of a run, or to the end of a run's ID.") };
  }
  const extra = notForReplays.find((field) => entry[field] !== undefined);
  if (extra === 'protocol') {
    return { field: extra, reason: t('Remove `protocol`: that of the recording is used.') };
  }
  if (extra !== undefined) return { field: extra, reason: t('Set either `replay` or `{0}`, not both.', extra) };
  return isTexts(args) ? undefined : { field: 'args', reason: t('`{0}` must be a list of strings.', 'args') };
}

function remoteProblem(entry: JsonObject, protocol: Protocol): EntryProblem | undefined {
  const { url, headers = {}, command } = entry;
  if (protocol !== 'mcp') return { field: 'url', reason: t('`{0}` requires {1}.', 'url', '`"protocol": "mcp"`') };
  if (command !== undefined) {
    return { field: 'command', reason: t('Set either `command` or `url`, not both.') };
  }
  // A variable may expand to the whole URL, which is checked when the server is started.
  if (typeof url !== 'string' || !/^(https?:\/\/|\$\{)/i.test(url.trim())) {
    return { field: 'url', reason: t('`url` must begin with http:// or https://.') };
  }
  if (!isObject(headers) || !isTexts(Object.values(headers))) {
    return { field: 'headers', reason: t('`{0}` must be an object of strings.', 'headers') };
  }
  return entry['oauth'] === undefined ? undefined : oauthProblem(entry['oauth']);
}

function oauthProblem(oauth: unknown): EntryProblem | undefined {
  const field = 'oauth';
  if (!isObject(oauth) || !isTexts(Object.values(oauth))) {
    return { field, reason: t('`{0}` must be an object of strings.', 'oauth') };
  }
  const { clientId, clientSecret, privateKey, grant = 'authorization_code' } = oauth;
  if (grant !== 'authorization_code' && grant !== 'client_credentials') {
    return { field, reason: t('`oauth.grant` must be "authorization_code" or "client_credentials".') };
  }
  const isAlone = grant === 'client_credentials';
  if (clientId === undefined && (isAlone || clientSecret !== undefined)) {
    return { field, reason: t('`oauth` requires a `clientId`.') };
  }
  if (isAlone && clientSecret === undefined && privateKey === undefined) {
    return { field, reason: t('`"grant": "client_credentials"` requires a `clientSecret` or a `privateKey`.') };
  }
  return undefined;
}

function oauthSettings({ clientId, clientSecret, privateKey, scope, grant }: JsonObject): OAuthSettings {
  const fields = Object.entries({ clientId, clientSecret, privateKey, scope, grant });
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

function definitionOf(name: string, entry: JsonObject): AgentDefinition {
  const { protocol, command, url, headers, args, env, cwd, level, acpVersion, mcpServers } = entry;
  const ownLevel = level === undefined ? {} : { level: level as Threshold };
  const { replay } = entry;
  if (typeof replay === 'string') return { name, replay, args: (args ?? []) as readonly string[], ...ownLevel };
  if (url !== undefined) {
    return {
      name,
      protocol: 'mcp',
      url: url as string,
      headers: (headers ?? {}) as Readonly<Record<string, string>>,
      ...(isObject(entry['oauth']) && { oauth: oauthSettings(entry['oauth']) }),
      ...ownLevel,
    };
  }
  return {
    name,
    protocol: isProtocol(protocol) ? protocol : 'acp',
    command: command as string,
    args: (args ?? []) as readonly string[],
    env: (env ?? {}) as Readonly<Record<string, string | null>>,
    ...(cwd !== undefined && { cwd: cwd as string }),
    ...(protocol === 'lsp' && { lsp: lspSettings(entry) }),
    ...((acpVersion === 1 || acpVersion === 2) && { acpVersion }),
    ...(mcpServers === true && { mcpServers: 'pass' as const }),
    ...(mcpServers === 'watch' && { mcpServers }),
    ...ownLevel,
  };
}

function lspSettings({ initializationOptions, settings }: JsonObject): LspSettings {
  return {
    ...(isObject(initializationOptions) && { initializationOptions }),
    ...(isObject(settings) && { settings }),
  };
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
