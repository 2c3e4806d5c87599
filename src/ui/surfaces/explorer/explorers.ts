import { t, displayOf } from '../../../text/translator';
import * as vscode from 'vscode';
import { Emitter } from '../../../text/emitter';
import { RecordStore } from '../../../store/store';
import type { FileRuns } from '../../../past/files/fileRuns';
import { isFileRun } from '../../../past/files/fileRuns';
import { HumanError } from '../../../text/humanError';
import { FarRuns } from '../../../runs/farRuns';
import type { RunView } from '../../../runLog/runView';
import { isBeingRead } from '../../../runLog/runView';
import { RegexWorker } from '../../../machine/regexWorker';
import { RunLog } from '../../../runLog/runLog';
import type { Runs, RunViews } from '../../../runs/runs';
import { printValue } from '../../../query/completion';
import { shortId } from '../../../text/sessionLabel';
import { Disposables } from '../../kit/disposables';
import { originOf } from '../tree/runText';
import { commandIds } from '../../manifest/commands';
import { explorerViewType } from '../../manifest/names';
import type { ErrorReporter } from '../../services/errorReporter';
import type { SessionsNow } from '../../services/now/sessionsNow';
import type { OpenRequest } from './explorerPanel';
import { ExplorerPanel } from './explorerPanel';
import type { Tab } from '../../../explorer/page/messages';
import { readState } from '../../../explorer/page/pageState';
import type { ActionServices } from './record/recordActions';
import { RecordActions } from './record/recordActions';

/** Journal paths by run id, to find them after the window was reloaded. */
const journalsKey = 'agentLogs.explorer.journals';
const maxRemembered = 50;
/** What the user has changed about the columns of the lists. */
const columnsKey = 'agentLogs.explorer.columns';

export interface ExplorerServices extends ActionServices {
  readonly extensionUri: vscode.Uri;
  readonly memory: vscode.Memento;
  readonly runs: Runs;
  readonly fileRuns: FileRuns;
  readonly views: RunViews;
  readonly errors: ErrorReporter;
  readonly sessionsNow: Pick<SessionsNow, 'read'>;
}

/** Arguments of `agentLogs.openExplorer`. */
export interface ExplorerTarget extends OpenRequest {
  readonly run: RunView;
  readonly sessionId?: string | undefined;
}

/** The open explorers: one for each run. */
export class Explorers {
  private readonly disposables = new Disposables();
  private readonly panels = new Map<vscode.WebviewPanel, ExplorerPanel>();
  private readonly actions: RecordActions;
  private readonly farRuns: FarRuns;
  private readonly regex = this.disposables.add(new RegexWorker());

  constructor(private readonly services: ExplorerServices) {
    this.actions = new RecordActions(services);
    this.farRuns = this.disposables.add(new FarRuns(services.views, services.fileRuns));
    const renew = (): void => this.panels.forEach((explorer) => explorer.renew());
    this.disposables.add(services.runs.onDidRemove(renew));
    this.disposables.add(services.fileRuns.onDidRemove(renew));
  }

  /** The explorer that has the focus, or else a visible one. */
  get active(): ExplorerPanel | undefined {
    const panels = [...this.panels.values()];
    return panels.find(({ panel }) => panel.active) ?? panels.find(({ panel }) => panel.visible);
  }

  /** Opens the explorer of a run, or reveals it if it is open. */
  async open({ run, sessionId, query, ...asked }: ExplorerTarget): Promise<void> {
    const shown = await this.readable(run);
    this.services.sessionsNow.read(shown);
    const request = { ...asked, query: query ?? this.queryOf(shown, sessionId) };
    const known = this.panelOf(shown);
    if (known) {
      known.open(request);
      return;
    }
    const column = { viewColumn: vscode.ViewColumn.Active, preserveFocus: asked.preserveFocus === true };
    const panel = vscode.window.createWebviewPanel(explorerViewType, shown.name, column, {});
    this.add(panel, shown, '').open(request);
  }

  /** Opens the explorer of a run or a session at its problem, or else at its end. */
  async openAtProblem({ run, sessionId, preserveFocus }: Omit<ExplorerTarget, 'query' | 'seq' | 'tab'>): Promise<void> {
    const shown = await this.readable(run);
    const at = (): OpenRequest | undefined => {
      const seq = shown.log.problemOf(sessionId);
      return seq === undefined ? undefined : { seq, preserveFocus };
    };
    // The filter of another session isn't for the whole run; the user's own stays.
    const query = this.queryOf(shown, sessionId) ?? (this.panelOf(shown)?.showsSession === true ? '' : undefined);
    await this.open({ run: shown, query, preserveFocus, ...(at() ?? { end: true }) });
    if (!isFileRun(shown) || !isBeingRead(shown)) return;
    // How it ended is known when all of it was read.
    void shown.read().then(() => {
      const late = at();
      if (late) this.panelOf(shown)?.open({ ...late, preserveFocus: true, unlessSelected: true });
    });
  }

  /** Opens the run at the other end of a call. */
  private async openFar(id: string, { seq, tab }: { readonly seq: number; readonly tab: Tab }): Promise<void> {
    const run = this.farRuns.find(id);
    // A request is found by the record that it made.
    if (run) await this.open({ run, tab, seq });
  }

  private panelOf(run: RunView): ExplorerPanel | undefined {
    return [...this.panels.values()].find((one) => one.run === run && one.panel.viewType === explorerViewType);
  }

  /** Restores an explorer after the window was reloaded. */
  async restore(panel: vscode.WebviewPanel, kept: unknown): Promise<void> {
    const state = typeof kept === 'string' ? kept : '';
    const { run: id } = readState(state);
    await this.addFound(panel, async () => (await this.found(id)) ?? goneRun(id), state);
  }

