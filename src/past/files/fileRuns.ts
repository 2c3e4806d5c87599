import { Emitter } from '../../text/emitter';
import type { JournalFolder, JournalSet } from '../../wire/journal/journalFolder';
import { isBeingWritten } from '../../wire/journal/beingWritten';
import type * as fileRun from './fileRun';
import type { FileRun, FileRunOptions } from './fileRun';
import type { FileOrigin, FileRunInfo } from './fileRunInfo';
import type { RunView } from '../../runLog/runView';

/** Maximum number of runs to list. */
const maxListed = 100;
/** Maximum number of open runs, by origin. */
const maxOpen: Readonly<Record<FileOrigin, number>> = { past: 5, opened: 10, tapped: 10, watched: 20, saved: 10 };

/** True if the run is read from a file. */
export function isFileRun(run: RunView | undefined): run is FileRun {
  return run?.type === 'file';
}

/** True if this extension or its tap wrote the file, so that it can be deleted. */
export function isOurs({ info }: FileRun): boolean {
  return info.origin === 'past' || info.origin === 'tapped';
}

/** The time up to which a run is known to be active: now, unless it has ended or is read from a file. In milliseconds since the epoch. */
export function activeUntil(run: RunView, now = Date.now()): number {
  if (run.state.type === 'ended') return run.state.at;
  return isFileRun(run) ? run.asOf(now) : now;
}

/** The runs that are read from files: past runs, and files that were opened, tapped, watched or saved by other agents. */
export class FileRuns {
  private known = new Map<string, FileRun>();
  private openRuns: FileRun[] = [];
  private newest: readonly FileRun[] = [];
  private looks = 0;
  /** The refresh that `newest` is from. */
  private newestLook = 0;
  /** Tapped runs that the user closed while they were still being written. */
  private readonly dismissed = new Set<string>();
  /** How often each run was closed, by ID. */
  private readonly closings = new Map<string, number>();
  /** Pending file closes. */
  private readonly releasing = new Set<Promise<void>>();
  private readonly changeEmitter = new Emitter<void>();
  /** Fires when the list or the open runs change. */
  readonly onDidChange = this.changeEmitter.event;
  private readonly addEmitter = new Emitter<FileRun>();
  /** Fires before a run is read. */
  readonly onDidAdd = this.addEmitter.event;
  private readonly removeEmitter = new Emitter<FileRun>();
  /** Fires when a run is closed. */
  readonly onDidRemove = this.removeEmitter.event;

  /**
   * @param folder this extension's journals
   * @param taps the taps' journals
   * @param savedAt recognizes a saved session; `undefined` for any other file
   */
  constructor(
    private readonly folder: JournalFolder,
    private readonly taps: JournalFolder,
    private readonly optionsOf: (info: Pick<FileRunInfo, 'origin' | 'isRedacted'>) => FileRunOptions,
    private readonly savedAt?: (path: string) => Promise<FileRunInfo | undefined>,
  ) {}

  /** The open runs, last opened first. */
  get open(): readonly FileRun[] {
    return this.openRuns;
  }

  /** The past runs found by the last refresh, newest first. */
  get listed(): readonly FileRun[] {
    return this.newest;
  }

  /** How often a run was closed, so that its row starts collapsed when it's opened again. */
  timesClosed({ id }: Pick<FileRun, 'id'>): number {
    return this.closings.get(id) ?? 0;
  }

  find(id: string): FileRun | undefined {
    return this.openRuns.find((run) => run.id === id) ?? this.newest.find((run) => run.id === id);
  }

  /** Lists the folders and shows the runs that taps are writing. */
  async refresh(): Promise<readonly FileRun[]> {
    const look = ++this.looks;
    const journals = (await this.journals()).slice(0, maxListed);
    const runs = await Promise.all(
      journals.map(({ set, origin }) => this.of(set, origin).catch(() => undefined)), // It may just have been deleted.
    );
    const found = runs.filter((run) => run !== undefined).sort((a, b) => b.startedAt - a.startedAt);
    for (const run of found) if (this.isShownLive(run)) void this.show(run);
    const past = found.filter(
      (run) => !this.isShownLive(run) && !this.openRuns.some((open) => open === run && open.info.origin !== 'past'),
    );
    if (look < this.newestLook) return past; // A newer refresh has already finished.
    this.newestLook = look;
    const changed = past.length !== this.newest.length || past.some((run, index) => run !== this.newest[index]);
    this.newest = past;
    const kept = new Set([...found, ...this.openRuns]);
    this.known = new Map([...this.known].filter(([, run]) => kept.has(run)));
    if (changed) this.changeEmitter.fire();
    return past;
  }

  /** All journals, newest first; the list has only the newest. */
  async journals(): Promise<readonly { readonly set: JournalSet; readonly origin: 'past' | 'tapped' }[]> {
    const [own, tapped] = await Promise.all([this.folder.list(), this.taps.list()]);
    const all = [
      ...own.map((set) => ({ set, origin: 'past' as const })),
      ...tapped.map((set) => ({ set, origin: 'tapped' as const })),
    ];
    return all.sort((a, b) => b.set.modifiedAt - a.set.modifiedAt);
  }

