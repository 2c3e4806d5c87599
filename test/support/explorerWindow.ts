import './vscodeStub';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Element, HTMLElement, HTMLInputElement } from 'happy-dom';
import { Window } from 'happy-dom';
import type { WebviewPanel } from 'vscode';
import { Emitter } from '../../src/text/emitter';
import { RecordStore } from '../../src/store/store';
import { interpretation } from '../../src/runLog/reading/interpretation';
import { RunLog } from '../../src/runLog/runLog';
import type { RunView } from '../../src/runLog/runView';
import type { OpenRequest, PanelOptions } from '../../src/ui/surfaces/explorer/explorerPanel';
import { ExplorerPanel } from '../../src/ui/surfaces/explorer/explorerPanel';
import { journalLine } from '../../src/wire/journal/journalLine';
import type { WireEvent } from '../../src/wire/wireEvent';
import { pageScript } from './pageScript';
import { copied } from './vscodeStub';

/** In CSS pixels; there is no layout otherwise. */
const viewHeight = 440;

/** A live run that a test writes line by line, with its journal. */
export class WrittenRun {
  private readonly stateEmitter = new Emitter<RunView['state']>();
  private readonly folder = mkdtempSync(join(tmpdir(), 'agent-logs-'));
  private readonly journal = join(this.folder, 'run.ndjson');
  private readonly interpreter;
  readonly view: RunView;

  constructor(events: readonly WireEvent[] = [], { protocol = 'acp', ...some }: Partial<RunView> = {}) {
    const log = new RunLog(new RecordStore(1e8), events[0]?.t ?? 0);
    this.interpreter = interpretation(protocol, log);
    this.view = {
      type: 'live',
      id: 'run-1',
      name: 'Bookshop Agent',
      protocol,
      startedAt: events[0]?.t ?? 0,
      state: { type: 'running' } as RunView['state'],
      onDidChangeState: this.stateEmitter.event,
      level: 'debug',
      onDidChangeLevel: new Emitter<never>().event,
      log,
      words: [],
      cwd: '',
      redaction: undefined,
      journal: {
        path: this.journal,
        paths: [this.journal],
        flush: () => Promise.resolve(),
        delete: () => Promise.resolve(),
      },
      ...some,
    };
    this.write(...events);
  }

  write(...events: readonly WireEvent[]): void {
    appendFileSync(this.journal, events.map((event) => `${journalLine(event, this.view.startedAt)}\n`).join(''));
    for (const event of events) this.interpreter.accept(event);
    this.view.log.flush();
  }

