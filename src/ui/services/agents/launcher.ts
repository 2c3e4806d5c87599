import type { Words } from '../../../text/translator';
import { inEnglish, t } from '../../../text/translator';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Redactor } from '../../../redact/redactor';
import type { DefinitionProblem } from '../../../live/config/agentDefinition';
import type {
  AgentDefinition,
  LaunchContext,
  ReplayDefinition,
  RunDefinition,
  RunSpec,
} from '../../../live/config/launchSpec';
import { envVariablesOf, isRemote, runSpec, unsetVariables } from '../../../live/config/launchSpec';
import { redactedLine } from '../../../runLog/reading/redactEvent';
import { HumanError } from '../../../text/humanError';
import type { ProcessReaper } from '../../../live/process/processReaper';
import type { Run } from '../../../live/run';
import type { RunView } from '../../../runLog/runView';
import type { Runs } from '../../../runs/runs';
import type { ConnectorOptions } from '../../../live/connection/connectors';
import type { Configuration } from '../configuration';
import { openFolders } from '../../kit/folders';
import { withDelayedProgress } from '../../kit/delayedProgress';
import type { InstalledTap } from '../installedTap';
import type { McpServers } from '../mcp/mcpServers';
import type { Logins } from '../login/logins';
import type { RunFactory } from '../runs/runFactory';
import { AgentQuestions } from './agentQuestions';
import { LaunchContexts } from './launchContexts';
import type { Replays } from './replays';

export interface LauncherOptions {
  readonly extensionPath: string;
  readonly version: string;
  readonly mcpServers: McpServers;
  readonly tap: InstalledTap;
  readonly replays: Replays;
}

interface StartOptions {
  readonly again?: boolean;
  readonly isUnattended?: boolean;
}

/** Starts agents, and lists those that can be started. */
export class Launcher {
  /** It needs no API key, and demonstrates everything an agent can log. */
  readonly sample: AgentDefinition;
  private readonly questions: AgentQuestions;
  private readonly contexts = new LaunchContexts();
  private readonly starting = new Map<string, Promise<Run>>();

  constructor(
    private readonly runs: Runs,
    private readonly configuration: Configuration,
    private readonly factory: RunFactory,
    private readonly reaper: ProcessReaper,
    private readonly logins: Logins,
    private readonly options: LauncherOptions,
  ) {
    this.sample = {
      name: 'Sample Agent',
      protocol: 'acp',
      // The extension host's runtime. On the desktop that is Electron, which the variable below makes run as Node.
      command: process.execPath,
      args: [join(options.extensionPath, 'dist', 'sampleAgent.js')],
      env: { ELECTRON_RUN_AS_NODE: '1' },
      isExpanded: true,
    };
    this.questions = new AgentQuestions(configuration);
  }

  /** The agents in the settings, plus replays and the sample agent unless one of them has their name. */
  get known(): readonly AgentDefinition[] {
    const { agents } = this.configuration.agents;
    const names = new Set(agents.map(({ name }) => name));
    return [...agents, ...[...this.options.replays.all, this.sample].filter(({ name }) => !names.has(name))];
  }

  /** Whether the settings have a valid agent of this name. */
  isInSettings(name: string): boolean {
    return this.configuration.agents.agents.some((agent) => agent.name === name);
  }

  /**
   * Makes an agent of a recorded run, or of its file, that can be started in this window.
   * @throws HumanError if it can't be replayed
   */
  addReplay(source: RunView | string): Promise<ReplayDefinition> {
    const isTaken = (name: string): boolean => this.configuration.hasAgent(name) || name === this.sample.name;
    return this.options.replays.add(source, isTaken);
  }

  /** The prompts that a recorded run answers, if the agent is one. */
  recordedPrompts(name: string): Promise<readonly string[]> {
    return this.options.replays.promptsOf(name);
  }

  /** Values for the variables in the agent's settings. */
  contextFor(agent: AgentDefinition): LaunchContext {
    return this.contexts.of(agent);
  }

  /** Invalid entries in the settings. */
  get problems(): readonly DefinitionProblem[] {
    return this.configuration.agents.problems;
  }

  /**
   * Starts an agent. Resolves once it has answered `initialize`. Returns the existing run if the agent is already running.
   * @param options `again`: reuses the last folder; `isUnattended`: also reuses earlier values of inputs
   * @throws HumanError if it doesn't start
   */
  start(name: string, options: StartOptions = {}): Promise<Run> {
    const starting = this.starting.get(name) ?? this.startOnce(name, options).finally(() => this.starting.delete(name));
    this.starting.set(name, starting);
    return starting;
  }

