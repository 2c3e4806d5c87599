import { translate } from '../kit/translate';
import * as vscode from 'vscode';
import { OwnPatterns } from '../../redact/ownPatterns';
import type { Redaction } from '../../redact/redactorFor';
import type { Threshold } from '../../text/level';
import { isThreshold } from '../../text/level';
import type { Timeouts } from '../../diagnosis/timeouts';
import { timeoutsFor } from '../../diagnosis/timeouts';
import type { JsonObject } from '../../text/json';
import { arrayOf, objectOf } from '../../text/json';
import type { Retention } from '../../wire/journal/journalFolder';
import type { AgentDefinitions } from '../../live/config/agentDefinition';
import { agentDefinitions, agentsOfFolders } from '../../live/config/agentDefinition';
import { TimeLimit } from '../../machine/timeLimit';
import { DisposableOwner } from '../kit/disposables';
import { prefix } from '../manifest/names';
import type { SettingEntry, SettingName } from '../manifest/settings';
import { settings } from '../manifest/settings';
import { redactionPatterns } from '../../redact/redactionPatterns';
import type { PriceList } from '../../work/usage/prices';
import { priceListOf } from '../../work/usage/prices';

const mebibyte = 1024 * 1024;

/** Sizes in bytes, the age in milliseconds. */
export interface JournalSettings extends Retention {
  readonly enabled: boolean;
  readonly maxFileSize: number;
}

export interface ConfigurationChange {
  /** Whether nothing but `agentLogs.agents` changed. */
  readonly isOfAgents: boolean;
}

/** The values of a setting in each scope, unchecked. */
interface SettingValues {
  readonly globalValue?: unknown;
  readonly workspaceValue?: unknown;
  readonly workspaceFolderValue?: unknown;
}

/** The settings of a type. */
type NamesOf<Type extends SettingEntry['type']> = {
  [Name in SettingName]: (typeof settings)[Name]['type'] extends Type ? Name : never;
}[SettingName];

/** The user's redaction patterns, compiled from the setting. */
interface OwnRedaction extends Redaction {
  readonly setting: string;
  /** The sources of those that were disabled because they took too long. */
  readonly timedOut: Set<string>;
}

/** The settings, all checked except those of the export. Only this file calls `getConfiguration`. */
export class Configuration extends DisposableOwner {
  private readonly changeEmitter = this.own(new vscode.EventEmitter<ConfigurationChange>());
  readonly onDidChange = this.changeEmitter.event;
  /** Cached because VS Code copies all settings on each call, which dominated the cost of a flood. */
  private readonly known = new Map<string, unknown>();
  private readonly timeoutEmitter = this.own(new vscode.EventEmitter<void>());
  /** A redaction pattern took too long and was disabled. */
  readonly onDidDisablePattern = this.timeoutEmitter.event;
  private readonly timeLimit = new TimeLimit();
  private lastRedaction: OwnRedaction | undefined;
  private knownAgents: AgentDefinitions | undefined;

