import * as vscode from 'vscode';
import { oneLine } from '../../log/text';
import { RecordResult } from '../../runs/explorer/recordResult';
import type { RegexRunner } from '../../runs/explorer/regexWorker';
import { messageOf } from '../../runs/humanError';
import { nowOf } from '../../runs/explorer/runQuery';
import { activeUntil } from '../../runs/files/fileRuns';
import type { RunView } from '../../runs/runView';
import { isLive } from '../../runs/runView';
import { Disposables } from '../disposables';
import { Answers } from './answers';
import type { HostMessage, PageMessage, RecordAction, RunInfo, Tab } from './messages';
import { firstGen, protocolVersion } from './messages';
import { pageHtml } from './pageHtml';
import { printState, readState } from './pageState';
import { pageStrings } from './pageStrings';
import { parseMessage } from './parseMessage';
import type { RecordActions } from './record/recordActions';
import { TurnAnswers } from './turns/turnAnswers';
import { WireAnswers } from './wire/wireAnswers';

/** How long results are kept while the page is hidden, in milliseconds. */
const keptHidden = 60_000;
/** Maximum length of an error's text, in UTF-16 units. */
const maxFailure = 300;

/** Options for opening an explorer. */
export interface OpenRequest {
  readonly query?: string | undefined;
  readonly seq?: number | undefined;
  readonly tab?: Tab | undefined;
  /** Don't move the focus, as for a click in the tree. */
  readonly preserveFocus?: boolean | undefined;
}

export interface PanelOptions {
  readonly folder: vscode.Uri;
  readonly regex: RegexRunner;
  readonly actions: RecordActions;
  /** Whether the run was closed and gets no more records. */
  isClosed(): boolean;
  /** Shows the run of the journal instead. */
  openRunJournal(): Promise<void>;
  report(error: unknown): void;
}

/** One explorer: a webview, and the answers to its page's questions about a run. */
export class ExplorerPanel {
  private readonly disposables = new Disposables();
  private readonly answers: Answers;
  private readonly wireAnswers: WireAnswers;
  private readonly turnAnswers: TurnAnswers;
  private isReady = false;
  /** Applied once the page is ready. */
  private pending: OpenRequest | undefined;
  private hiddenTimer: NodeJS.Timeout | undefined;

  constructor(
    readonly panel: vscode.WebviewPanel,
    readonly run: RunView,
    private state: string,
    private readonly options: PanelOptions,
  ) {
    const post = (message: HostMessage): void => this.post(message);
    this.answers = new Answers(run, {
      post,
      makeResult: (query) => new RecordResult(run.log, query, { now: () => nowOf(run), regex: options.regex }),
      buttonsOf: (code) => options.actions.buttonsOf(code, run),
    });
    const other = { post, now: () => activeUntil(run), regex: options.regex };
    this.wireAnswers = new WireAnswers(run, other);
    this.turnAnswers = new TurnAnswers(run, other);
    const { disposables } = this;
    disposables.add(this.answers);
    disposables.add(run.onDidChangeState(() => this.renew()));
    disposables.add(panel.webview.onDidReceiveMessage((message: unknown) => void this.receive(parseMessage(message))));
    disposables.add(panel.onDidChangeViewState(() => this.onVisibility()));
    panel.title = vscode.l10n.t('{0} – Log', oneLine(run.name, 40));
    panel.webview.options = { enableScripts: true, enableForms: false, localResourceRoots: [options.folder] };
    this.load();
  }

  /** Applies a filter, selects a record. */
  open(request: OpenRequest): void {
    this.panel.reveal(undefined, request.preserveFocus);
    if (this.isReady) this.tell(request);
    else this.pending = { ...this.pending, ...request };
  }

  /** Call when the run's state has changed, or it was closed. */
  renew(): void {
    if (this.isReady) this.post({ t: 'run', run: this.runInfo() });
  }

  focusFilter(): void {
    this.panel.reveal();
    this.post({ t: 'focus' });
  }

  act(name: RecordAction, seqs: readonly number[]): void {
    void this.perform({ t: 'act', name, seqs });
  }