  /** Closes a run that was read without being shown. */
  async discard(run: FileRun): Promise<void> {
    if (this.openRuns.includes(run)) return;
    await run.dispose();
    this.forget(run);
  }

  /**
   * The run of a file in any folder.
   * @throws if it can't be read
   */
  async at(path: string, origin: FileOrigin): Promise<FileRun> {
    const saved = origin === 'opened' ? await this.savedAt?.(path) : undefined;
    if (saved) return this.saved(saved);
    return this.of(await this.folder.setOf(path), origin);
  }

  /** The run of a saved session: the open one, if there is one. */
  saved(info: FileRunInfo): FileRun {
    return this.openRuns.find(({ id }) => id === info.id) ?? this.made(info);
  }

  /**
   * Starts reading a run; settles when there is something to show.
   * @returns the open run: another object if the same file was already open
   */
  async show(run: FileRun): Promise<FileRun> {
    const open = this.openRuns.find((other) => other.id === run.id);
    if (!open) this.add(run);
    await (open ?? run).begin();
    return open ?? run;
  }

  /** Closes a run and drops its records; it can be opened again. */
  close(run: FileRun): void {
    if (!this.openRuns.includes(run)) return;
    if (run.info.origin === 'tapped') this.dismissed.add(run.id);
    this.release(run);
    this.closings.set(run.id, this.timesClosed(run) + 1);
    this.openRuns = this.openRuns.filter((other) => other !== run);
    this.forget(run);
    this.removeEmitter.fire(run);
    this.changeEmitter.fire();
  }

  /** Applies changed settings to runs that haven't been read yet. */
  renew(): void {
    this.newestLook = ++this.looks; // A refresh in progress used the old settings.
    this.known = new Map([...this.known].filter(([, run]) => this.openRuns.includes(run)));
    this.newest = this.newest.map((run) => (this.openRuns.includes(run) ? run : this.made(run.info)));
    this.changeEmitter.fire();
  }

  /** Deletes a run's files permanently. */
  async delete(run: FileRun): Promise<void> {
    if (run.info.saved) throw new Error('Saved sessions belong to their agent');
    await run.dispose();
    await run.journal.delete();
    this.close(run);
    this.forget(run);
    await this.refresh();
  }

  /** Settles when the files of all runs are closed. */
  async dispose(): Promise<void> {
    for (const run of this.openRuns) this.release(run);
    await Promise.all(this.releasing);
  }

  private release(run: FileRun): void {
    const released = run.dispose().finally(() => this.releasing.delete(released));
    this.releasing.add(released);
  }

  private add(run: FileRun): void {
    this.openRuns = [run, ...this.openRuns];
    this.addEmitter.fire(run);
    const { origin } = run.info;
    const same = this.openRuns.filter(({ info }) => info.origin === origin);
    for (const old of same.slice(maxOpen[origin])) this.close(old);
    this.changeEmitter.fire();
  }

  /** A tapped run that the user closed stays closed. */
  private isShownLive(run: FileRun): boolean {
    return isBeingTapped(run) && !this.dismissed.has(run.id);
  }

  private forget(run: FileRun): void {
    const fresh = this.made(run.info);
    this.newest = this.newest.map((other) => (other === run ? fresh : other));
    for (const [key, other] of this.known) if (other === run) this.known.delete(key);
  }

  private made(info: FileRunInfo): FileRun {
    // Not at activation, and synchronous.
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    const loaded = require('./fileRun') as typeof fileRun;
    return new loaded.FileRun(info, this.optionsOf(info));
  }

  /** Returns the same object while the run is open or its files don't change. */
  private async of(set: JournalSet, origin: FileOrigin): Promise<FileRun> {
    const key = `${set.paths.join('\0')}\0${set.size}`;
    const known = this.openRuns.find((run) => run.info.paths[0] === set.paths[0]) ?? this.known.get(key);
    if (known && (this.openRuns.includes(known) || !(await hasLostWriter(known, set)))) return known;
    const { fileRunInfo } = await import('./fileRunInfo');
    const info = await fileRunInfo(set, origin, (found) => this.optionsOf(found).redaction);
    const run = this.made(info);
    this.known.set(key, run);
    return run;
  }
}

/** True if its writer was killed since, which changes its state but not its file. */
async function hasLostWriter({ info }: FileRun, { modifiedAt }: JournalSet): Promise<boolean> {
  const { header, writer, termination, paths } = info;
  if (!header || writer === undefined || termination !== undefined) return false;
  return !(await isBeingWritten(header, { path: paths.at(-1) ?? '', modifiedAt }));
}

function isBeingTapped({ info }: FileRun): boolean {
  return info.origin === 'tapped' && info.writer !== undefined && info.termination === undefined;
}