  constructor() {
    super();
    this.own(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (!event.affectsConfiguration(prefix)) return;
        this.known.clear();
        this.knownAgents = undefined;
        const isOther = (name: SettingName): boolean =>
          name !== 'agents' && event.affectsConfiguration(`${prefix}.${name}`);
        this.changeEmitter.fire({ isOfAgents: !(Object.keys(settings) as SettingName[]).some(isOther) });
      }),
    );
    const forgetAgents = (): void => void (this.knownAgents = undefined);
    this.own(vscode.workspace.onDidChangeWorkspaceFolders(forgetAgents));
    this.own(vscode.workspace.onDidGrantWorkspaceTrust(forgetAgents));
  }

  /** In a multi-root workspace, folders can add agents. */
  get agents(): AgentDefinitions {
    return (this.knownAgents ??= this.readAgents());
  }

  private readAgents(): AgentDefinitions {
    const folders = vscode.workspace.workspaceFolders ?? [];
    const general = agentDefinitions(this.get('agents'));
    if (folders.length < 2 || !vscode.workspace.isTrusted) return general;
    return agentsOfFolders(
      general,
      folders.map(({ name, uri }) => ({
        name,
        path: uri.fsPath,
        setting: vscode.workspace.getConfiguration(prefix, uri).inspect<unknown>('agents')?.workspaceFolderValue,
      })),
    );
  }

  /** Whether the settings have an agent of this name, even an invalid one. */
  hasAgent(name: string): boolean {
    return Object.hasOwn(objectOf(this.get('agents')), name);
  }

  /** Adds an agent to the user's or the workspace's settings. */
  async addAgent(name: string, entry: JsonObject, target: vscode.ConfigurationTarget): Promise<void> {
    const { globalValue, workspaceValue } = inspectSetting('agents') ?? {};
    const before = target === vscode.ConfigurationTarget.Global ? globalValue : workspaceValue;
    await vscode.workspace.getConfiguration(prefix).update('agents', { ...objectOf(before), [name]: entry }, target);
  }

  /** The level of agents without a `level`. */
  get level(): Threshold {
    const level = this.get('level');
    return isThreshold(level) ? level : settings.level.default;
  }

  get showsActivity(): boolean {
    return this.flag('activity.show');
  }

  get showsWire(): boolean {
    return this.flag('wire.show');
  }

  /** Whether messages of language servers are shown, and not only logged. */
  get showsServerMessages(): boolean {
    return this.flag('lsp.showMessages');
  }

  get showsSavedSessions(): boolean {
    return this.flag('savedSessions.show');
  }

  /** Where agents save their sessions, by agent, if it isn't the usual folder; the names of agents are unchecked. */
  get savedFolders(): Readonly<Record<string, readonly string[]>> {
    const entries = Object.entries(objectOf(this.get('savedSessions.folders')));
    return Object.fromEntries(
      entries.flatMap(([agent, value]) => {
        const folders = (typeof value === 'string' ? [value] : arrayOf(value)).filter(
          (folder): folder is string => typeof folder === 'string' && folder !== '',
        );
        return folders.length === 0 ? [] : [[agent, folders]];
      }),
    );
  }

  /** Globs of files to show as runs. */
  watchIn(folder: vscode.WorkspaceFolder): readonly string[] {
    const globs = vscode.workspace.getConfiguration(prefix, folder.uri).get<unknown>('watch');
    return arrayOf(globs).filter((glob) => typeof glob === 'string' && glob !== '') as string[];
  }

  /** Whether to reject every permission request without asking. */
  get rejectsPermissions(): boolean {
    return this.get('permissions') === 'reject';
  }

  /** Whether to restart an agent that crashed. */
  get restartsOnCrash(): boolean {
    return this.get('restart.policy') === 'on-crash';
  }

  /** How long an agent may be silent before it is reported as stalled. */
  get timeouts(): Timeouts {
    const silence = this.number('diagnosis.silence');
    const tool = this.number('diagnosis.toolSilence');
    return timeoutsFor(silence * 1000, tool * 1000);
  }

  /** In milliseconds. */
  get initializeTimeout(): number {
    return this.number('initializeTimeout') * 1000;
  }

  /** How much memory the records of one run may take, in bytes. */
  get maxMemory(): number {
    return this.number('store.maxMemory') * mebibyte;
  }

  /** Which journals to keep. */
  get journal(): JournalSettings {
    return {
      enabled: this.flag('journal.enabled'),
      maxFileSize: this.number('journal.maxFileSize') * mebibyte,
      maxTotalSize: this.number('journal.maxTotalSize') * mebibyte,
      maxAge: this.number('journal.maxAge') * 86_400_000,
    };
  }

  /** When to tell that a session waits, in milliseconds (0: never), and the program and arguments to run when a session changes its state. */
  get attention(): { readonly after: number; readonly command: readonly string[] } {
    const command = arrayOf(this.get('attention.command'));
    const isValid = command[0] !== '' && command.every((word) => typeof word === 'string');
    return { after: this.number('attention.after') * 1000, command: isValid ? command : [] };
  }

  /** Which sessions to copy before their agent deletes them, unchecked. */
  get keep(): unknown {
    return this.get('savedSessions.keep');
  }

  /** What models cost; entries that aren't valid are left out. */
  get prices(): PriceList {
    return priceListOf(this.get('prices'));
  }

  /** The user's alerts, unchecked. */
  get alerts(): unknown {
    return this.get('alerts');
  }

  /** How to redact what is kept and shown of runs; `undefined` if the user has switched that off. */
  get redaction(): Redaction | undefined {
    return this.flag('redaction.enabled') ? this.ownRedaction : undefined;
  }

  /**
   * How to redact what leaves this window, and texts of settings, even if the redaction of runs is off: with the valid ones of the user's
   * patterns. One that takes too long is disabled until the setting changes.
   */
  get ownRedaction(): Redaction {
    return this.patterns;
  }

  /** The sources of the same patterns, for the tap. */
  get redactionSources(): readonly string[] {
    return redactionPatterns(this.get('redaction.patterns')).patterns.map(({ source }) => source);
  }

  /** What is wrong with the patterns that are invalid or disabled. */
  get redactionMistakes(): readonly string[] {
    const { mistakes } = redactionPatterns(this.get('redaction.patterns'), this.disabledPatterns);
    return mistakes.map(({ message }) => translate(message));
  }

  /** The sources of the redaction patterns that took too long. */
  get disabledPatterns(): ReadonlySet<string> {
    return this.patterns.timedOut;
  }

  /** The collector to export records to, unchecked: the code that checks it loads only if there is one. */
  get otlp(): {
    readonly endpoint: unknown;
    readonly headers: unknown;
    readonly traces: boolean;
    readonly metrics: boolean;
  } {
    return {
      endpoint: this.get('otlp.endpoint'),
      headers: this.get('otlp.headers'),
      traces: this.flag('otlp.traces'),
      metrics: this.flag('otlp.metrics'),
    };
  }

  private get patterns(): OwnRedaction {
    const value = this.get('redaction.patterns');
    const setting = JSON.stringify([value]);
    if (this.lastRedaction?.setting === setting) return this.lastRedaction;
    const timedOut = new Set<string>();
    const onTimeout = ({ source }: RegExp): void => {
      timedOut.add(source);
      this.timeoutEmitter.fire();
    };
    const patterns = new OwnPatterns(redactionPatterns(value).patterns, { limit: this.timeLimit.run, onTimeout });
    return (this.lastRedaction = { setting, patterns, timedOut });
  }

  private flag(name: NamesOf<'boolean'>): boolean {
    const value = this.get(name);
    return typeof value === 'boolean' ? value : settings[name].default;
  }

  private number(name: NamesOf<'number'>): number {
    const value = this.get(name);
    const { default: otherwise, min, max } = settings[name];
    return typeof value === 'number' && Number.isFinite(value) ? Math.min(max, Math.max(min, value)) : otherwise;
  }

  private get(name: SettingName): unknown {
    if (this.known.has(name)) return this.known.get(name);
    const value = vscode.workspace.getConfiguration(prefix).get<unknown>(name);
    this.known.set(name, value);
    return value;
  }
}

/** The values of one of our settings in each scope. */
export function inspectSetting(name: string): SettingValues | undefined {
  return vscode.workspace.getConfiguration(prefix).inspect<unknown>(name);
}

/** A setting of another extension, unchecked. */
export function foreignSetting(key: string): unknown {
  return vscode.workspace.getConfiguration().get<unknown>(key);
}
