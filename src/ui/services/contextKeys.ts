import * as vscode from 'vscode';
import { reaches } from '../../text/level';
import { actionsOfAny } from '../../runs/actions';
import type { FileRuns } from '../../past/files/fileRuns';
import type { Runs, RunViews } from '../../runs/runs';
import type { RunView } from '../../runLog/runView';
import type { Configuration } from './configuration';
import type { Disposable } from '../kit/disposables';
import { DisposableOwner, PerRun } from '../kit/disposables';
import { paletteActions } from '../manifest/commands';
import { canKey, contextKeys } from '../manifest/contextKeys';
import type { McpServers } from './mcp/mcpServers';

/** How often the keys follow what runs log, in milliseconds. */
const interval = 250;

/** Sets the context keys of the manifest's `when` clauses. */
export class ContextKeys extends DisposableOwner {
  private readonly last = new Map<string, boolean>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly runs: Runs,
    private readonly fileRuns: FileRuns,
    private readonly views: RunViews,
    private readonly configuration: Configuration,
    private readonly mcpServers: Pick<McpServers, 'watched' | 'onDidChange'>,
  ) {
    super();
    this.own(runs.onDidChange(() => this.update()));
    this.own(fileRuns.onDidChange(() => this.update()));
    this.own(configuration.onDidChange(() => this.update()));
    this.own(mcpServers.onDidChange(() => this.update()));
    const follow = (run: RunView): readonly Disposable[] => [
      run.log.onDidChange(() => this.updateSoon()),
      run.onDidChangeState(() => this.updateSoon()),
    ];
    this.own(new PerRun(runs, follow));
    this.own(new PerRun(fileRuns, follow));
    this.own({ dispose: () => clearTimeout(this.timer) });
    this.update();
  }

  private updateSoon(): void {
    this.timer ??= setTimeout(() => this.update(), interval);
  }

  private update(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { agents, problems } = this.configuration.agents;
    this.set(contextKeys.hasAgents, agents.length + problems.length > 0);
    this.set(
      contextKeys.hasServers,
      agents.some((agent) => 'url' in agent),
    );
    const { listed, open } = this.fileRuns;
    this.set(contextKeys.hasRuns, this.runs.all.length + listed.length + open.length > 0);
    this.set(
      contextKeys.hasLiveRuns,
      this.runs.all.some(({ state }) => state.type !== 'ended'),
    );
    this.set(contextKeys.hasWatchedServers, this.mcpServers.watched.length > 0);
    const shown = this.views.all;
    this.set(contextKeys.hasProblems, shown.some(hasProblem));
    const possible = actionsOfAny(shown);
    for (const action of paletteActions) this.set(canKey(action), possible.has(action));
  }

  private set(key: string, value: boolean): void {
    if (this.last.get(key) === value) return;
    this.last.set(key, value);
    void vscode.commands.executeCommand('setContext', key, value);
  }
}

/** Also true for warnings and errors of the agent itself. */
function hasProblem({ log }: RunView): boolean {
  return [log.connection, ...log.sessions].some(({ worst }) => worst !== undefined && reaches(worst, 'warning'));
}