  /** Stops the agent if it is running, then starts it again. */
  async restart(name: string): Promise<Run> {
    this.startable(name);
    await Promise.all(this.ownRuns(name).map((run) => run.stop()));
    await this.starting.get(name)?.catch(() => undefined); // it failed because its run was stopped
    return this.start(name, { again: true });
  }

  /**
   * Lets the user log in to an MCP server in the browser, then reconnects to it.
   * @throws HumanError, Cancelled or Dismissed
   */
  async logIn(name: string): Promise<Run> {
    const agent = this.startable(name);
    if (!('url' in agent)) throw new HumanError(t("{0} isn't an MCP server with a URL.", name));
    const spec = runSpec(agent, await this.expansionsOf(agent, true));
    const { McpLogin } = await import('../../../live/mcp/login/mcpLogin');
    if (isRemote(spec)) {
      const ports = this.logins.portsFor(name, spec, () => undefined);
      await new McpLogin(name, spec, ports).logIn();
    }
    await Promise.all(this.ownRuns(name).map((run) => run.stop()));
    return this.start(name, { again: true, isUnattended: true });
  }

  /** Deletes the login to an MCP server, and disconnects from it. */
  async logOut(name: string): Promise<void> {
    const agent = this.startable(name);
    const spec = 'url' in agent ? runSpec(agent, await this.expansionsOf(agent, false)) : undefined;
    // Ending the MCP session needs the login, so disconnect first.
    await Promise.all(this.ownRuns(name).map((run) => run.stop()));
    if (spec && isRemote(spec)) await this.logins.stored.forget(spec);
  }

  async isLoggedIn(agent: AgentDefinition): Promise<boolean> {
    if (!('url' in agent)) return false;
    const spec = runSpec(agent, this.contextFor(agent));
    return isRemote(spec) && this.logins.stored.isLoggedIn(spec);
  }

  /** @param asksAgain whether to ask again for inputs that already have values */
  private async expansionsOf(agent: AgentDefinition, asksAgain: boolean): Promise<LaunchContext> {
    return { ...this.contextFor(agent), inputs: await this.contexts.askInputs(agent, asksAgain) };
  }

  private async startOnce(name: string, { again = false, isUnattended = false }: StartOptions): Promise<Run> {
    const live = this.ownRuns(name).find((run) => run.state.type !== 'ended');
    if (live?.state.type === 'running') return live;
    if (live) await live.stop();
    const agent = this.startable(name);
    if (agent !== this.sample) await this.contexts.chooseFolder(agent, again);
    return this.launch(agent, isUnattended);
  }

  /** Excludes runs published by other extensions, which only they can start and stop. */
  private ownRuns(name: string): readonly Run[] {
    return this.runs.all.filter((run) => run.name === name && !run.isPublished);
  }

  /** @throws HumanError if there is no such agent, or the workspace isn't trusted */
  private startable(name: string): AgentDefinition {
    const agent = this.known.find((known) => known.name === name);
    if (!agent) throw this.unknown(name);
    if (vscode.workspace.isTrusted || agent === this.sample) return agent;
    throw new HumanError(t('Agents run programs, and this workspace is not trusted. Trust it to start {0}.', name), [
      'trust',
    ]);
  }

  private async launch(agent: AgentDefinition, isUnattended: boolean): Promise<Run> {
    const inputs = await this.contexts.askInputs(agent, !isUnattended);
    const context = { ...this.contextFor(agent), inputs };
    const unset = unsetVariables(agent, context.env);
    try {
      const started = 'replay' in agent ? await this.replayed(agent, context) : agent;
      return await this.begin(started, runSpec(started, context), inputs, unset);
    } catch (error) {
      // Whatever the agent reports, an unset variable may be the cause.
      if (error instanceof HumanError && unset !== undefined) error.explain(unset);
      throw error;
    }
  }

  private async replayed(agent: ReplayDefinition, context: LaunchContext): Promise<RunDefinition> {
    try {
      return await this.options.replays.agentOf(agent, context);
    } catch (error) {
      if (!(error instanceof HumanError) || !this.isInSettings(agent.name)) throw error;
      const inSettings = new HumanError(t('{0}: {1}', `agentLogs.agents["${agent.name}"]`, error.words), ['settings']);
      inSettings.agent = agent.name;
      throw inSettings;
    }
  }