  /** Shows a file in a custom editor. */
  async openFile(panel: vscode.WebviewPanel, uri: vscode.Uri): Promise<void> {
    const find = (): Promise<RunView> =>
      this.runOf(uri).catch((error: unknown) => {
        void this.services.errors.report(error);
        return goneRun(uri.path);
      });
    await this.addFound(panel, find);
  }

  /** Shows a run once it is found, unless the panel was closed meanwhile. */
  private async addFound(panel: vscode.WebviewPanel, find: () => Promise<RunView>, state = ''): Promise<void> {
    const closed = new AbortController();
    const closing = panel.onDidDispose(() => closed.abort());
    const run = await find();
    closing.dispose();
    if (!closed.signal.aborted) this.add(panel, run, state);
  }

  focusFilter(): void {
    this.active?.focusFilter();
  }

  dispose(): void {
    for (const explorer of this.panels.values()) explorer.dispose();
    this.disposables.dispose();
  }

  /** Shows a run in a panel, instead of the one that it shows. */
  private add(panel: vscode.WebviewPanel, run: RunView, state: string): ExplorerPanel {
    panel.iconPath = vscode.Uri.joinPath(this.services.extensionUri, 'media', 'icon.png');
    const before = this.panels.get(panel);
    before?.dispose();
    const added = new ExplorerPanel(panel, run, state, {
      folder: vscode.Uri.joinPath(this.services.extensionUri, 'dist', 'explorer'),
      regex: this.regex,
      actions: this.actions,
      far: {
        ends: () => this.farRuns.endsOf(run),
        open: (other, at) => void this.openFar(other.id, at),
        onDidChange: this.farRuns.onDidChange,
      },
      isClosed: () => !this.services.views.all.includes(run),
      columns: {
        get: () => this.services.memory.get(columnsKey, ''),
        set: (columns) => void this.services.memory.update(columnsKey, columns),
      },
      openRunJournal: () => this.openRunJournal(panel, run),
      report: (error) => void this.services.errors.report(error, run),
    });
    this.panels.set(panel, added);
    if (!before) {
      panel.onDidChangeViewState(() => {
        const now = this.panels.get(panel);
        if (panel.visible && now) this.services.sessionsNow.read(now.run);
      });
      panel.onDidDispose(() => {
        this.panels.get(panel)?.dispose();
        this.panels.delete(panel);
        this.entitle();
      });
    }
    this.entitle();
    void this.remember(run);
    return added;
  }

  /** Tells tabs of runs of the same name apart. */
  private entitle(): void {
    const explorers = [...this.panels.values()];
    for (const explorer of explorers) {
      const { run } = explorer;
      const isAlone = explorers.every((other) => other.run === run || other.run.name !== run.name);
      explorer.entitle(isAlone ? undefined : originOf(run, Date.now()));
    }
  }

  private queryOf({ log }: RunView, sessionId: string | undefined): string | undefined {
    return sessionId !== undefined && log.find(sessionId) ? `session:${printValue(shortId(sessionId))}` : undefined;
  }

  /** Past runs are read on demand. */
  private async readable(run: RunView): Promise<RunView> {
    if (!isFileRun(run)) return run;
    const shown = await this.services.fileRuns.show(run);
    void shown.read();
    return shown;
  }

  private async found(id: string): Promise<RunView | undefined> {
    const known = this.services.views.find(id);
    if (known) return this.readable(known);
    await this.services.fileRuns.refresh();
    const listed = this.services.views.find(id);
    if (listed) return this.readable(listed);
    const path = this.journals[id];
    if (path === undefined) return undefined;
    return this.services.fileRuns.at(path, 'opened').then(
      (run) => this.readable(run),
      () => undefined,
    );
  }

  private async runOf(uri: vscode.Uri): Promise<RunView> {
    if (uri.scheme !== 'file') {
      throw new HumanError(t('Only files on the machine where the extension runs can be opened.'));
    }
    const own = this.services.views.writerOf(uri.fsPath);
    if (own) return own;
    const run = await this.services.fileRuns.at(uri.fsPath, 'opened').catch((error: unknown) => {
      throw new HumanError(t("Can't open {0}: {1}", uri.fsPath, displayOf(error)));
    });
    return this.readable(run);
  }

  private async openRunJournal(panel: vscode.WebviewPanel, { journal }: RunView): Promise<void> {
    const path = journal?.paths[0];
    if (path === undefined) await vscode.commands.executeCommand(commandIds.openFile);
    else await this.addFound(panel, () => this.runOf(vscode.Uri.file(path)));
  }

  private get journals(): Readonly<Record<string, string>> {
    return this.services.memory.get<Record<string, string>>(journalsKey, {});
  }

  private async remember({ id, journal }: RunView): Promise<void> {
    const path = journal?.paths[0];
    if (path === undefined) return;
    const known = Object.entries(this.journals);
    const kept = [...known.filter(([other]) => other !== id), [id, path]].slice(-maxRemembered);
    await this.services.memory.update(journalsKey, Object.fromEntries(kept));
  }
}

/** A placeholder for a run whose journal no longer exists, so that its explorer can say so. */
function goneRun(id: string): RunView {
  const never = new Emitter<never>().event;
  return {
    type: 'live', // No `FileRun`, because there is no file.
    id,
    name: id.split('/').at(-1) ?? id,
    protocol: 'log',
    startedAt: 0,
    state: { type: 'unread' },
    onDidChangeState: never,
    level: 'debug',
    onDidChangeLevel: never,
    log: new RunLog(new RecordStore(0), 0),
    words: [],
    cwd: '',
    journal: undefined,
    redaction: undefined,
  };
}
