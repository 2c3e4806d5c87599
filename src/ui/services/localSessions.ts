import { t } from '../../text/translator';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { Emitter } from '../../text/emitter';
import { lazy } from '../../text/lazy';
import { HumanError } from '../../text/humanError';
import type { FileRunInfo } from '../../past/files/fileRunInfo';
import type { SavedSessions } from '../../past/saved/list/savedSessions';
import type { SessionFilter } from '../../past/saved/list/sessionFilter';
import { stillAlive } from '../../machine/processAlive';
import type { RunningPrograms } from '../../machine/programs';
import { chatProgram, runningPrograms } from '../../machine/programs';
import type { Configuration } from './configuration';
import { keptFolder } from '../../wire/journal/tapFolder';
import { openFolders } from '../kit/folders';

type SavedSettings = Pick<Configuration, 'showsSavedSessions' | 'savedFolders' | 'redaction' | 'redactionSources'>;

/** The sessions that other agents saved on this machine, for the tree and the chat tools. */
export type SavedSource = Pick<LocalSessions, 'isShown' | 'folders' | 'load'> & Partial<Pick<LocalSessions, 'filter'>>;

/** The sessions that other agents saved on this machine. Their code is loaded when they are first asked for. */
export class LocalSessions {
  private readonly filterEmitter = new Emitter<void>();
  /** Fires when another filter applies. */
  readonly onDidFilter = this.filterEmitter.event;
  private filtered: SessionFilter | undefined;
  private current: { readonly settings: string; readonly load: () => Promise<SavedSessions> } | undefined;

  /** @param globalStorage our own folder, for a file that keeps what was read for the next window */
  constructor(
    private readonly configuration: SavedSettings,
    private readonly globalStorage: string,
  ) {}

  /** Whether they may be read. */
  get isShown(): boolean {
    return vscode.workspace.isTrusted && this.configuration.showsSavedSessions;
  }

  /** Which sessions the Sessions view lists; `undefined` for all. */
  get filter(): SessionFilter | undefined {
    return this.filtered;
  }

  set filter(filter: SessionFilter | undefined) {
    this.filtered = filter;
    this.filterEmitter.fire();
  }

  /** The workspace's folders. */
  get folders(): readonly string[] {
    return openFolders().map(({ path }) => path);
  }

  /**
   * Another object after the settings changed. Reads nothing.
   * @throws HumanError if they may not be read
   */
  async load(): Promise<SavedSessions> {
    if (!vscode.workspace.isTrusted) {
      throw new HumanError(t('Saved sessions are read only in trusted workspaces.'));
    }
    if (!this.isShown) {
      throw new HumanError(t('Saved sessions are hidden. Enable {0} to read them.', 'agentLogs.savedSessions.show'));
    }
    const { savedFolders, redaction, redactionSources } = this.configuration;
    const settings = JSON.stringify([savedFolders, redaction !== undefined, redactionSources]);
    if (this.current?.settings !== settings) this.current = { settings, load: lazy(() => this.make()) };
    return this.current.load();
  }

  /**
   * The saved session that a file is, with its subagents; `undefined` for any other file, or if saved sessions may not be read.
   * @throws if it can't be read, or is a database of many sessions
   */
  async fileAt(path: string): Promise<FileRunInfo | undefined> {
    return this.isShown ? (await this.load()).openFile(path) : undefined;
  }

  /** The folder of our copies. */
  get keptPath(): string {
    return keptFolder({ platform: process.platform, env: process.env, home: homedir() });
  }

  private async make(): Promise<SavedSessions> {
    const { savedFolders: folders, redaction } = this.configuration;
    const [{ SavedSessions }, { userFolder }, { redactorFor }] = await Promise.all([
      import('../../past/saved/list/savedSessions'),
      import('../../past/saved/list/agentFolders'),
      import('../../redact/redactorFor'),
    ]);
    const editor = userFolder(this.globalStorage);
    const { keptPath } = this;
    return new SavedSessions({
      machine: { platform: process.platform, home: homedir(), env: process.env, editor },
      folders,
      keptPath,
      // Cached titles wouldn't be redacted again with patterns that are added later.
      ...(redaction?.patterns.isEmpty === true && { cachePath: join(this.globalStorage, 'savedSessions.json') }),
      redactor: redaction && redactorFor(redaction),
      isAlive: stillAlive(),
      programs: programsHere(),
      now: Date.now,
    });
  }
}

/** The programs of this system, and the chat of this VS Code. */
function programsHere(): RunningPrograms {
  const others = runningPrograms();
  const startedAt = Date.now() - process.uptime() * 1000;
  const chat = { pid: process.pid, names: new Set([chatProgram]), folder: undefined, startedAt };
  return (names) => (names.includes(chatProgram) ? Promise.resolve([chat]) : others(names));
}
