import type { Words } from '../../text/translator';
import { t } from '../../text/translator';
import { isAbsolute, resolve } from 'node:path';
import type { Threshold } from '../../text/level';
import type { Protocol } from '../../wire/protocol';
import { oneLine } from '../../text/text';
import { HumanError } from '../../text/humanError';
import type { LspSettings } from '../lsp/lspSettings';
import { expandSettings, textsIn } from '../lsp/lspSettings';
import { expandPath } from '../../machine/shellPath';

interface NamedDefinition {
  readonly name: string;
  /** The agent's initial level, if different from the general one. */
  readonly level?: Threshold;
  /** Absolute path of the folder whose settings define the agent; used as its workspace folder. */
  readonly folder?: string;
}

/** A folder of the workspace. */
export interface NamedFolder {
  readonly name: string;
  /** An absolute path. */
  readonly path: string;
}

/** An agent that is started as a process, as the setting `agentLogs.agents` describes it. */
export interface ProcessDefinition extends NamedDefinition {
  readonly protocol: Protocol;
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the extension's environment; `null` removes a variable. */
  readonly env: Readonly<Record<string, string | null>>;
  readonly cwd?: string;
  /** True if its words are used as they are, without variables. */
  readonly isExpanded?: boolean;
  readonly lsp?: LspSettings;
  /** The latest ACP version to offer. By default 2, which falls back to 1. */
  readonly acpVersion?: 1 | 2;
  /** Whether its sessions get the workspace's MCP servers, as they are or through the tap. By default none. */
  readonly mcpServers?: 'pass' | 'watch';
}

/** A remote MCP server, as the setting describes it. */
export interface RemoteDefinition extends NamedDefinition {
  readonly protocol: 'mcp';
  readonly url: string;
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
  readonly oauth?: OAuthSettings;
}

/** Login settings for servers that require configuration. */
export interface OAuthSettings {
  /** A client registered with the authorization server, or the https URL of a client metadata document. */
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** PEM, instead of `clientSecret`; for `client_credentials` only. */
  readonly privateKey?: string;
  /** Requested unless the server names scopes itself; separated by spaces. */
  readonly scope?: string;
  /** `client_credentials`: no user logs in. */
  readonly grant?: 'authorization_code' | 'client_credentials';
}

/** A recorded run that is played again as an agent, as the setting describes it. */
export interface ReplayDefinition extends NamedDefinition {
  /** A file, or the end of a run's ID. */
  readonly replay: string;
  /** Options of `agent-logs replay`. */
  readonly args: readonly string[];
}

/** What a run is started from. */
export type RunDefinition = ProcessDefinition | RemoteDefinition;

/** An agent as the setting `agentLogs.agents` describes it. */
export type AgentDefinition = RunDefinition | ReplayDefinition;

/** Values for the variables in a definition. */
export interface LaunchContext {
  readonly workspaceFolder: string | undefined;
  /** All folders of the workspace, for `${workspaceFolder:NAME}`. */
  readonly workspaceFolders?: readonly NamedFolder[];
  readonly userHome: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Values that the user entered for `${input:NAME}`. */
  readonly inputs?: Readonly<Record<string, string>>;
}

/** What to spawn: no shell, all variables expanded. */
export interface LaunchSpec {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** An absolute path. */
  readonly cwd: string;
  readonly lsp?: LspSettings;
}

/** What to connect to, with all variables expanded. */
export interface RemoteSpec {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly oauth?: OAuthSettings;
  /** Absolute path of the folder that the run belongs to. */
  readonly cwd: string;
}

export type RunSpec = LaunchSpec | RemoteSpec;

export function isRemote(spec: RunSpec): spec is RemoteSpec {
  return 'url' in spec;
}

/** True if the settings have a token for the server, so that no login is needed. */
export function hasToken({ headers }: Pick<RemoteSpec, 'headers'>): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
}

/** The command line or URL, for display. */
export function wordsOf(
  start: Pick<LaunchSpec, 'command' | 'args'> | Pick<RemoteSpec, 'url'> | Pick<ReplayDefinition, 'replay' | 'args'>,
): readonly string[] {
  if ('replay' in start) return ['agent-logs', 'replay', start.replay, ...start.args];
  return 'url' in start ? [start.url] : [start.command, ...start.args];
}

/**
 * Expands a definition into what to start or connect to.
 * @throws HumanError if a variable is unknown or has no value here, or the URL or a header is invalid
 */
