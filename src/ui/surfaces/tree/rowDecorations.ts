import * as vscode from 'vscode';
import type { RunViews, Runs } from '../../../runs/runs';
import type { RunView } from '../../../runLog/runView';
import { DisposableOwner } from '../../kit/disposables';
import type { Trouble } from './trouble';
import { describeTrouble, troubleOf, troubleOfAgent } from './trouble';

const scheme = 'agent-logs-row';
const agentPath = '/agent/';
const runPath = '/run/';
/** How often a row in trouble is marked again, in milliseconds. */
const interval = 250;

/** Names an agent's row for its mark. */
export function agentUri(name: string): vscode.Uri {
  return vscode.Uri.from({ scheme, path: `${agentPath}${name}` });
}

/** Names a run's row for its mark. */
export function runUri({ id }: Pick<RunView, 'id'>): vscode.Uri {
  return vscode.Uri.from({ scheme, path: `${runPath}${id}` });
}

/** Marks agents and runs with the number of errors or warnings below them, as the Explorer marks folders. */
export class RowDecorations extends DisposableOwner implements vscode.FileDecorationProvider {
  private readonly changeEmitter = this.own(new vscode.EventEmitter<vscode.Uri[]>());
  readonly onDidChangeFileDecorations = this.changeEmitter.event;
  /** What VS Code got, by path. */
  private readonly drawn = new Map<string, string>();
  private readonly changed = new Map<string, vscode.Uri>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly runs: Runs,
    private readonly views: Pick<RunViews, 'find'>,
  ) {
    super();
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    if (uri.scheme !== scheme) return undefined;
    const trouble = this.troubleAt(uri.path);
    this.drawn.set(uri.path, lookOf(trouble));
    const { errors, warnings } = trouble;
    if (errors + warnings === 0) return undefined;
    const color = errors > 0 ? 'list.errorForeground' : 'list.warningForeground';
    return new vscode.FileDecoration(
      badgeOf(errors > 0 ? errors : warnings),
      describeTrouble(trouble).join(', '),
      new vscode.ThemeColor(color),
    );
  }

  /** Call this when a run's records or its state have changed. */
  changedIn(run: RunView): void {
    for (const uri of [runUri(run), agentUri(run.name)]) this.changed.set(uri.path, uri);
    this.timer ??= setTimeout(() => this.flush(), interval);
  }

  /** Call this when a run was removed. */
  forget(run: RunView): void {
    this.drawn.delete(runUri(run).path);
    this.changedIn(run);
  }

  override dispose(): void {
    clearTimeout(this.timer);
    super.dispose();
  }

  private flush(): void {
    this.timer = undefined;
    const uris = [...this.changed.values()].filter(({ path }) => {
      const before = this.drawn.get(path);
      return before !== undefined && before !== lookOf(this.troubleAt(path));
    });
    this.changed.clear();
    if (uris.length > 0) this.changeEmitter.fire(uris);
  }

  private troubleAt(path: string): Trouble {
    if (path.startsWith(agentPath)) return troubleOfAgent(this.runs, path.slice(agentPath.length));
    const run = this.views.find(path.slice(runPath.length));
    return run ? troubleOf(run) : troubleOf();
  }
}

function lookOf({ errors, warnings }: Trouble): string {
  return `${errors} ${warnings}`;
}

/** VS Code draws at most two characters. */
function badgeOf(count: number): string {
  return count > 9 ? '9+' : String(count);
}
