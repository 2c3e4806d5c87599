import type { Threshold } from '../../log/level';
import { isThreshold, parseLevel, thresholds } from '../../log/level';
import { isProtocol, protocolNames } from '../../log/protocol';
import type { JsonObject } from '../../protocols/json';
import { isObject, objectOf } from '../../protocols/json';
import type { AgentDefinition, OAuthSettings } from './launchSpec';
import type { MisspeltField } from './misspeltField';
import { misspeltField } from './misspeltField';
import type { LspSettings } from '../lsp/lspSettings';

/** The parsed setting `agentLogs.agents`: valid agents, and problems with the others. */
export interface AgentDefinitions {
  readonly agents: readonly AgentDefinition[];
  /** One per invalid entry. */
  readonly problems: readonly DefinitionProblem[];
  /** Likely mistakes in valid entries. */
  readonly hints: readonly DefinitionProblem[];
}

/** A problem or likely mistake in an entry. */
export interface DefinitionProblem {
  /** The agent's name; absent if the whole setting is invalid. */
  readonly agent?: string;
  /** The invalid field; absent if the whole entry is invalid. */
  readonly field?: string;
  /** The problem and how to correct it, for the user. */
  readonly message: string;
  /** The same without the agent's name. */
  readonly reason: string;
}

type EntryProblem = Pick<DefinitionProblem, 'field' | 'reason'>;

/** Parses the setting. Invalid entries don't affect others. Fields of other clients are ignored. */
export function agentDefinitions(setting: unknown): AgentDefinitions {
  const agents: AgentDefinition[] = [];
  const problems: DefinitionProblem[] = [];
  const hints: DefinitionProblem[] = [];
  if (setting !== undefined && setting !== null && !isObject(setting)) {
    const reason = 'must be an object: { "My Agent": { "command": "my-agent" } }.';
    return { agents, hints, problems: [{ message: `agentLogs.agents ${reason}`, reason }] };
  }
  for (const [name, entry] of Object.entries(objectOf(setting))) {
    const told = (problem: EntryProblem): DefinitionProblem => ({
      ...problem,
      agent: name,
      message: `agentLogs.agents["${name}"]: ${problem.reason}`,
    });
    const problem = problemOf(entry);
    const misspelt = misspeltField(objectOf(entry));
    const hint = misspelt && told(hintOf(misspelt));
    if (problem) problems.push(hint && problem.field === misspelt.meant ? hint : told(problem));
    else agents.push(definitionOf(name, objectOf(entry)));
    if (hint && !problem) hints.push(hint);
  }
  return { agents, problems, hints };
}

function hintOf({ field, meant }: MisspeltField): EntryProblem {
  return { field, reason: `"${field}" is not known: did you mean "${meant}"?` };
}

function problemOf(entry: unknown): EntryProblem | undefined {
  if (!isObject(entry)) return { reason: 'must be an object with a "command".' };
  const { protocol = 'acp', url, level } = entry;
  if (!isProtocol(protocol)) {
    const known = Object.keys(protocolNames)
      .map((each) => `"${each}"`)
      .join(', ');
    const reason = `"protocol" ${JSON.stringify(protocol)} is not known to this version; it speaks ${known}.`;
    return { field: 'protocol', reason };
  }
  if (level !== undefined && !isThreshold(level)) {
    const meant = parseLevel(level);
    const right = meant === undefined ? `one of ${thresholds.join(', ')}` : `"${meant}", not ${JSON.stringify(level)}`;
    return { field: 'level', reason: `"level" must be ${right}.` };
  }
  const { acpVersion } = entry;
  if (acpVersion !== undefined && acpVersion !== 1 && acpVersion !== 2) {
    return { field: 'acpVersion', reason: '"acpVersion" must be 1 or 2.' };
  }
  return serverProblem(entry) ?? (url === undefined ? processProblem(entry) : remoteProblem(entry, protocol));
}

function serverProblem(entry: JsonObject): EntryProblem | undefined {
  for (const field of ['initializationOptions', 'settings'] as const) {
    if (entry[field] === undefined) continue;
    if (entry['protocol'] !== 'lsp') return { field, reason: `"${field}" needs "protocol": "lsp".` };
    if (!isObject(entry[field])) return { field, reason: `"${field}" must be an object.` };
  }
  return undefined;
}

function processProblem(entry: JsonObject): EntryProblem | undefined {
  const { command, args = [], env = {}, cwd, protocol, headers } = entry;
  if (typeof command !== 'string' || command.trim() === '') {
    const orUrl = protocol === 'mcp' ? ', or "url" the server to connect to' : '';
    return { field: 'command', reason: `"command" must name the program to start${orUrl}.` };
  }
  if (headers !== undefined) {
    return { field: 'headers', reason: '"headers" go with "url"; a "command" takes "env".' };
  }
  if (!isTexts(args)) return { field: 'args', reason: '"args" must be a list of strings.' };
  if (!isObject(env) || !isTexts(Object.values(env).filter((value) => value !== null))) {
    return { field: 'env', reason: '"env" must be an object of strings, or null to take a variable away.' };
  }
  if (cwd !== undefined && typeof cwd !== 'string') return { field: 'cwd', reason: '"cwd" must be a path.' };
  return undefined;
}

function remoteProblem(entry: JsonObject, protocol: string): EntryProblem | undefined {
  const { url, headers = {}, command } = entry;
  if (protocol !== 'mcp') return { field: 'url', reason: '"url" needs "protocol": "mcp".' };
  if (command !== undefined) {
    return { field: 'command', reason: 'has a "command" and a "url"; give one of them.' };
  }
  // A variable may expand to the whole URL, which is checked when the server is started.
  if (typeof url !== 'string' || !/^(https?:\/\/|\$\{)/i.test(url.trim())) {
    return { field: 'url', reason: '"url" must begin with http:// or https://.' };
  }
  if (!isObject(headers) || !isTexts(Object.values(headers))) {
    return { field: 'headers', reason: '"headers" must be an object of strings.' };
  }
  return entry['oauth'] === undefined ? undefined : oauthProblem(entry['oauth']);
}

function oauthProblem(oauth: unknown): EntryProblem | undefined {
  const field = 'oauth';
  if (!isObject(oauth) || !isTexts(Object.values(oauth))) {
    return { field, reason: '"oauth" must be an object of strings.' };
  }
  const { clientId, clientSecret, privateKey, grant = 'authorization_code' } = oauth;
  if (grant !== 'authorization_code' && grant !== 'client_credentials') {
    return { field, reason: '"oauth.grant" must be "authorization_code" or "client_credentials".' };
  }
  const isAlone = grant === 'client_credentials';
  if (clientId === undefined && (isAlone || clientSecret !== undefined)) {
    return { field, reason: '"oauth" needs a "clientId".' };
  }
  if (isAlone && clientSecret === undefined && privateKey === undefined) {
    return { field, reason: '"oauth.grant": "client_credentials" needs a "clientSecret" or a "privateKey".' };
  }
  return undefined;
}

function oauthSettings({ clientId, clientSecret, privateKey, scope, grant }: JsonObject): OAuthSettings {
  const fields = Object.entries({ clientId, clientSecret, privateKey, scope, grant });
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

function definitionOf(name: string, entry: JsonObject): AgentDefinition {
  const { protocol, command, url, headers, args, env, cwd, level, acpVersion } = entry;
  const ownLevel = level === undefined ? {} : { level: level as Threshold };
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