  private async begin(
    agent: RunDefinition,
    spec: RunSpec,
    inputs: Readonly<Record<string, string>>,
    unset: Words | undefined,
  ): Promise<Run> {
    const { protocolSupport } = await import('../../../live/connection/connectors');
    const redactor = this.configuration.redaction ? await this.redactorFor(agent, spec, inputs) : undefined;
    const run = this.factory.create({
      agent,
      spec,
      redactor,
      ...protocolSupport(agent, spec, this.connectorOptions(agent, spec, redactor)),
    });
    if (unset !== undefined) {
      run.log.record({ receivedAt: run.startedAt, level: 'notice', kind: 'lifecycle', message: inEnglish(unset) });
    }
    await withDelayedProgress(vscode.l10n.t('Starting {0}', agent.name), (token, report) =>
      run.start({
        token,
        onWaiting: (ms) => report(vscode.l10n.t('waiting for its first answer, for {0} s', Math.round(ms / 1000))),
      }),
    );
    return run;
  }

  /** Variables and headers in the settings may be secrets, whatever they look like. */
  private async redactorFor(
    agent: RunDefinition,
    spec: RunSpec,
    inputs: Readonly<Record<string, string>>,
  ): Promise<Redactor> {
    const { redactorFor } = await import('../../../redact/redactorFor');
    const { secretsOfStart } = await import('../../../live/process/secretsOfStart');
    const { clientSecret, privateKey } = (isRemote(spec) && spec.oauth) || {};
    const ofClient = [clientSecret, privateKey].filter((secret) => secret !== undefined);
    const all = isRemote(spec) ? spec.headers : spec.env;
    const names =
      'url' in agent ? Object.keys(agent.headers) : [...Object.keys(agent.env), ...envVariablesOf(agent.lsp ?? {})];
    const given = Object.fromEntries(names.map((name) => [name, all[name] ?? '']));
    const secrets = [
      ...secretsOfStart({ env: all, words: isRemote(spec) ? [] : [spec.command, ...spec.args] }),
      ...secretsOfStart({ env: inputs }),
      ...ofClient,
    ];
    return redactorFor(this.configuration.ownRedaction, { values: Object.values(given), secrets });
  }

  private connectorOptions(agent: RunDefinition, spec: RunSpec, redactor: Redactor | undefined): ConnectorOptions {
    const { name: agentName } = agent;
    const { questions } = this;
    const login = isRemote(spec)
      ? { login: this.logins.portsFor(agentName, spec, (secrets) => redactor?.learn(secrets)) }
      : {};
    const clientInfo = { name: 'agent-logs', title: 'Agent Logs', version: this.options.version };
    const common = { agentName, clientInfo, setLevelTimeout: 5000 };
    const choose = questions.chooseAuthMethod(agentName);
    return {
      reaper: this.reaper,
      timeouts: this.configuration.timeouts,
      acp: {
        ...common,
        askPermission: questions.askPermission(agentName),
        chooseAuthMethod: (methods, why, token) => choose(methods, redactedLine(why, redactor), token),
        version: 'acpVersion' in agent ? agent.acpVersion : undefined,
        ...('mcpServers' in agent && {
          mcpServers: async (cwd, dialect, initialized) => {
            const { serversForSession } = await import('../mcp/sessionMcp'); // It needs parsers of settings files.
            const session = { agent, cwd, dialect, initialized, redactor };
            return serversForSession(session, this.options.mcpServers, this.options.tap);
          },
        }),
      },
      mcp: { ...common, workspaceFolders, probeTimeout: 3000, askUser: questions.askUser(agentName), ...login },
      lsp: {
        ...common,
        workspaceFolders,
        showMessage: questions.showMessage(agentName),
        loadLanguageClient: async () => (await import('../lsp/agentLanguageClient')).createLanguageClient,
      },
    };
  }

  private unknown(name: string): HumanError {
    const problem = this.configuration.agents.problems.find(({ agent }) => agent === name);
    const error = new HumanError(problem?.message ?? t('There is no agent "{0}" in agentLogs.agents.', name), [
      'settings',
    ]);
    error.agent = name;
    return error;
  }
}

function workspaceFolders(): readonly string[] {
  return openFolders().map(({ path }) => path);
}