  dispose(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

interface OpenOptions extends Partial<PanelOptions> {
  /** The run as the host sees it. */
  readonly view?: RunView;
  /** What comes instead of a message of the host. */
  readonly replace?: (message: SentMessage) => readonly SentMessage[];
}

export type SentMessage = Readonly<Record<string, unknown>>;

type Modifiers = Readonly<Partial<Record<'shift' | 'ctrl' | 'alt', boolean>>>;

/** A message that crossed between the page and its host. */
interface Crossed {
  readonly from: 'page' | 'host';
  readonly message: SentMessage;
}

/**
 * An open Log Explorer: the real page in a DOM without layout, and the real host, which answers about a run. What depends on layout
 * and painting is tested in VS Code.
 */
export class ExplorerWindow {
  readonly crossed: Crossed[] = [];
  readonly errors: unknown[] = [];
  readonly acts: string[] = [];
  private readonly received = new Emitter<unknown>();
  private readonly viewState = new Emitter<{ readonly webviewPanel: WebviewPanel }>();
  private window: Window | undefined;
  private kept: string | undefined;
  /** As the host keeps them. */
  columns = '';
  readonly host: ExplorerPanel;

  private constructor(
    private readonly run: WrittenRun,
    private readonly code: string,
    { view = run.view, replace = (message) => [message], ...options }: OpenOptions,
  ) {
    const load = (): void => this.load();
    const panel = {
      title: '',
      visible: true,
      active: true,
      viewType: 'agentLogs.explorer',
      reveal: () => undefined,
      onDidChangeViewState: this.viewState.event,
      webview: {
        options: {},
        cspSource: 'test:',
        asWebviewUri: (uri: unknown) => uri,
        set html(_: string) {
          load();
        },
        onDidReceiveMessage: this.received.event,
        postMessage: (sent: SentMessage) => {
          for (const message of replace(sent)) {
            this.crossed.push({ from: 'host', message });
            const copy = structuredClone(message);
            setImmediate(() => this.window?.dispatchEvent(new this.window.MessageEvent('message', { data: copy })));
          }
          return Promise.resolve(true);
        },
      },
    } as unknown as WebviewPanel;
    this.host = new ExplorerPanel(panel, view, '', {
      folder: { path: '/explorer' } as unknown as PanelOptions['folder'],
      regex: { matches: () => Promise.resolve([]) },
      actions: {
        buttonsOf: () => [],
        endButtons: () => [{ action: 'restart', label: 'Restart' }],
        run: (name: string, seqs: readonly number[]) => {
          this.acts.push(`${name} ${seqs.join(',')}`);
          return Promise.resolve();
        },
      } as unknown as PanelOptions['actions'],
      far: { ends: () => new Map(), open: () => undefined, onDidChange: () => ({ dispose: () => undefined }) },
      isClosed: () => false,
      columns: { get: () => this.columns, set: (columns) => void (this.columns = columns) },
      openRunJournal: () => Promise.resolve(),
      report: (error) => this.errors.push(error),
      ...options,
    });
  }

  /** Opens the explorer of a run, and waits for its first rows. */
  static async open(run: WrittenRun, request: OpenRequest = {}, options: OpenOptions = {}): Promise<ExplorerWindow> {
    const opened = new ExplorerWindow(run, await pageScript(), options);
    copied.text = '';
    opened.host.open(request);
    await opened.until(() => opened.find('main'));
    return opened;
  }

  async close(): Promise<void> {
    this.host.dispose();
    await this.window?.happyDOM.abort();
    this.window?.close();
    this.window = undefined;
    this.run.dispose();
  }

  get document() {
    if (!this.window) throw new Error('The page isn’t loaded.');
    return this.window.document;
  }

  /** The text in the clipboard. */
  get copied(): string {
    return copied.text;
  }

  get focused(): Element | null {
    return this.document.activeElement;
  }

  find(selector: string): HTMLElement | undefined {
    return this.document.querySelector<HTMLElement>(selector) ?? undefined;
  }

  all(selector: string): HTMLElement[] {
    return [...this.document.querySelectorAll<HTMLElement>(selector)];
  }

  /** The text of an element, '' if it is missing. */
  text(selector: string): string {
    return this.find(selector)?.textContent ?? '';
  }

  /** The texts of all elements. */
  texts(selector: string): readonly string[] {
    return this.all(selector).map(({ textContent }) => textContent);
  }

  get filter(): HTMLInputElement {
    return this.element('#filter') as unknown as HTMLInputElement;
  }

  /** The list of the tab that is shown. */
  get list(): HTMLElement {
    return this.element('[role=tabpanel]:not([hidden]) :is([role=grid], [role=treegrid])');
  }

  /** The rows in view, as text. */
  get rows(): readonly string[] {
    return [...this.list.querySelectorAll('[role=row][aria-rowindex]')]
      .filter((row) => !row.hasAttribute('hidden'))
      .map(({ textContent }) => textContent);
  }

  /** The text of the row that the list names as its active one. */
  get activeRow(): string {
    const id = this.list.getAttribute('aria-activedescendant');
    return id === null ? '' : this.text(`#${id}`);
  }

  button(name: RegExp | string): HTMLElement {
    const found = this.all('button').find((one) => {
      const label = one.getAttribute('aria-label') ?? one.textContent;
      return typeof name === 'string' ? label === name : name.test(label);
    });
    if (!found) throw new Error(`There is no button ${String(name)}.`);
    return found;
  }

  click(target: HTMLElement | string): void {
    const element = typeof target === 'string' ? this.element(target) : target;
    this.point(element, 'pointerdown');
    element.click();
  }

  /** Moves the pointer over an element, or presses a button on it. */
  point(target: HTMLElement, type: 'pointermove' | 'pointerdown' | 'contextmenu'): void {
    const { window } = this;
    if (window) target.dispatchEvent(new window.PointerEvent(type, { bubbles: true, cancelable: true }));
  }

  /** Opens the context menu of an element. */
  async openMenu(target: HTMLElement): Promise<void> {
    this.point(target, 'contextmenu');
    await this.until(() => this.find('[role=menu]'));
  }

  /** Presses a key in the element that has the focus, or in another one. */
  press(key: string, options: Modifiers & { readonly on?: HTMLElement } = {}): void {
    const { window } = this;
    const { shift: shiftKey = false, ctrl: ctrlKey = false, alt: altKey = false, on: target = this.focused } = options;
    if (!window || !target) return;
    const init = { key, bubbles: true, cancelable: true, shiftKey, ctrlKey, altKey };
    target.dispatchEvent(new window.KeyboardEvent('keydown', init));
  }

  /** Presses a key in the list. */
  async key(key: string, options: Modifiers = {}): Promise<void> {
    this.list.focus();
    this.press(key, options);
    await this.settled();
  }

  /** The command that copies, in the list. */
  copy(): void {
    const { window } = this;
    copied.text = '';
    if (window) this.list.dispatchEvent(new window.Event('copy', { bubbles: true, cancelable: true }));
  }

  /** Replaces the text of the filter, as typed. */
  async type(text: string): Promise<void> {
    const { filter, window } = this;
    filter.focus();
    filter.value = text;
    filter.setSelectionRange(text.length, text.length);
    if (window) filter.dispatchEvent(new window.InputEvent('input', { bubbles: true }));
    await this.settled();
  }

  /** Waits until a value is truthy. */
  async until<Value>(read: () => Value, what = String(read)): Promise<NonNullable<Value>> {
    const deadline = Date.now() + 50_000;
    for (;;) {
      const value = read();
      if (value !== undefined && value !== null && value !== false) return value;
      if (Date.now() > deadline) throw new Error(`Not within 50 s: ${what}\n${this.errors.join('\n')}\n${this.shown}`);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }

  /** What the page shows, as text. */
  private get shown(): string {
    return this.all('main *')
      .filter((one) => one.children.length === 0 && one.textContent !== '')
      .map(({ textContent }) => textContent)
      .join(' | ')
      .slice(0, 3000);
  }

  /** Lets messages cross, and frames be drawn. */
  async settled(): Promise<void> {
    for (let round = 0; round < 6; round++) await new Promise((resolve) => setTimeout(resolve, 8));
  }

  private element(selector: string): HTMLElement {
    const found = this.find(selector);
    if (!found) throw new Error(`There is no ${selector}.`);
    return found;
  }

  /** Loads the page, anew if it was hidden. */
  load(): void {
    void this.window?.happyDOM.abort();
    const window = new Window({
      url: 'https://localhost/',
      settings: { enableJavaScriptEvaluation: true, suppressInsecureJavaScriptEnvironmentWarning: true },
    });
    this.window = window;
    const tops = new WeakMap<object, number>();
    Object.defineProperties(window.HTMLElement.prototype, {
      clientHeight: { configurable: true, get: () => viewHeight },
      scrollTop: {
        configurable: true,
        get(this: HTMLElement): number {
          return tops.get(this) ?? 0;
        },
        set(this: HTMLElement, top: number): void {
          if (tops.get(this) === top) return;
          tops.set(this, top);
          setImmediate(() => this.dispatchEvent(new window.Event('scroll')));
        },
      },
    });
    Object.assign(window, {
      acquireVsCodeApi: () => ({
        postMessage: (message: { readonly [name: string]: unknown }) => {
          this.crossed.push({ from: 'page', message });
          const copy: unknown = structuredClone(message);
          setImmediate(() => this.window === window && this.received.fire(copy));
        },
        getState: () => this.kept,
        setState: (state: string): void => void (this.kept = state),
      }),
      ResizeObserver: class {
        constructor(private readonly call: () => void) {}
        observe(): void {
          setImmediate(() => this.call());
        }
        disconnect(): void {}
      },
    });
    // Once the host has been constructed.
    setImmediate(() => void window.eval(this.code));
  }
}
