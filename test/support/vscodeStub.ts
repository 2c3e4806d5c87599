// A stub of the `vscode` module for unit tests. Import this file before the code to test.
import Module from 'node:module';
import { Emitter } from '../../src/text/emitter';
import { FakeQuickPick, quickPicks } from './fakeQuickPick';

class ThemeColor {
  constructor(readonly id: string) {}
}

class ThemeIcon {
  constructor(
    readonly id: string,
    readonly color?: ThemeColor,
  ) {}
}

class TreeItem {
  constructor(
    readonly label: string,
    readonly collapsibleState: number = 0,
  ) {}
}

/** The messages of all error notifications, and the buttons of the latest. */
export const shownErrors: string[] = [];
export const shownButtons: string[] = [];

/** The messages of all information notifications. */
export const shownInformation: string[] = [];

/** The texts in the status bar, and those that were there at each question. */
export const statusBar = { shown: new Set<string>(), atQuestions: [] as string[] };

/** The clipboard. */
export const copied = { text: '' };

/** The names of the output channels that exist. */
export const outputChannels: string[] = [];

class Uri {
  constructor(
    readonly scheme: string,
    readonly path: string,
  ) {}

  static from({ scheme, path }: { readonly scheme: string; readonly path: string }): Uri {
    return new Uri(scheme, path);
  }

  static file(path: string): Uri {
    return new Uri('file', path);
  }

  static joinPath({ scheme, path }: Uri, name: string): Uri {
    return new Uri(scheme, `${path}/${name}`);
  }
}

/** The commands that were registered, by their ids. */
export const registered = new Map<string, (...args: readonly unknown[]) => unknown>();

/** The tools for chat agents that were registered, by their names. */
export const registeredTools = new Map<string, RegisteredTool>();

interface RegisteredTool {
  invoke(options: object, token: object): Promise<{ readonly content: readonly { readonly value: string }[] }>;
}

/** The user's settings, their readings so far, and the events of the workspace. */
export const workspace = {
  settings: new Map<string, unknown>(),
  readings: 0,
  changed: new Emitter<{ affectsConfiguration(section: string): boolean }>(),
  foldersChanged: new Emitter<void>(),
  trusted: new Emitter<void>(),
};

/** Where the window runs. */
export const env = {
  language: 'en',
  shell: '/bin/bash',
  remoteName: undefined as string | undefined,
  clipboard: {
    writeText(text: string): Promise<void> {
      copied.text = text;
      return Promise.resolve();
    },
  },
};

/** A webview panel without a window. */
class FakePanel {
  readonly webview = { html: '' };
  readonly closed = new Emitter<void>();
  readonly onDidDispose = this.closed.event;
  reveals = 0;

  constructor(
    readonly viewType: string,
    public title: string,
    _column: unknown,
    readonly options: object,
  ) {
    panels.push(this);
  }

  reveal(): void {
    this.reveals++;
  }

  dispose(): void {
    this.closed.fire();
  }
}

/** The webview panels that were opened. */
export const panels: FakePanel[] = [];

const stub = {
  ViewColumn: { Active: -1 },
  commands: {
    registerCommand(id: string, run: (...args: readonly unknown[]) => unknown) {
      registered.set(id, run);
      return { dispose: () => registered.delete(id) };
    },
  },
  lm: {
    registerTool(name: string, tool: RegisteredTool) {
      registeredTools.set(name, tool);
      return { dispose: () => registeredTools.delete(name) };
    },
  },
  LanguageModelTextPart: class {
    constructor(readonly value: string) {}
  },
  LanguageModelToolResult: class {
    constructor(readonly content: readonly object[]) {}
  },
  version: '1.105.0',
  CancellationTokenSource: class {
    readonly token = { isCancellationRequested: false };
  },
  LogLevel: { Off: 0, Trace: 1, Debug: 2, Info: 3, Warning: 4, Error: 5 },
  workspace: {
    isTrusted: true,
    getConfiguration: () => ({
      get: (name: string) => {
        workspace.readings++;
        return workspace.settings.get(name);
      },
      inspect: (name: string) => ({ globalValue: workspace.settings.get(name) }),
    }),
    onDidChangeConfiguration: workspace.changed.event,
    onDidChangeWorkspaceFolders: workspace.foldersChanged.event,
    onDidGrantWorkspaceTrust: workspace.trusted.event,
  },
  env,
  EventEmitter: class {
    private readonly emitter = new Emitter<unknown>();
    readonly event = this.emitter.event;
    fire(value: unknown): void {
      this.emitter.fire(value);
    }
    dispose(): void {
      // Nothing to release.
    }
  },
  FileDecoration: class {
    constructor(
      readonly badge: string,
      readonly tooltip: string,
      readonly color: ThemeColor,
    ) {}
  },
  Uri,
  window: {
    createWebviewPanel: (...given: ConstructorParameters<typeof FakePanel>) => new FakePanel(...given),
    createOutputChannel(name: string): object {
      outputChannels.push(name);
      return {
        logLevel: 3,
        onDidChangeLogLevel: new Emitter<number>().event,
        dispose: () => outputChannels.splice(outputChannels.indexOf(name), 1),
      };
    },
    /** A view that is hidden. */
    createTreeView: () => ({
      visible: false,
      onDidChangeVisibility: new Emitter<void>().event,
      onDidExpandElement: new Emitter<void>().event,
      onDidCollapseElement: new Emitter<void>().event,
      dispose: () => undefined,
    }),
    registerFileDecorationProvider: () => ({ dispose: () => undefined }),
    createQuickPick(): FakeQuickPick {
      const picker = new FakeQuickPick();
      quickPicks.push(picker);
      return picker;
    },
    createStatusBarItem() {
      const item = {
        text: '',
        show: () => statusBar.shown.add(item.text),
        dispose: () => statusBar.shown.delete(item.text),
      };
      return item;
    },
    /** Answered by the first button. */
    showInformationMessage(message: string, button?: string): Promise<string | undefined> {
      shownInformation.push(message);
      statusBar.atQuestions.push([...statusBar.shown].join());
      return Promise.resolve(button);
    },
    showErrorMessage(message: string, ...items: readonly { readonly title: string }[]): Promise<undefined> {
      shownErrors.push(message);
      shownButtons.splice(0, Infinity, ...items.map(({ title }) => title));
      return Promise.resolve(undefined);
    },
  },
  l10n: {
    t: (text: string, ...args: readonly unknown[]) =>
      args.length === 0 ? text : text.replace(/\{(\d+)\}/g, (_, index) => String(args[Number(index)])),
  },
  StatusBarAlignment: { Left: 1 },
  QuickPickItemKind: { Separator: -1, Default: 0 },
  ThemeColor,
  ThemeIcon,
  TreeItem,
  TreeItemCollapsibleState: { None: 0, Collapsed: 1, Expanded: 2 },
};

const loader = Module as unknown as { _load(request: string, ...rest: readonly unknown[]): unknown };
const load = loader._load.bind(Module);
loader._load = (request, ...rest) => (request === 'vscode' ? stub : load(request, ...rest));