  dispose(): void {
    clearTimeout(this.hiddenTimer);
    this.disposables.dispose();
  }

  /** Loads the page, anew if it is there. */
  private load(): void {
    const { webview } = this.panel;
    webview.html = pageHtml(webview, this.options.folder);
  }

  private async receive(message: PageMessage | undefined): Promise<void> {
    try {
      if (message) await this.answer(message);
    } catch (error) {
      // The page would wait for its answer forever.
      this.post({ t: 'failed', text: oneLine(messageOf(error), maxFailure) });
      this.options.report(error);
    }
  }

  private answer(message: PageMessage): void | Promise<void> {
    switch (message.t) {
      case 'ready':
        return this.onReady(message.v, message.state);
      case 'state':
        this.state = message.state;
        return;
      case 'act':
        return void this.perform(message);
      case 'turns':
      case 'turnCopy':
      case 'turnCompare':
      case 'turnComplete':
        return this.turnAnswers.answer(message);
      case 'export':
        return void this.exportShown();
      case 'wire':
      case 'wireRows':
      case 'wireBody':
      case 'wireCopy':
      case 'wireLocate':
      case 'wireNext':
      case 'wireComplete':
        return this.wireAnswers.answer(message);
      default:
        return this.answers.answer(message);
    }
  }

  private onReady(version: number, state: string): void {
    if (version !== protocolVersion) return this.load();
    // A page that was hidden has the newest state; a new one has none yet.
    if (readState(state).run === this.run.id) this.state = state;
    const restored = { ...readState(this.state), run: this.run.id };
    const { query, seq, tab = query === undefined ? undefined : 'log' } = this.pending ?? {};
    this.state = printState({
      ...restored,
      ...((query !== undefined || seq !== undefined) && { top: undefined }),
      ...(query !== undefined && { q: query }),
      ...(seq !== undefined && { seq }),
      ...(tab !== undefined && { tab }),
    });
    this.isReady = true;
    this.post({ t: 'init', v: protocolVersion, strings: pageStrings(), run: this.runInfo(), state: this.state });
    // The page would ask for it next.
    void this.receive({ t: 'query', gen: firstGen, q: readState(this.state).q });
    if (seq !== undefined) this.tell({ seq, tab });
    this.pending = undefined;
  }

  private tell({ query, seq, tab }: OpenRequest): void {
    const shown = tab ?? (query !== undefined || seq !== undefined ? 'log' : undefined);
    if (shown !== undefined) this.post({ t: 'tab', tab: shown });
    if (seq !== undefined) this.post({ t: 'reveal', seq, ...(query !== undefined && { q: query }) });
    else if (query !== undefined) this.post({ t: 'filter', q: query });
  }

  private async perform({ name, seqs }: PageMessage & { t: 'act' }): Promise<void> {
    try {
      if (name === 'openRunJournal') await this.options.openRunJournal();
      else await this.options.actions.run(name, seqs, this.run);
    } catch (error) {
      this.options.report(error);
    }
  }

  private async exportShown(): Promise<void> {
    const { shown } = this.answers;
    if (!shown) return;
    try {
      await this.options.actions.exportShown(this.run, shown);
    } catch (error) {
      this.options.report(error);
    }
  }

  /** VS Code destroys the page of a hidden panel; its results outlive it for a while. */
  private onVisibility(): void {
    clearTimeout(this.hiddenTimer);
    if (this.panel.visible) return;
    this.isReady = false;
    this.hiddenTimer = setTimeout(() => this.answers.dispose(), keptHidden);
  }

  private runInfo(): RunInfo {
    const { run } = this;
    const { state } = run;
    return {
      id: run.id,
      name: oneLine(run.name, 80),
      isLive: isLive(run) || state.type === 'following',
      isClosed: this.options.isClosed(),
      hasJournal: run.journal?.path !== undefined,
      ...(state.type === 'reading' && { progress: Math.min(1, state.read / Math.max(1, state.size)) }),
    };
  }

  /** Never awaited: a page that is hidden or not loaded yet may never answer. */
  private post(message: HostMessage): void {
    void this.panel.webview.postMessage(message);
  }
}
