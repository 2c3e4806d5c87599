import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { Redactor } from '../../log/redact/redactor';
import type { AgentDefinition, LaunchSpec } from '../../runs/launchSpec';
import { launchSpec } from '../../runs/launchSpec';
import { HumanError } from '../../runs/humanError';
import type { ProcessReaper } from '../../runs/processReaper';
import type { RunLimits } from '../../runs/run';
import { Run } from '../../runs/run';
import type { Runs } from '../../runs/runs';
import type { Configuration } from '../configuration';
import type { LevelMemory } from '../level/levelMemory';
import type { Journals } from '../journals';
import { withLateProgress } from '../lateProgress';
import { authPicker } from './authPicker';
import { PermissionPicker } from './permissionPicker';
import { sampleAgent } from './sampleAgent';

export interface LauncherOptions {
  readonly extensionPath: string;
  readonly version: string;
}

/** Starts agents, and knows those that can be started. */
export class Launcher {
  readonly sample: AgentDefinition;
  private readonly permissions: PermissionPicker;
  private readonly starting = new Map<string, Promise<Run>>();

  constructor(
    private readonly runs: Runs,
    private readonly configuration: Configuration,
    private readonly levels: LevelMemory,
    private readonly reaper: ProcessReaper,
    private readonly journals: Journals,
    private readonly options: LauncherOptions,
  ) {
    this.sample = sampleAgent(options.extensionPath);
    this.permissions = new PermissionPicker(configuration);
  }

  /** The agents of the settings, and the sample agent where no other has its name. */
  get known(): readonly AgentDefinition[] {
    const { agents } = this.configuration.agents;
    return agents.some(({ name }) => name === this.sample.name) ? agents : [...agents, this.sample];
  }

  /** What is wrong in the settings, an entry each. */
  get problems(): readonly string[] {
    return this.configuration.agents.problems;
  }

  /**
   * Starts an agent by its name, and settles when it has answered `initialize`; the run that is already there, if it is alive.
   * @throws HumanError, with what to do, when it does not start
   */
  start(name: string): Promise<Run> {
    const starting = this.starting.get(name) ?? this.startOnce(name).finally(() => this.starting.delete(name));
    this.starting.set(name, starting);
    return starting;
  }

  /** Ends the agent's run, if it has one, and starts it again. */
  async restart(name: string): Promise<Run> {
    await Promise.all(this.runs.all.filter((run) => run.name === name).map((run) => run.stop()));
    return this.start(name);
  }

  private async startOnce(name: string): Promise<Run> {
    const live = this.runs.all.find((run) => run.name === name && run.state.type !== 'ended');
    if (live?.state.type === 'running') return live;
    if (live) await live.stop();
    const agent = this.known.find((known) => known.name === name);
    if (!agent) throw this.unknown(name);
    if (!vscode.workspace.isTrusted && agent !== this.sample) {
      throw new HumanError(
        vscode.l10n.t('Agents run programs, and this workspace is not trusted. Trust it to start {0}.', name),
        ['trust'],
      );
    }
    return this.launch(agent);
  }

  private async launch(agent: AgentDefinition): Promise<Run> {
    const spec = launchSpec(agent, {
      workspaceFolder: vscode.workspace.workspaceFolders?.[0]?.uri.fsPath,
      userHome: homedir(),
      env: process.env,
    });
    const id = randomUUID();
    const journal = this.journals.create(id, agent.name, spec, Date.now());
    const run = new Run({
      id,
      agent,
      spec,
      level: this.levels.levelOf(agent),
      limits: this.limits(),
      client: {
        agentName: agent.name,
        clientInfo: { name: 'agent-logs', title: 'Agent Logs', version: this.options.version },
        askPermission: this.permissions.for(agent.name),
        chooseAuthMethod: authPicker(agent.name),
        setLevelTimeout: 5000,
      },
      reaper: this.reaper,
      ...(journal && { journal }),
      ...(this.configuration.redacts && { redactor: this.redactorFor(agent, spec) }),
      now: Date.now,
    });
    this.runs.add(run);
    await withLateProgress(vscode.l10n.t('Starting {0}', agent.name), (token, report) =>
      run.start({
        token,
        onWaiting: (ms) =>
          report(vscode.l10n.t('waiting for it to answer "initialize", for {0} s', Math.round(ms / 1000))),
      }),
    );
    return run;
  }

  /** What we gave the agent ourselves may be a secret, whatever it looks like. */
  private redactorFor(agent: AgentDefinition, spec: LaunchSpec): Redactor {
    const values = Object.keys(agent.env).flatMap((name) => spec.env[name] ?? []);
    return new Redactor({ values, patterns: this.configuration.redactionPatterns });
  }

  private limits(): RunLimits {
    return {
      maxLineBytes: 1024 * 1024,
      maxMemory: this.configuration.maxMemory,
      initializeTimeout: this.configuration.initializeTimeout,
      waitingNotice: 5000,
      stop: { close: 3000, terminate: 2000 },
    };
  }

  private unknown(name: string): HumanError {
    const problem = this.configuration.agents.problems.find((text) => text.includes(`["${name}"]`));
    return new HumanError(problem ?? vscode.l10n.t('There is no agent "{0}" in agentLogs.agents.', name), ['settings']);
  }
}
