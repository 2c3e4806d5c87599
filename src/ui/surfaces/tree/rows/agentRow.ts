import { translate } from '../../../kit/translate';
import { translateFor } from '../../../kit/translateFor';
import { t } from '../../../../text/translator';
import { peerFirst } from '../../../../protocols/terms';
import * as vscode from 'vscode';
import { cutAnywhere, shownLine, plainText, withoutMarks } from '../../../../text/text';
import type { AgentDefinition } from '../../../../live/config/launchSpec';
import type { DefinitionProblem } from '../../../../live/config/agentDefinition';
import { actionsOfAgentNamed } from '../../../../runs/actions';
import type { FileRun } from '../../../../past/files/fileRun';
import type { Run } from '../../../../live/run';
import type { RunView } from '../../../../runLog/runView';
import type { CommandTarget } from '../../../kit/commandTarget';
import { clickTarget } from '../../../kit/commandTarget';
import { accessibleLabel, shortLabel } from '../format';
import { levelIcon, runIcon } from '../icons';
import { agentUri } from '../rowDecorations';
import { describeState } from '../runText';
import { troubleOfAgent } from '../trouble';
import { contextOf, Row } from './row';
import type { RowSources } from './rowSources';
import { openFiles } from './rowSources';
import type { RunRow } from './runRow';

const { Expanded, None } = vscode.TreeItemCollapsibleState;

/** An agent, or files that share a name: above its runs, or if it has only one, above what is below that. */
export class AgentRow extends Row {
  static readonly filesContext = 'files';
  readonly id: string;
  readonly parent = undefined;

  constructor(
    readonly agentName: string,
    private readonly sources: RowSources,
    private readonly rowOf: (run: RunView) => RunRow,
  ) {
    super({ agentName });
    this.id = `agent:${agentName}`;
  }

  /** The agent's only run, which this row shows. */
  get onlyRun(): Run | undefined {
    const [first, ...others] = this.runs();
    return first && others.length + this.files().length === 0 ? first : undefined;
  }

  /** The only file, if no agent has this name: its own row is enough. */
  get onlyFile(): FileRun | undefined {
    const [first, ...others] = this.files();
    return first && others.length === 0 && this.isFile() ? first : undefined;
  }

  override children(): readonly Row[] {
    const only = this.onlyRun;
    return only ? this.rowOf(only).children() : [...this.runs(), ...this.files()].map(this.rowOf);
  }

  override tooltip(): string {
    const hint = this.hint();
    const only = this.onlyRun;
    const problem = hint ? [plainText(cutAnywhere(translate(hint.message), 2000))] : [];
    const about = only ? [...problem, this.rowOf(only).tooltip()] : [shownLine(this.agentName, 500), ...problem];
    return about.join('\n');
  }

  protected override opens(): CommandTarget | undefined {
    const run = this.sources.runs.latestOf(this.agentName) ?? this.files()[0];
    return run && clickTarget(run);
  }

  protected draw(): vscode.TreeItem {
    return this.isFile() ? this.drawFiles() : this.drawAgent();
  }

  private drawFiles(): vscode.TreeItem {
    const name = shownLine(this.agentName, 100);
    const item = new vscode.TreeItem(name, Expanded);
    item.iconPath = new vscode.ThemeIcon('file');
    item.contextValue = AgentRow.filesContext;
    item.accessibilityInformation = accessibleLabel(vscode.l10n.t('Files named {0}', name));
    return item;
  }

  private drawAgent(): vscode.TreeItem {
    const name = shownLine(this.agentName, 100);
    const latest = this.sources.runs.latestOf(this.agentName);
    const only = this.onlyRun && this.rowOf(this.onlyRun);
    const item = new vscode.TreeItem(name, latest || this.files().length > 0 ? Expanded : None);
    item.resourceUri = agentUri(this.agentName);
    item.contextValue = contextOf('agent', actionsOfAgentNamed(latest, only !== undefined));
    const state = this.describe(item, latest, only);
    if (item.description !== undefined) item.label = shortLabel(name);
    const worst = latest && this.isFolded ? troubleOfAgent(this.sources.runs, this.agentName).worst : undefined;
    if (worst) item.iconPath = levelIcon(worst);
    item.accessibilityInformation = accessibleLabel(
      translateFor(latest ?? this.definition ?? { name }, t('{0} {1}', peerFirst, name)),
      ...state,
      worst && vscode.l10n.t('highest level: {0}', worst),
    );
    return item;
  }

  /** Draws the state of the agent, and returns it for screen readers. */
  private describe(item: vscode.TreeItem, latest: Run | undefined, only: RunRow | undefined): readonly string[] {
    if (only) {
      only.describe(item, true);
      return only.spoken();
    }
    if (latest) {
      const now = this.sources.now();
      const state = describeState(latest, now);
      // The rows of its runs show it otherwise.
      if (this.isFolded) item.description = state;
      item.iconPath = this.isFolded ? runIcon(latest, now) : new vscode.ThemeIcon('robot');
      return [state];
    }
    const hint = this.hint();
    const state = [
      vscode.l10n.t('not started'),
      ...(hint ? [shownLine(withoutMarks(translate(hint.reason)), 200)] : []),
    ];
    item.description = state.join(' · ');
    item.iconPath = hint ? levelIcon('warning') : new vscode.ThemeIcon('robot');
    return state;
  }

  private get isFolded(): boolean {
    return this.isUnfolded === false;
  }

  private runs(): readonly Run[] {
    return this.sources.runs.all.filter(({ name }) => name === this.agentName);
  }

  private files(): readonly FileRun[] {
    return openFiles(this.sources).filter(({ name }) => name === this.agentName);
  }

  /** Only files have this name, and no agent. */
  private isFile(): boolean {
    if (this.files().length === 0 || this.sources.runs.latestOf(this.agentName)) return false;
    return this.definition === undefined;
  }

  private get definition(): AgentDefinition | undefined {
    return this.sources.agents().agents.find(({ name }) => name === this.agentName);
  }

  /** What is most likely wrong in its settings. */
  private hint(): DefinitionProblem | undefined {
    return this.isFile() ? undefined : this.sources.agents().hints.find(({ agent }) => agent === this.agentName);
  }
}
