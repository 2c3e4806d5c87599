import * as vscode from 'vscode';
import { shownLine } from '../../../text/text';
import type { SharedPart } from '../../../share/collectRun';
import { collectRun } from '../../../share/collectRun';
import type { Preset, ShareChoice } from '../../../share/review/choice';
import type { ShareFormat } from '../../../share/shareFormat';
import { choiceOf } from '../../../share/review/choice';
import type { Findings } from '../../../share/review/findings';
import { findIn } from '../../../share/review/findings';
import { machineNames } from '../../../share/review/machineNames';
import type { ReviewMessage, ReviewTick } from '../../../share/review/messages';
import { readReviewMessage } from '../../../share/review/messages';
import { Pauses } from '../../../share/review/pauses';
import { reviewed } from '../../../share/review/reviewed';
import type { TextPlace } from '../../../share/review/place';
import type { SharedRun } from '../../../share/sharedRun';
import type { RunView } from '../../../runLog/runView';
import { faultError } from '../../../explorer/page/pageFault';
import { Cancelled } from '../../../time/waiting';
import { Disposables } from '../../kit/disposables';
import { pageHtml } from '../explorer/pageHtml';
import { reviewView } from './reviewView';

export interface ReviewOptions {
  readonly run: RunView;
  readonly part: SharedPart;
  readonly choice: ShareChoice;
  readonly format: ShareFormat;
  /** Of the page's files. */
  readonly folder: vscode.Uri;
  /** Shows a record, a message or a step in the Log Explorer. */
  open(place: TextPlace): Promise<unknown>;
  /** The size of the file of a run, in bytes. */
  measure(run: SharedRun, format: ShareFormat, token: vscode.CancellationToken): Promise<number>;
  /** Writes the file; `undefined` if the user picks none. */
  save(run: SharedRun, format: ShareFormat): Promise<vscode.Uri | undefined>;
  report(error: unknown): void;
}

interface Reviewed {
  readonly run: SharedRun;
  readonly size: number;
}

/** Shows what a run's file would have, and writes it if the user says so. */
export class ReviewPanel {
  private readonly disposables = new Disposables();
  private readonly title: string;
  /** Cancelled when the panel is closed. */
  private readonly closing = new vscode.CancellationTokenSource();
  private measuring = new vscode.CancellationTokenSource();
  private shared: SharedRun | undefined;
  private findings: Findings | undefined;
  private choice: ShareChoice;
  private format: ShareFormat;
  private latest: Promise<Reviewed> | undefined;
  private size: number | undefined;
  private isSaving = false;
  private saved: vscode.Uri | undefined;
  /** The file that was written, when the panel is closed. */
  readonly done: Promise<vscode.Uri | undefined>;

  constructor(
    private readonly panel: vscode.WebviewPanel,
    private readonly options: ReviewOptions,
  ) {
    this.choice = options.choice;
    this.format = options.format;
    this.title = titleOf(options);
    panel.title = this.title;
    const { webview } = panel;
    this.disposables.add(webview.onDidReceiveMessage((message: unknown) => void this.receive(message)));
    this.done = new Promise((resolve) => {
      panel.onDidDispose(() => {
        this.closing.cancel();
        this.measuring.cancel();
        this.disposables.dispose();
        resolve(this.saved);
      });
    });
    webview.options = { enableScripts: true, enableForms: false, localResourceRoots: [options.folder] };
    webview.html = pageHtml(webview, options.folder, { script: 'review.js', style: 'reviewStyle.css' });
    void this.attempt(() => this.read());
  }

  private async read(): Promise<void> {
    const { run, part } = this.options;
    const { token } = this.closing;
    this.shared = await collectRun(run, { part, now: Date.now(), token });
    this.findings = await findIn(this.shared, machineNames(), new Pauses(token));
    await this.choose(this.choice, this.format);
  }

  private async receive(message: unknown): Promise<void> {
    const said = readReviewMessage(message);
    if (said) await this.attempt(() => this.act(said));
  }

  private async act(said: ReviewMessage): Promise<void> {
    switch (said.type) {
      case 'ready':
        this.show();
        return;
      case 'tick':
        return this.choose(ticked(this.choice, said.id, said.isChecked), this.format);
      case 'preset':
        return this.choose(presetOf(said.id, this.choice), this.format);
      case 'format':
        return this.choose(this.choice, said.id);
      case 'open':
        await this.options.open(said.place);
        return;
      case 'save':
        return this.save();
      case 'fault':
        throw faultError(said.fault, this.title);
      case 'cancel':
        this.panel.dispose();
    }
  }

  private async choose(choice: ShareChoice, format: ShareFormat): Promise<void> {
    const { shared, findings } = this;
    if (this.isSaving) {
      // What is shown is what is written.
      this.show();
      return;
    }
    this.choice = choice;
    this.format = format;
    if (!shared || !findings) return;
    this.measuring.cancel();
    const { token } = (this.measuring = new vscode.CancellationTokenSource());
    this.size = undefined;
    this.show();
    const latest = (async () => {
      const run = await reviewed(shared, choice, findings.names, new Pauses(token));
      return { run, size: await this.options.measure(run, format, token) };
    })();
    this.latest = latest;
    const { size } = await latest;
    if (token.isCancellationRequested) return;
    this.size = size;
    this.show();
  }

  /** Writes what is shown. */
  private async save(): Promise<void> {
    if (!this.latest || this.isSaving) return;
    this.isSaving = true;
    this.show();
    try {
      const { run } = await this.latest;
      this.saved = await this.options.save(run, this.format);
    } finally {
      this.isSaving = false;
    }
    if (this.saved) this.panel.dispose();
    else this.show();
  }

  private show(): void {
    if (this.closing.token.isCancellationRequested) return;
    const { title, findings, choice, format, size, isSaving } = this;
    void this.panel.webview.postMessage(reviewView({ title, findings, choice, format, size, isSaving }));
  }

  private async attempt(work: () => void | Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (error instanceof Cancelled) return;
      this.options.report(error);
      this.show();
    }
  }
}

function titleOf({ run, part }: ReviewOptions): string {
  const name = shownLine(run.name, 60);
  switch (part.type) {
    case 'run':
      return vscode.l10n.t('Share {0}', name);
    case 'session':
      return vscode.l10n.t('Share a session of {0}', name);
    case 'selection':
      return vscode.l10n.t('Share {0} records of {1}', part.seqs.size, name);
  }
}

function ticked(choice: ShareChoice, id: ReviewTick, isChecked: boolean): ShareChoice {
  if (id === 'personal') return { ...choice, replacesPersonal: isChecked };
  if (id === 'suspects') return { ...choice, cutsSuspects: isChecked };
  const include = new Set(choice.include);
  if (isChecked) include.add(id);
  else include.delete(id);
  return { ...choice, include };
}

/** What is replaced and cut stays as it is. */
function presetOf(preset: Preset, choice: ShareChoice): ShareChoice {
  return { ...choice, include: choiceOf(preset).include };
}
