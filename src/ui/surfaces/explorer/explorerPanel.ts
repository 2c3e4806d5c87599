import * as vscode from 'vscode';
import type { Event } from '../../../text/emitter';
import { shownLine } from '../../../text/text';
import { RecordResult } from '../../../matches/recordResult';
import type { RegexRunner } from '../../../store/regexRunner';
import { faultError } from '../../../explorer/page/pageFault';
import { nowOf } from '../../../runs/runQuery';
import { activeUntil } from '../../../past/files/fileRuns';
import type { FarEnd } from '../../../runLog/joins/joinedRun';
import type { RunView } from '../../../runLog/runView';
import { isLive } from '../../../runLog/runView';
import type { WireBodies } from '../../../runLog/wire/wireBodies';
import { readBodies } from '../../../past/files/wireBodies';
import { bodiesInMemory } from '../../../runLog/wire/wireBodies';
import type { WireEntry } from '../../../runLog/wire/wireRows';
import { turnTarget } from '../../kit/commandTarget';
import { Disposables } from '../../kit/disposables';
import { commandIds } from '../../manifest/commands';
import { l10n } from '../../kit/translate';
import type { RecordActions } from './record/recordActions';
import { Answers } from '../../../explorer/page/answers';
import { dispatch } from '../../../explorer/page/dispatch';
import type {
  ArgsOf,
  FirstPage,
  Handlers,
  HostMessage,
  Pushes,
  RecordAction,
  RunInfo,
  Tab,
} from '../../../explorer/page/messages';
import { firstGen, protocolVersion } from '../../../explorer/page/messages';
import { pageHtml } from './pageHtml';
import { firstWireFilter, isWireOrder, printState, readState } from '../../../explorer/page/pageState';
import { runEnd } from '../../../explorer/page/runEnd';
import { RecordAnswers } from '../../../explorer/record/recordAnswers';
import { TurnAnswers } from '../../../explorer/turns/turnAnswers';
import { WireAnswers } from '../../../explorer/wire/wireAnswers';

/** How long results are kept while the page is hidden, in milliseconds. */
const keptHidden = 60_000;

/** Options for opening an explorer. */
export interface OpenRequest {
  readonly query?: string | undefined;
  readonly seq?: number | undefined;
  readonly tab?: Tab | undefined;
  /** A row of Wire, for that tab. */
  readonly message?: number | undefined;
  /** Go to the newest records and follow them. */
  readonly end?: boolean | undefined;
  /** Leave the user alone who has selected something meanwhile. */
  readonly unlessSelected?: boolean | undefined;
  /** Don't move the focus, as for a click in the tree. */
  readonly preserveFocus?: boolean | undefined;
}

export interface PanelOptions {
  readonly actions: RecordActions;
  readonly folder: vscode.Uri;
  readonly regex: RegexRunner;
  /** Shows the run of the journal instead. */
  openRunJournal(): Promise<void>;
  report(error: unknown): void;
  /** The runs at the other ends of its calls. */
  readonly far: {
    ends(): ReadonlyMap<string, readonly FarEnd[]>;
    open(run: FarEnd['run'], at: { readonly seq: number; readonly tab: Tab }): void;
    /** Fires when other runs are there. */
    readonly onDidChange: Event<void>;
  };
  /** Whether the run was closed and gets no more records. */
  isClosed(): boolean;
  /** What the user has changed about the columns, as the page printed it. */
  readonly columns: { get(): string; set(columns: string): void };
}

