import { rm } from 'node:fs/promises';
import type { CancellationToken } from 'vscode-jsonrpc/node';
import { Emitter } from '../../log/emitter';
import type { Threshold } from '../../log/level';
import type { RedactorOptions } from '../../log/redact/redactor';
import { RecordStore } from '../../log/store/store';
import { lastHeader } from '../../wire/journal/runHeaders';
import { nextPart } from '../../wire/journal/nextPart';
import type { FileRunInfo } from './fileRunInfo';
import type { PageFile } from '../../log/store/pageFile';
import type { FileRunReaderOptions } from './fileRunReader';
import { messageOf } from '../humanError';
import { RunLog } from '../runLog';
import type { JournalFiles, RunView, RunViewState } from '../runView';

export interface FileRunOptions {
  readonly level: Threshold;
  /** About how much memory its records may take, in bytes. */
  readonly maxMemory: number;
  /** Makes a file for records that memory has no room for; deleted with the run. */
  readonly spill?: () => PageFile;
  /** What is taken out of it as a secret; nothing where this is left out. */
  readonly redaction?: RedactorOptions;
}

/** Whether we, or our tap, wrote the file: nobody else misses it. */
export function isOurs({ info }: FileRun): boolean {
  return info.origin === 'past' || info.origin === 'tapped';
}

/** A run that is read from a file, by the interpreter that reads live ones: from a journal, a transcript, an agent's stream, or a log. */
export class FileRun implements RunView {
  private readonly stateEmitter = new Emitter<RunViewState>();
  readonly onDidChangeState = this.stateEmitter.event;
  private readonly levelEmitter = new Emitter<Threshold>();
  readonly onDidChangeLevel = this.levelEmitter.event;
  readonly log: RunLog;
  readonly journal: JournalFiles;
  private readonly closing = new AbortController();
  private readonly stopping = new AbortController();
  private currentState: RunViewState = { type: 'unread' };
  private currentLevel: Threshold;
  private currentSize: number;
  private reading: Promise<void> | undefined;

  /** @param loadReader loads what reads the file, when that is first needed */
  constructor(
    readonly info: FileRunInfo,
    private readonly options: FileRunOptions,
    private readonly loadReader: (info: FileRunInfo) => Promise<RunReaderClass> = readerFor,
  ) {
    this.currentLevel = options.level;
    this.currentSize = info.size;
    this.log = new RunLog(new RecordStore(options.maxMemory, options.spill), info.startedAt);
    this.journal = filesOf(info.paths);
  }

  get id(): string {
    return this.info.id;
  }

  get name(): string {
    return this.info.name;
  }

  get protocol(): string {
    return this.info.protocol;
  }

  get startedAt(): number {
    return this.info.startedAt;
  }

  get words(): readonly string[] {
    return this.info.command;
  }

  get cwd(): string {
    return this.info.cwd;
  }

  /** In bytes, of all its files: what they had when they were looked at, and what has come since. */
  get size(): number {
    return this.currentSize;
  }

  get state(): RunViewState {
    return this.currentState;
  }

  get level(): Threshold {
    return this.currentLevel;
  }

  /**
   * Until when what goes on in it is known to go on, in milliseconds since the epoch: whoever wrote it may be gone since.
   * @param now likewise
   */
  asOf(now: number): number {
    const { currentState: state, info } = this;
    if (state.type === 'following') return info.writer === undefined ? state.lastAt : now;
    return state.type === 'ended' ? state.at : now;
  }

  /** Shows records of this level and worse; all of them are there. */
  setLevel(level: Threshold): void {
    this.currentLevel = level;
    this.levelEmitter.fire(level);
  }

  /** Begins to read; settles when there is something to see. */
  begin(): Promise<void> {
    void this.start();
    return this.until(({ type }) => type !== 'unread');
  }

  /**
   * Settles when the file has been read to its end, or its end for now.
   * @param token ends the reading early; what was read stays
   */
  async read(token?: CancellationToken): Promise<void> {
    const cancelled = token?.onCancellationRequested(() => this.stopping.abort());
    void this.start();
    await this.until(({ type }) => type === 'following' || type === 'ended');
    cancelled?.dispose();
  }

  /** Whether its reading was ended before its end: how the run ended, if it did, is not known then. */
  get wasStopped(): boolean {
    return this.stopping.signal.aborted || this.closing.signal.aborted;
  }

  /** Ends the reading. Settles when its file is closed: until then, Windows can neither delete it for good nor remove its folder. */
  async dispose(): Promise<void> {
    this.closing.abort();
    this.log.store.closeFile();
    await this.reading;
  }

  private start(): Promise<void> {
    this.reading ??= this.readFile();
    return this.reading;
  }

  private async readFile(): Promise<void> {
    try {
      const Reader = await this.loadReader(this.info);
      const reader = new Reader(this.info, this.log, {
        redaction: this.options.redaction,
        enter: (state) => this.enter(state),
        stopped: this.stopping.signal,
        closed: this.closing.signal,
      });
      await reader.read();
    } catch (error) {
      this.fail(messageOf(error));
    }
  }

  /** An update of the extension may have removed the code that reads files. */
  private fail(reason: string): void {
    const { modifiedAt: at } = this.info;
    const message = `the file could not be read: ${reason}. Reload the window to try again.`;
    this.log.record({ receivedAt: at, level: 'error', kind: 'lifecycle', message });
    this.log.flush();
    this.enter({ type: 'ended', at, termination: { reason: 'error', terminatedBy: 'client', message } });
  }

  private until(fits: (state: RunViewState) => boolean): Promise<void> {
    if (fits(this.currentState)) return Promise.resolve();
    return new Promise((resolve) => {
      const listener = this.onDidChangeState((state) => {
        if (!fits(state)) return;
        listener.dispose();
        resolve();
      });
    });
  }

  private enter(state: RunViewState): void {
    this.currentState = state;
    if ('size' in state) this.currentSize = state.size;
    this.stateEmitter.fire(state);
  }
}

/** What reads a run's file into its log. */
type RunReaderClass = new (info: FileRunInfo, log: RunLog, options: FileRunReaderOptions) => { read(): Promise<void> };

async function readerFor({ saved }: FileRunInfo): Promise<RunReaderClass> {
  if (saved) return (await import('../saved/savedRunReader')).SavedRunReader;
  return (await import('./fileRunReader')).FileRunReader;
}

/** @param known of a journal: it may have gone on in others since, which are looked for by `flush`, as this is asked for often */
function filesOf(known: readonly string[]): JournalFiles {
  const paths = [...known];
  const flush = async (): Promise<void> => {
    for (let last = paths.at(-1); last !== undefined; last = paths.at(-1)) {
      const header = await lastHeader(last).catch(() => undefined);
      const next = header && (await nextPart(last, header));
      if (next === undefined) return;
      if (!paths.includes(next)) paths.push(next); // somebody else may have waited for it meanwhile
    }
  };
  return {
    get path() {
      return paths.at(-1);
    },
    paths,
    flush,
    delete: async () => {
      await flush();
      for (const path of paths) await rm(path, { force: true });
    },
  };
}
