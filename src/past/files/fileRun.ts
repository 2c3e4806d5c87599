import type { RunProtocol } from '../../wire/protocol';
import { rm } from 'node:fs/promises';
import type { CancellationToken } from 'vscode-jsonrpc/node';
import { Emitter } from '../../text/emitter';
import type { Threshold } from '../../text/level';
import type { Redaction } from '../../redact/redactorFor';
import { RecordStore } from '../../store/store';
import type { EndCause, Termination } from '../../wire/termination';
import { isCrash } from '../../wire/termination';
import { inLine } from '../../text/text';
import type { Arg } from '../../text/translator';
import { displayOf, inEnglish, t } from '../../text/translator';
import { lastHeader } from '../../wire/journal/journalPeek';
import { nextPart } from '../../wire/journal/nextPart';
import type { FileRunInfo } from './fileRunInfo';
import type { PageFile } from '../../store/pageReader';
import type * as fileRunReader from './fileRunReader';
import type { ReadTally } from '../../runLog/reading/readTally';
import { RunLog } from '../../runLog/runLog';
import type { JournalFiles, RunView, RunViewState } from '../../runLog/runView';

export interface FileRunOptions {
  readonly level: Threshold;
  /** Approximate memory limit for its records, in bytes. */
  readonly maxMemory: number;
  /** Creates a file for records that don't fit into memory; deleted with the run. */
  readonly spill?: () => PageFile;
  /** Secrets to redact; nothing is redacted if omitted. */
  readonly redaction: Redaction | undefined;
  /** False to read only what is there now; default: files that may grow are followed. */
  readonly follows?: boolean;
  /** Counts what was read, and what was not. */
  readonly tally?: ReadTally;
}

/** A run read from a file: a journal, a transcript, an agent's stream, a log, or a saved session. */
export class FileRun implements RunView {
  readonly type = 'file';
  readonly id: string;
  readonly name: string;
  readonly protocol: RunProtocol;
  readonly startedAt: number;
  readonly words: readonly string[];
  readonly cwd: string;
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
  private tail: Promise<EndCause | undefined> | undefined;
  private endCause: EndCause | undefined;

  /** @param loadReader loads the reader's code on first use */
  constructor(
    readonly info: FileRunInfo,
    private readonly options: FileRunOptions,
    private readonly loadReader: () => Promise<Pick<typeof fileRunReader, 'FileRunReader'>> = () =>
      import('./fileRunReader'),
  ) {
    ({ id: this.id, protocol: this.protocol, startedAt: this.startedAt } = info);
    // Anyone may have written the file.
    this.name = inLine(info.name);
    this.cwd = inLine(info.cwd);
    this.words = info.command.map(inLine);
    this.currentLevel = options.level;
    this.currentSize = info.size;
    this.log = new RunLog(new RecordStore(options.maxMemory, options.spill), info.startedAt);
    this.journal = filesOf(info.paths);
  }

  get redaction(): Redaction | undefined {
    return this.options.redaction;
  }

  /** Size of all its files, in bytes, including what was appended since. */
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
   * The time up to which the run is known to be active, in milliseconds since the epoch: its writer may have exited since.
   * @param now in milliseconds since the epoch
   */
  asOf(now: number): number {
    const { currentState: state, info } = this;
    if (state.type === 'following') return info.writer === undefined ? state.lastAt : now;
    return state.type === 'ended' ? state.at : now;
  }

  /** How it ended, as far as known: before it is read, by its last lines. */
  get termination(): Termination | undefined {
    const { currentState: state, info, endCause: cause } = this;
    if (state.type === 'ended') return state.termination;
    return info.termination && { ...info.termination, ...(cause && { cause }) };
  }

  /** Looks for the cause of an unexpected end in the last lines of a journal that isn't read. */
  async findCause(): Promise<void> {
    const { info, options } = this;
    const last = info.paths.at(-1);
    if (this.currentState.type !== 'unread' || last === undefined) return;
    if (!info.header || !info.termination || !isCrash(info.termination)) return;
    this.tail ??= import('./tailCause')
      .then(({ tailCause }) => tailCause(last, info.protocol, options.redaction))
      .catch(() => undefined); // It may just have been deleted.
    this.endCause = await this.tail;
  }

  /** Shows this level and above. Files are read completely, whatever the level. */
  setLevel(level: Threshold): void {
    this.currentLevel = level;
    this.levelEmitter.fire(level);
  }

  /** Starts reading; settles when there is something to show. */
  begin(): Promise<void> {
    void this.start();
    return this.until(({ type }) => type !== 'unread');
  }

  /**
   * Settles when the file has been read to its end, or its end for now.
   * @param token stops reading early; records read so far are kept
   */
  async read(token?: CancellationToken): Promise<void> {
    const cancelled = token?.onCancellationRequested(() => this.stopping.abort());
    void this.start();
    await this.until(({ type }) => type === 'following' || type === 'ended');
    cancelled?.dispose();
  }

  /** True if reading was stopped before the end of the file, so that how the run ended is unknown. */
  get wasStopped(): boolean {
    return this.stopping.signal.aborted || this.closing.signal.aborted;
  }

  /** Stops reading. Settles when the file is closed: until then, Windows can't delete it or its folder. */
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
      const { FileRunReader } = await this.loadReader();
      const reader = new FileRunReader(this.info, this.log, {
        redaction: this.options.redaction,
        follows: this.options.follows ?? true,
        tally: this.options.tally,
        enter: (state) => this.enter(state),
        stopped: this.stopping.signal,
        closed: this.closing.signal,
      });
      await reader.read();
    } catch (error) {
      this.fail(displayOf(error));
    }
  }

  /** Handles a reader that can't be loaded: an update of the extension may have removed its code. */
  private fail(reason: Arg): void {
    const { modifiedAt: at } = this.info;
    const message = t("The file can't be read: {0}. Reload the window to try again.", reason);
    this.log.record({ receivedAt: at, level: 'error', kind: 'lifecycle', message: inEnglish(message) });
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

/** @param known the files of a journal so far; `flush` looks for parts that were added since */
function filesOf(known: readonly string[]): JournalFiles {
  const paths = [...known];
  const flush = async (): Promise<void> => {
    for (let last = paths.at(-1); last !== undefined; last = paths.at(-1)) {
      const header = await lastHeader(last).catch(() => undefined);
      const next = header && (await nextPart(last, header));
      if (next === undefined) return;
      if (!paths.includes(next)) paths.push(next); // A concurrent call may have added it.
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
