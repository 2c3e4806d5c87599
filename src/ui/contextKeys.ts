import * as vscode from 'vscode';
import type { FileRuns } from '../runs/files/fileRuns';
import type { Runs } from '../runs/runs';
import type { Configuration } from './configuration';
import { DisposableOwner } from './disposables';
import { contextKeys } from './ids';

/** Sets the context keys of the manifest's `when` clauses. */
export class ContextKeys extends DisposableOwner {
  private readonly last = new Map<string, boolean>();

  constructor(
    private readonly runs: Runs,
    private readonly fileRuns: FileRuns,
    private readonly configuration: Configuration,
  ) {
    super();
    this.own(runs.onDidChange(() => this.update()));
    this.own(fileRuns.onDidChange(() => this.update()));
    this.own(configuration.onDidChange(() => this.update()));
    this.update();
  }

  private update(): void {
    const { agents, problems } = this.configuration.agents;
    this.set(contextKeys.hasAgents, agents.length + problems.length > 0);
    const { listed, open } = this.fileRuns;
    this.set(contextKeys.hasRuns, this.runs.all.length + listed.length + open.length > 0);
    this.set(
      contextKeys.hasLiveRuns,
      this.runs.all.some(({ state }) => state.type !== 'ended'),
    );
  }

  private set(key: string, value: boolean): void {
    if (this.last.get(key) === value) return;
    this.last.set(key, value);
    void vscode.commands.executeCommand('setContext', key, value);
  }
}