export function runSpec(agent: RunDefinition, context: LaunchContext): RunSpec {
  return 'url' in agent ? remoteSpec(agent, context) : launchSpec(agent, context);
}

/** The NAMEs of `${input:NAME}` in a definition, without duplicates. */
export function inputsOf(agent: AgentDefinition): readonly string[] {
  return namesIn(agent, /\$\{input:([^}]+)\}/g);
}

/** The NAMEs of `${env:NAME}` in a definition or a part of it, without duplicates. */
export function envVariablesOf(agent: AgentDefinition | LspSettings): readonly string[] {
  return namesIn(agent, /\$\{env:([^}]+)\}/g);
}

/**
 * A note about unset variables in a definition, which expand to nothing: a VS Code that wasn't started from a shell lacks many of the user's variables.
 * `undefined` if all are set.
 */
export function unsetVariables(agent: AgentDefinition, env: LaunchContext['env']): Words | undefined {
  const names = envVariablesOf(agent).filter((name) => env[name] === undefined);
  if (names.length === 0) return undefined;
  const listed = oneLine(names.join(', '), 200);
  return names.length === 1
    ? t(
        "The variable {0} isn't set in VS Code's environment, so it is empty in the settings of {1}.",
        listed,
        agent.name,
      )
    : t(
        "The variables {0} aren't set in VS Code's environment, so they are empty in the settings of {1}.",
        listed,
        agent.name,
      );
}

function namesIn(agent: AgentDefinition | LspSettings, variable: RegExp): readonly string[] {
  const { name: _name, level: _level, folder: _folder, ...rest } = agent as Partial<AgentDefinition>;
  return [...new Set(textsIn(rest).flatMap((text) => [...text.matchAll(variable)].map(([, name = '']) => name)))];
}

/**
 * What to spawn for an agent. Substitutes `${workspaceFolder}`, `${workspaceFolder:NAME}`, `${userHome}`, `${env:NAME}` (empty if unset) and
 * `${input:NAME}`; in the command and the folder also `~` and, on Windows, `%NAME%`.
 * @throws HumanError if a variable is unknown or has no value here
 */
export function launchSpec(agent: ProcessDefinition, context: LaunchContext): LaunchSpec {
  const isLiteral = agent.isExpanded === true;
  const expand = (text: string): string => (isLiteral ? text : substitute(text, agent.name, context));
  const expandShort = (path: string): string => (isLiteral ? path : expandedPath(path, agent.name, context));
  const base = context.workspaceFolder ?? context.userHome;
  const cwd = agent.cwd === undefined ? base : expandShort(agent.cwd);
  const command = expandShort(agent.command.trim()).trim();
  if (command === '') {
    throw new HumanError(t("'{0}' has no `command`. Set one in agentLogs.agents.", agent.name), ['settings']);
  }
  return {
    command,
    args: agent.args.map(expand),
    env: environment(
      context.env,
      Object.entries(agent.env).map(([name, value]) => [name, value === null ? null : expand(value)]),
    ),
    cwd: resolve(base, cwd),
    ...(agent.lsp && {
      lsp: expandSettings(agent.lsp, (text) => text.replace(ourVariables, (variable) => expand(variable))),
    }),
  };
}

/**
 * What an agent replays, with variables expanded.
 * @throws HumanError if a variable is unknown or has no value here
 */
export function replayTarget({ name, replay }: ReplayDefinition, context: LaunchContext): ReplayTarget {
  const text = expandedPath(replay.trim(), name, context);
  return { text, path: resolve(context.workspaceFolder ?? context.userHome, text) };
}

export interface ReplayTarget {
  /** May be the end of a run's ID. */
  readonly text: string;
  /** Absolute, if it is a file. */
  readonly path: string;
}

function expandedPath(path: string, agent: string, context: LaunchContext): string {
  return substitute(expandPath(path, { platform: process.platform, ...context }), agent, context);
}

function remoteSpec(agent: RemoteDefinition, context: LaunchContext): RemoteSpec {
  const expand = (text: string): string => substitute(text, agent.name, context).trim();
  const headers = Object.fromEntries(Object.entries(agent.headers).map(([name, value]) => [name, expand(value)]));
  for (const [name, value] of Object.entries(headers)) checkHeader(agent.name, name, value);
  return {
    url: checkedUrl(agent.name, expand(agent.url)),
    headers,
    ...(agent.oauth && { oauth: expandOAuth(agent.oauth, expand) }),
    cwd: context.workspaceFolder ?? context.userHome,
  };
}

