import { shownLine } from '../text/text';
import { savedTime } from '../agents/reading/saved/savedTime';
import { timeOf } from '../protocols/logFields/timeOf';
import { isObject } from '../text/json';
import { jsonValueOf } from '../wire/jsonValue';
import { queryRun } from '../runs/runQuery';
import type { FileRun } from '../past/files/fileRun';
import type { LineRedactor } from '../runLog/reading/redactEvent';
import { isCompressed } from '../past/saved/compressed';
import type { FoundLine } from './hitText';
import { contextOf, linesAt } from './hitText';
import type { SearchedSession } from './searchedSession';
import { factsOf } from './searchedSession';
import type { Search, SearchPlan } from './searchQuery';
import { byLength, needlesOf, parseSearch, planOf } from './searchQuery';
import type { TextMatch, TextScan } from './textScan';
import { commandLines, maxArguments, nodeScan } from './textScan';

/** Maximum number of hits to report per session. */
const maxPerSession = 20;
/** Maximum number of hits; the search stops there. */
const maxHits = 1000;
/** Words that every database finds in JSON, however it is written: `LIKE` ignores the case of ASCII letters only. */
const plainWord = /^[ !#-[\]-~]+$/;
/** The first scan is short, so that hits in the newest sessions appear quickly. */
const firstFiles = 30;

/** A place in a session. */
export interface Hit {
  /** The surrounding text, on one line and redacted. */
  readonly context: string;
  /** Milliseconds since the epoch, if the line says so. */
  readonly at?: number;
  /** The line, or the record if it was read as one. */
  readonly place:
    | { readonly type: 'line'; readonly path: string; readonly offset: number }
    | { readonly type: 'row'; readonly text: string }
    | { readonly type: 'record'; readonly seq: number };
}

/** The hits of one session, in order. */
export interface SessionHits {
  readonly session: SearchedSession;
  readonly hits: readonly Hit[];
  /** True if there are more than are reported. */
  readonly hasMore: boolean;
}

/** Progress of a search, in sessions. */
export interface SearchProgress {
  readonly searched: number;
  readonly total: number;
}

export interface SearchEvents {
  readonly onHits: (found: SessionHits) => void;
  readonly onProgress: (progress: SearchProgress) => void;
  readonly signal: AbortSignal;
}

export interface SearchServices {
  /** Lists the searchable sessions, newest first. */
  readonly sessions: (signal: AbortSignal) => Promise<readonly SearchedSession[]>;
  readonly scan: TextScan;
  readonly redactor: LineRedactor | undefined;
  /** Closes a run that was read, unless the user has it open. */
  readonly discard: (run: FileRun) => Promise<void>;
}

/** How a search ended: `limited` if there are more hits than reported. */
export type SearchEnd = 'done' | 'stopped' | 'limited';

/** Searches the journals, the taps' journals and the saved sessions on this machine. They are listed once. */
export class SessionSearch {
  private readonly closing = new AbortController();
  private listed: Promise<readonly SearchedSession[]> | undefined;

  constructor(private readonly services: SearchServices) {}

  /**
   * Finds words. For other terms, reads the sessions that have the words and applies the query to their records.
   * @throws HumanError if a regular expression is invalid or too slow
   */
  async search(text: string, events: SearchEvents): Promise<SearchEnd> {
    const asked = parseSearch(text);
    const plan = planOf(asked.records);
    if (!plan) return 'done';
    // Listing goes on for the next search.
    const sessions = await Promise.race([this.sessions(), aborted(events.signal)]);
    if (!sessions) return 'stopped';
    const task = new SearchTask(this.services, asked, plan, sessions.filter(mayFit(asked)), events);
    if (plan.words.length > 0) await task.scan();
    else await task.readAll();
    if (events.signal.aborted) return 'stopped';
    return task.isFull ? 'limited' : 'done';
  }

  /** Stops listing. */
  dispose(): void {
    this.closing.abort();
  }

  private sessions(): Promise<readonly SearchedSession[]> {
    this.listed ??= this.services.sessions(this.closing.signal).catch((error: unknown) => {
      this.listed = undefined;
      throw error;
    });
    return this.listed;
  }
}

/** Leaves out sessions without reading them, if that is possible. */
function mayFit(asked: Search): (session: SearchedSession) => boolean {
  return ({ agentName }) => agentName === undefined || asked.fitsAgent(agentName);
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}

/** One search. */
class SearchTask {
  private found = 0;
  private searched = 0;
  private readonly scanning = new AbortController();

  constructor(
    private readonly services: SearchServices,
    private readonly asked: Search,
    private readonly plan: SearchPlan,
    private readonly sessions: readonly SearchedSession[],
    private readonly events: SearchEvents,
  ) {}

  get isFull(): boolean {
    return this.found >= maxHits;
  }

  private get isOver(): boolean {
    return this.isFull || this.events.signal.aborted;
  }

  /** Scans the files of all sessions for the words. */
  async scan(): Promise<void> {
    const signal = AbortSignal.any([this.events.signal, this.scanning.signal]);
    for (const batch of batchesOf(this.sessions)) {
      const matches = await this.matchesIn(batch, signal);
      for (const session of batch) {
        if (this.isOver) return;
        const own = matches.get(session) ?? [];
        if (this.plan.isTextOnly) await this.report(session, own);
        else if (own.length > 0 || (await this.mayBeInRows(session))) await this.readOne(session);
        this.advance();
      }
    }
  }

  /** Reads sessions one by one. */
  async readAll(): Promise<void> {
    for (const session of this.sessions) {
      if (this.isOver) return;
      await this.readOne(session);
      this.advance();
    }
  }

  private advance(): void {
    this.events.onProgress({ searched: ++this.searched, total: this.sessions.length });
  }

  /** The lines with the longest word, by session; one match per line. */
  private async matchesIn(
    batch: readonly SearchedSession[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<SearchedSession, readonly TextMatch[]>> {
    const owners = new Map(batch.flatMap((session) => session.paths.map((path) => [path, session] as const)));
    const found = new Map<SearchedSession, TextMatch[]>();
    if (owners.size === 0) return found;
    const onMatch = (match: TextMatch): void => {
      const session = owners.get(match.path);
      if (!session) return;
      const known = found.get(session);
      if (!known) found.set(session, [match]);
      else if (known.at(-1)?.line !== match.line || known.at(-1)?.path !== match.path) known.push(match);
    };
    const needles = needlesOf(this.plan.words);
    const paths = [...owners.keys()];
    const compressed = paths.filter(isCompressed);
    const others = paths.filter((path) => !isCompressed(path));
    for (const part of commandLines(others)) {
      if (!signal.aborted) await this.services.scan(part, needles, { signal, onMatch });
    }
    await nodeScan(compressed, needles, { signal, onMatch });
    return found;
  }

  private async report(session: SearchedSession, matches: readonly TextMatch[]): Promise<void> {
    if ((matches.length === 0 && !session.rows) || !(await this.fits(session))) return;
    const hits: Hit[] = [];
    const since = await this.ownStart(session);
    for (const [path, offsets] of offsetsByPath(matches)) await this.addHits(hits, path, offsets, since);
    for (const { text, at } of (await session.rows?.(this.plan.words, maxPerSession + 1)) ?? []) {
      const context = contextOf({ text, isWhole: true }, this.plan.words, this.services.redactor);
      if (context !== undefined && at >= since) hits.push({ context, at, place: { type: 'row', text } });
    }
    this.pass(session, hits, hits.length > maxPerSession);
  }

  private async fits(session: SearchedSession): Promise<boolean> {
    if (!this.asked.isLimited) return true;
    const label = await session.label().catch(() => undefined);
    return label !== undefined && this.asked.fits(factsOf(label));
  }

  /** A fork has what it copied before this time, in milliseconds since the epoch, and its origin has that, too. */
  private async ownStart(session: SearchedSession): Promise<number> {
    const { fork } = { ...(await session.label().catch(() => undefined)) };
    return fork && this.sessions.some(({ key }) => key.includes(fork.of)) ? fork.at : -Infinity;
  }

  /** @param since earlier lines are another session's */
  private async addHits(hits: Hit[], path: string, offsets: readonly number[], since: number): Promise<void> {
    try {
      for await (const line of linesAt(path, offsets)) {
        if (hits.length > maxPerSession || this.events.signal.aborted) return;
        const hit = this.hitIn(line, { type: 'line', path, offset: line.offset });
        // Some agents save the same text in several records.
        if (hit && (hit.at ?? since) >= since && !hits.some(({ context }) => context === hit.context)) hits.push(hit);
      }
    } catch {
      // The file may have been replaced meanwhile.
    }
  }

  private hitIn(line: FoundLine, place: Hit['place']): Hit | undefined {
    const context = contextOf(line, this.plan.words, this.services.redactor);
    if (context === undefined) return undefined;
    const at = lineTime(line.text, line.isWhole);
    return { context, ...(at !== undefined && { at }), place };
  }

  /** Whether a database's session may have the longest word of the texts: in its rows, or in what is known of it. */
  private async mayBeInRows(session: SearchedSession): Promise<boolean> {
    const { rows } = session;
    if (!rows) return false;
    const [word = ''] = byLength(this.plan.textWords);
    if (!plainWord.test(word) || (await rows([word], 1)).length > 0) return true;
    const { title, folder, model } = { ...(await session.label().catch(() => undefined)) };
    return [title, folder, model].some((text) => text?.toLowerCase().includes(word) === true);
  }

  private async readOne(session: SearchedSession): Promise<void> {
    if (!(await this.fits(session))) return;
    const { signal } = this.events;
    const run = await session.open().catch(() => undefined); // It may just have been deleted.
    if (!run) return;
    try {
      if (!signal.aborted) await readUntil(run, signal);
      if (signal.aborted) return;
      const since = await this.ownStart(session);
      const { hits, isCut } = await queryRun(run, this.asked.records, async (result) => {
        const { total: all } = result.state;
        const records = await result.rows(Math.max(0, all - maxPerSession), maxPerSession);
        const own = records.filter(({ receivedAt }) => receivedAt >= since);
        return {
          isCut: all > records.length,
          hits: own.map(({ seq, message, receivedAt }): Hit => {
            return { context: shownLine(message, 160), at: receivedAt, place: { type: 'record', seq } };
          }),
        };
      });
      this.pass(session, hits, isCut);
    } finally {
      await this.services.discard(run);
    }
  }

  private pass(session: SearchedSession, hits: readonly Hit[], hasMore: boolean): void {
    if (hits.length === 0) return;
    this.found += hits.length;
    if (this.isFull) this.scanning.abort();
    this.events.onHits({ session, hits: hits.slice(0, maxPerSession), hasMore });
  }
}

/** Sessions with so many paths that the hits of each batch come soon. */
function* batchesOf(sessions: readonly SearchedSession[]): Generator<readonly SearchedSession[]> {
  let batch: SearchedSession[] = [];
  let size = 0;
  let max = firstFiles * 150;
  for (const session of sessions) {
    const length = session.paths.reduce((sum, path) => sum + path.length + 1, 0);
    if (batch.length > 0 && size + length > max) {
      yield batch;
      [batch, size, max] = [[], 0, maxArguments];
    }
    batch.push(session);
    size += length;
  }
  if (batch.length > 0) yield batch;
}

function offsetsByPath(matches: readonly TextMatch[]): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  for (const { path, offset } of matches) {
    const known = found.get(path);
    if (known) known.push(offset);
    else found.set(path, [offset]);
  }
  return found;
}

/** Reads a run to the current end of its file. */
async function readUntil(run: FileRun, signal: AbortSignal): Promise<void> {
  await run.read({
    isCancellationRequested: signal.aborted,
    onCancellationRequested: (listener) => {
      const cancel = (): void => void listener(undefined);
      signal.addEventListener('abort', cancel);
      return { dispose: () => signal.removeEventListener('abort', cancel) };
    },
  });
}

function lineTime(text: string, isWhole: boolean): number | undefined {
  const value = isWhole ? jsonValueOf(text).msg : undefined;
  if (!isObject(value)) return undefined;
  return savedTime(value) ?? timeOf(value['t']);
}
