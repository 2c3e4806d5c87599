import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import type { AgentDefinition } from '../../runs/launchSpec';
import { launchSpec } from '../../runs/launchSpec';
import { HumanError } from '../../runs/humanError';
import type { ProcessReaper } from '../../runs/processReaper';
import type { RunLimits } from '../../runs/run';
import { Run } from '../../runs/run';
import type { Runs } from '../../runs/runs';
import type { Configuration } from '../configuration';
import type { LevelMemory } from '../level/levelMemory';
import { withLateProgress } from '../lateProgress';
import { chooseAuthMethod } from './authPicker';
import { permissionPicker } from './permissionPicker';
import { sampleAgent } from './sampleAgent';

export interface LauncherOptions {
  readonly extensionPath: string;
  readonly version: string;
}

/** Starts agents, and knows those that can be started. */
export class Launcher {
  readonly sample: AgentDefinition;

  constructor(
    private readonly runs: Runs,
    private readonly configuration: Configuration,
    private readonly levels: LevelMemory,
    private readonly reaper: ProcessReaper,
    private readonly options: LauncherOptions,
  ) {
    this.sample = sampleAgent(options.extensionPath);
  }

  /** The agents of the settings, and the sample agent where no other has its name. */
  get known(): readonly AgentDefinition[] {
    const { agents } = this.configuration.agents;
    return agents.some(({ name }) => name === this.sample.name) ? agents : [...agents, this.sample];
  }

  /**
   * Starts an agent by its name, and settles when it has answered `initialize`; the run that is already there, if it is alive.
   * @throws HumanError, with what to do, when it does not start
   */
  async start(name: string): Promise<Run> {
    const live = this.runs.all.find((run) => run.name === name && run.state.type !== 'ended');
    if (live) return live;
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

  /** Ends a run and starts its agent again. */
  async restart(run: Run): Promise<Run> {
    await run.stop();
    return this.start(run.name);
  }

  private async launch(agent: AgentDefinition): Promise<Run> {
    const spec = launchSpec(agent, {
      workspaceFolder: vscode.workspace.workspaceFolders?.[0]?.uri.fsPath,
      userHome: homedir(),
      env: process.env,
    });
    const run = new Run({
      id: randomUUID(),
      agent,
      spec,
      level: this.levels.levelOf(agent),
      limits: this.limits(),
      client: {
        clientInfo: { name: 'agent-logs', title: 'Agent Logs', version: this.options.version },
        askPermission: permissionPicker(agent.name, this.configuration),
        chooseAuthMethod,
        setLevelTimeout: 5000,
      },
      reaper: this.reaper,
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