function expandOAuth({ grant, ...texts }: OAuthSettings, expand: (text: string) => string): OAuthSettings {
  const expanded = Object.entries(texts).map(([field, text]) => [field, expand(text)] as const);
  return { ...Object.fromEntries(expanded.filter(([, text]) => text !== '')), ...(grant && { grant }) };
}

function checkedUrl(agent: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new HumanError(
      t("The `url` of '{0}' must begin with http:// or https://. Correct it in agentLogs.agents.", agent),
      ['settings'],
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new HumanError(
      t("The `url` of '{0}' contains a user name or password. Set `Authorization` in `headers` instead.", agent),
      ['settings'],
    );
  }
  return url.href;
}

/** Whether HTTP allows a header (RFC 9110, section 5). */
export function isHeader(name: string, value: string): boolean {
  return /^[!#$%&'*+.^_`|~\w-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
}

/** The error doesn't show the value, which may be a secret. */
function checkHeader(agent: string, name: string, value: string): void {
  if (isHeader(name, value)) return;
  throw new HumanError(t("'{0}' has the header '{1}', which HTTP doesn't allow.", agent, name), ['settings']);
}

/** A language server may expand variables in its settings itself. */
const ourVariables = /\$\{(?:workspaceFolder|userHome|(?:env|input|workspaceFolder):[^}]*)\}/g;

/** An environment for a program: ours without what is meant for VS Code, and what is added to it; `null` removes a variable. */
export function environment(
  own: LaunchContext['env'],
  added: readonly (readonly [name: string, value: string | null])[],
): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(own)) if (value !== undefined && !isOurs(name)) env[name] = value;
  for (const [name, value] of added) {
    // Variable names are case-insensitive on Windows.
    const isSame = (other: string): boolean =>
      process.platform === 'win32' ? other.toLowerCase() === name.toLowerCase() : other === name;
    for (const other of Object.keys(env)) if (isSame(other)) Reflect.deleteProperty(env, other);
    if (value !== null) env[name] = value;
  }
  return env;
}

/** Variables that VS Code sets for its extension host. They make agents that are Electron or Node programs misbehave. */
function isOurs(name: string): boolean {
  return /^(VSCODE_|ELECTRON_)/.test(name) || name === 'NODE_OPTIONS' || name === 'CODE_SERVER_PARENT_PID';
}

const variables = '${workspaceFolder}, ${workspaceFolder:NAME}, ${userHome}, ${env:NAME}, ${input:NAME}';

function substitute(text: string, agent: string, context: LaunchContext): string {
  return text.replace(/\$\{([^}]*)\}/g, (whole, variable: string) => {
    if (variable === 'userHome') return context.userHome;
    if (variable.startsWith('env:')) return context.env[variable.slice('env:'.length)] ?? '';
    if (variable.startsWith('input:')) return context.inputs?.[variable.slice('input:'.length)] ?? '';
    if (variable.startsWith('workspaceFolder:')) {
      return folderNamed(variable.slice('workspaceFolder:'.length), agent, context);
    }
    if (variable !== 'workspaceFolder') {
      throw new HumanError(t("'{0}' uses the unknown variable {1}. Use one of {2}.", agent, whole, variables), [
        'settings',
      ]);
    }
    if (context.workspaceFolder !== undefined) return context.workspaceFolder;
    throw new HumanError(t("'{0}' uses {1}, but no folder is open. Open one, or set a path.", agent, whole), [
      'settings',
    ]);
  });
}

function folderNamed(name: string, agent: string, { workspaceFolders = [] }: LaunchContext): string {
  const folder = workspaceFolders.find((one) => one.name === name);
  if (folder) return folder.path;
  const all = workspaceFolders.map((one) => `'${one.name}'`).join(', ');
  const names = all === '' ? t('none') : all;
  throw new HumanError(
    t("'{0}' uses the workspace folder '{1}', which isn't open. Open folders: {2}.", agent, name, names),
    ['settings'],
  );
}

/** True if it matters to an agent which of several folders is the workspace folder. */
export function needsFolder(agent: AgentDefinition): boolean {
  if (agent.folder !== undefined) return false;
  return inFolder(agent) || JSON.stringify(agent).includes('${workspaceFolder}');
}

/** Whether it is started in the workspace folder, or names what is there. */
function inFolder(agent: AgentDefinition): boolean {
  if ('url' in agent) return false;
  return 'replay' in agent ? !isAbsolute(agent.replay) : agent.cwd === undefined;
}