/** One explorer: a webview, and the answers to its page's questions about a run. */
export class ExplorerPanel {
  private readonly disposables = new Disposables();
  private readonly answers: Answers;
  private readonly handlers: Handlers;
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
    const { actions, regex } = options;
    this.answers = new Answers(run, {
      l10n,
      onResult: (result) => this.push('result', result),
      makeResult: (query) => new RecordResult(run.log, query, { now: () => nowOf(run), regex }),
      export: (matches) => actions.exportShown(run, matches),
    });
    const copy = (text: string): Thenable<void> => vscode.env.clipboard.writeText(text);
    const other = { l10n, now: () => activeUntil(run), regex, copy };
    this.handlers = {
      page: {
        ready: (args) => this.onReady(args),
        keep: ({ state: kept }) => void (this.state = kept),
        columns: ({ columns }) => options.columns.set(columns),
        fault: (fault) => options.report(faultError(fault, shownLine(run.name, 80))),
        restart: () => {
          this.isReady = false;
          this.state = '';
          this.load();
        },
      },
      log: this.answers,
      record: new RecordAnswers(run, {
        l10n,
        buttonsOf: (problem) => actions.buttonsOf(problem, run),
        act: (name, seqs) => this.actOn(name, seqs),
      }),
      wire: new WireAnswers(run, {
        ...other,
        bodiesOf: (entry) => bodiesOf(run, entry),
        missingNote: () => missingNote(run),
      }),
      turns: new TurnAnswers(run, {
        ...other,
        far: { ...options.far, run },
        showChanges: (id, file) =>
          void vscode.commands.executeCommand(commandIds.showChanges, turnTarget(run, id, file)),
        compare: (id) => void vscode.commands.executeCommand(commandIds.compare, turnTarget(run, id)),
      }),
    };
    const { disposables } = this;
    disposables.add(this.answers);
    disposables.add(run.onDidChangeState(() => this.renew()));
    disposables.add(options.far.onDidChange(() => this.isReady && this.push('turns', null)));
    disposables.add(panel.webview.onDidReceiveMessage((message: unknown) => void this.receive(message)));
    disposables.add(panel.onDidChangeViewState(() => this.onVisibility()));
    this.entitle();
    panel.webview.options = { enableScripts: true, enableForms: false, localResourceRoots: [options.folder] };
    this.load();
  }

  /** Whether the filter of the log is nothing but a session. */
  get showsSession(): boolean {
    return /^session:\S+$/.test(this.pending?.query ?? readState(this.state).q);
  }

  /** Sets the tab's title. @param origin tells it from another of the same name */
  entitle(origin?: string): void {
    const name = shownLine(this.run.name, 40);
    this.panel.title = vscode.l10n.t('{0} – Log', origin === undefined ? name : `${name} · ${origin}`);
  }

  /** Applies a filter, selects a record. */
  open(request: OpenRequest): void {
    if (request.unlessSelected !== true) this.panel.reveal(undefined, request.preserveFocus);
    if (this.isReady) this.tell(request);
    else this.pending = { ...this.pending, ...request };
  }

  /** Call when the run's state has changed, or it was closed. */
  renew(): void {
    if (this.isReady) this.push('run', this.runInfo());
  }

  focusFilter(): void {
    this.panel.reveal();
    this.push('focus', null);
  }

  act(name: RecordAction, seqs: readonly number[]): void {
    void this.handlers.record.act({ name, seqs });
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

  private async receive(message: unknown): Promise<void> {
    const answer = await dispatch(message, this.handlers, l10n, (error) => this.options.report(error));
    if (answer) this.post(answer);
  }

  private async onReady({ v, state }: ArgsOf<'page.ready'>): Promise<FirstPage | null> {
    if (v !== protocolVersion) {
      this.load();
      return null;
    }
    // A page that was hidden has the newest state; a new one has none yet.
    if (readState(state).run === this.run.id) this.state = state;
    const restored = { ...readState(this.state), run: this.run.id };
    const { query, seq, end, tab = query === undefined && end !== true ? undefined : 'log' } = this.pending ?? {};
    this.state = printState({
      ...restored,
      ...((query !== undefined || seq !== undefined) && { top: undefined }),
      ...(query !== undefined && { q: query, seen: undefined }),
      ...(seq !== undefined && { seq }),
      ...(end === true && seq === undefined && { seq: undefined, top: undefined, follow: true }),
      ...(tab !== undefined && { tab }),
    });
    this.isReady = true;
    // The page would ask for it next.
    this.answers.query({ gen: firstGen, q: readState(this.state).q });
    const message = this.pending?.message;
    if (seq !== undefined || message !== undefined) this.tell({ seq, tab, message });
    this.pending = undefined;
    return {
      locale: vscode.env.language,
      translations: vscode.l10n.bundle ?? {},
      run: this.runInfo(),
      state: this.state,
      columns: this.options.columns.get(),
      // The page asks again if this fails, and shows why.
      ...(await this.opened().catch(() => ({}))),
    };
  }

  /** What the page's tab would ask first. */
  private async opened(): Promise<Pick<FirstPage, 'wire' | 'turns'>> {
    const { wire, turns } = this.handlers;
    const { tab, wireQ: q = firstWireFilter, wireSort, turnsQ, seq = null } = readState(this.state);
    switch (tab) {
      case 'log':
        return {};
      case 'wire': {
        const rows = this.runInfo().isLive && isWireOrder(wireSort) ? 'last' : 'first';
        return { wire: await wire.find({ q, ...wireSort, row: null, seq, rows }) };
      }
      case 'turns':
        return { turns: await turns.find({ q: turnsQ, rows: 'oldest', seq }) };
    }
  }

  private tell({ query, seq, tab, message, end = false, unlessSelected = false }: OpenRequest): void {
    const shown = tab ?? (query !== undefined || seq !== undefined || end ? 'log' : undefined);
    this.push('open', {
      ...(shown !== undefined && { tab: shown }),
      ...(seq !== undefined && { seq }),
      ...(query !== undefined && { q: query }),
      ...(message !== undefined && { message }),
      ...(end && { end }),
      ...(unlessSelected && { unlessSelected }),
    });
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
      name: shownLine(run.name, 80),
      isLive: isLive(run) || state.type === 'following',
      isClosed: this.options.isClosed(),
      hasJournal: run.journal?.path !== undefined,
      hasEditor: true,
      ...(state.type === 'ended' && { end: runEnd(state.termination, this.options.actions.endButtons(run), l10n) }),
      ...(state.type === 'reading' && { progress: Math.min(1, state.read / Math.max(1, state.size)) }),
    };
  }

  /** Errors are reported: their buttons are part of it. */
  private async actOn(name: RecordAction, seqs: readonly number[]): Promise<void> {
    const { options } = this;
    try {
      if (name === 'openRunJournal') await options.openRunJournal();
      else await options.actions.run(name, seqs, this.run);
    } catch (error) {
      options.report(error);
    }
  }

  private push<Name extends keyof Pushes>(push: Name, data: Pushes[Name]): void {
    this.post({ push, data } as HostMessage);
  }

  /** Never awaited: a page that is hidden or not loaded yet may never answer. */
  private post(message: HostMessage): void {
    void this.panel.webview.postMessage(message);
  }
}

/** From the journal; what it doesn't have may still be in memory. */
async function bodiesOf(run: RunView, entry: WireEntry): Promise<WireBodies> {
  const found = await readBodies(run, entry, run.log.wire.rankAmongTwins(entry));
  return { ...bodiesInMemory(run.log, entry), ...found };
}

function missingNote({ journal }: RunView): string {
  return journal?.path === undefined
    ? vscode.l10n.t(
        'Part of this is missing: journals are off (`agentLogs.journal.enabled`), so messages are kept only while they are in memory.',
      )
    : vscode.l10n.t('Part of this isn’t in the journal.');
}
