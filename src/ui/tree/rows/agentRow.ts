import { translate } from '../../translate';
import * as vscode from 'vscode';
import { cut, oneLine, plainText, withoutMarks } from '../../../log/text';
import type { DefinitionProblem } from '../../../runs/config/agentDefinition';
import { actionsOfAgentNamed } from '../../../runs/actions';
import type { RunView } from '../../../runs/runView';
import type { CommandTarget } from '../../commandTarget';
import { clickTarget } from '../../commandTarget';
import { accessibleLabel } from '../format';
import { levelIcon } from '../icons';
import { describeState } from '../runText';
import { contextOf, Row } from './row';
import type { RowSources } from './rowSources';
import { openFiles } from './rowSources';

const { Expanded, None } = vscode.TreeItemCollapsibleState;

/** An agent, or files that share a name: above its runs. */
export class AgentRow extends Row {
  static readonly filesContext = 'files';
  readonly id: string;
  readonly parent = undefined;

  constructor(
    override readonly agentName: string,
    private readonly sources: RowSources,
    private readonly rowOf: (run: RunView) => Row,
  ) {
    super();
    this.id = `agent:${agentName}`;
  }

  override children(): readonly Row[] {
    return [...this.sources.runs.all, ...this.files()].filter(({ name }) => name === this.agentName).map(this.rowOf);
  }

  override tooltip(): string {
    const hint = this.hint();
    return hint ? plainText(cut(translate(hint.message), 2000)) : super.tooltip();
  }

  protected override opens(): CommandTarget | undefined {
    const run = this.sources.runs.latestOf(this.agentName) ?? this.files()[0];
    return run && clickTarget(run);
  }

  protected draw(): vscode.TreeItem {
    return this.isFile() ? this.drawFiles() : this.drawAgent();
  }

  private drawFiles(): vscode.TreeItem {
    const name = oneLine(this.agentName, 100);
    const item = new vscode.TreeItem(name, Expanded);
    item.iconPath = new vscode.ThemeIcon('file');
    item.contextValue = AgentRow.filesContext;
    item.accessibilityInformation = accessibleLabel(vscode.l10n.t('Files named {0}', name));
    return item;
  }

  private drawAgent(): vscode.TreeItem {
    const name = oneLine(this.agentName, 100);
    const latest = this.sources.runs.latestOf(this.agentName);
    const hint = this.hint();
    const problem = hint ? [oneLine(withoutMarks(translate(hint.reason)), 200)] : [];
    const state = latest ? describeState(latest, this.sources.now()) : vscode.l10n.t('not started');
    const item = new vscode.TreeItem(name, latest || this.files().length > 0 ? Expanded : None);
    item.iconPath = hint ? levelIcon('warning') : new vscode.ThemeIcon('robot');
    item.contextValue = contextOf('agent', actionsOfAgentNamed(latest));
    if (!latest) item.description = [state, ...problem].join(' · ');
    item.accessibilityInformation = accessibleLabel(vscode.l10n.t('Agent {0}', name), state, ...problem);
    return item;
  }

  private files(): readonly RunView[] {
    return openFiles(this.sources).filter(({ name }) => name === this.agentName);
  }

  /** Only files have this name, and no agent. */
  private isFile(): boolean {
    const { runs, agents } = this.sources;
    if (this.files().length === 0 || runs.latestOf(this.agentName)) return false;
    return !agents().agents.some(({ name }) => name === this.agentName);
  }

  /** What is most likely wrong in its settings. */
  private hint(): DefinitionProblem | undefined {
    return this.isFile() ? undefined : this.sources.agents().hints.find(({ agent }) => agent === this.agentName);
  }
}
