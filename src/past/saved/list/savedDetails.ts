import { recogniseSaved } from '../../../agents/agents';
import { isObject, textOf } from '../../../text/json';
import { oneLine } from '../../../text/text';
import type { SessionChange } from '../../../protocols/interpreter';
import type { UsageFact } from '../../../work/activity';
import type { Fact } from '../../../work/facts';
import { readable } from '../../../work/failures/errorText';
import { classOfFailure } from '../../../work/failures/failureClass';
import { noSteps } from '../../../work/step';
import { Quotas } from '../../../work/usage/quotas';
import { Work } from '../../../work/work';
import { SavedInterpreter } from '../../../agents/reading/saved/savedInterpreter';
import { isBranchOf } from '../../../agents/reading/saved/branchWriter';
import { SavedClock } from '../../../agents/reading/saved/savedTime';
import type { SessionAbout, WriterSink } from '../../../protocols/agentWriter/verbs';
import { jsonValueOf } from '../../../wire/jsonValue';
import type { LineRedactor } from '../../../runLog/reading/redactEvent';
import { redactedLine } from '../../../runLog/reading/redactEvent';
import type { SavedDetails, SavedOutcome } from '../../../agents/savedDetails';
import { knownDetails } from '../../../agents/savedDetails';
import { DailyUse } from './usedTokens';

/** Maximum length of a line to parse, in characters: titles, prompts and ends of turns are short. */
const maxLine = 256 * 1024;
const maxTitle = 200;

/**
 * Reads a session's details from its first and last lines, with the same reader that opens sessions.
 * @param head the first lines; the last of them may be cut
 * @param tail the last lines, if they aren't among the first; the first of them may be cut
 */
export function savedDetails(head: readonly string[], tail: readonly string[] = []): SavedDetails {
  return readLines(head, tail).details;
}

interface ReadLines {
  readonly details: SavedDetails;
  /** True if the tail says how the newest turn stands: it has a part of one, rather than only what follows it. */
  readonly saysState: boolean;
  /** True if there is nothing, or no session, or no message in it, not even a copied one. Of other content, nothing is known. */
  readonly isEmpty: boolean;
}

/** The same, with what that says of the file. @param at when it was written, in milliseconds since the epoch: the time of lines that have none */
export function readLines(head: readonly string[], tail: readonly string[] = [], at = 0): ReadLines {
  const sink = new DetailsSink(tail.length > 0);
  const interpreter = new SavedInterpreter({ sink, work: new Work(noSteps) });
  const [first, last] = [valuesOf(head), valuesOf(tail)];
  const clock = new SavedClock([...first, ...last].map(({ msg }) => msg));
  const read = (values: ReturnType<typeof valuesOf>): void => {
    for (const { line, msg } of values) {
      const t = clock.timeOf(msg) ?? at;
      interpreter.accept({ t, dir: 'a2c', line, msg });
      sink.passed(t);
    }
  };
  read(first);
  const before = sink.parts;
  read(last);
  const saysState = sink.parts > before;
  interpreter.finish();
  const { id, forkedFrom } = sink.details;
  const hasMessage = id !== undefined && (sink.parts > 0 || forkedFrom !== undefined);
  const isKnown = [...head, ...tail].every((line) => line.trim() === '') || first.some(({ msg }) => isOfSession(msg));
  const isEmpty = !hasMessage && isKnown;
  return { isEmpty, details: { ...sink.details, ...(tail.length > 0 && { isPart: true }) }, saysState };
}

function isOfSession(value: unknown): boolean {
  return isObject(value) && (textOf(value['type']) !== undefined || recogniseSaved(value) !== undefined);
}

/** The lines that aren't too long or cut. */
function valuesOf(lines: readonly string[]): readonly { readonly line: string; readonly msg?: unknown }[] {
  return lines
    .filter((line) => line.length <= maxLine && line.trim() !== '')
    .map((line) => ({ line, ...jsonValueOf(line) }))
    .filter((value) => 'msg' in value);
}

/** Redacts what an agent or a user wrote, after its problem was classified. */
export function redactedDetails<T extends SavedDetails>(details: T, redactor: LineRedactor | undefined): T {
  const { title, problem, folder, branch, model, version } = details;
  const redacted = (text: string | undefined): string | undefined => text && redactedLine(text, redactor);
  return {
    ...details,
    ...(title !== undefined && { title: redacted(title) }),
    ...(problem !== undefined && { problem: redacted(problem), failure: classOfFailure(problem) }),
    ...(folder !== undefined && { folder: redacted(folder) }),
    ...(branch !== undefined && { branch: redacted(branch) }),
    ...(model !== undefined && { model: redacted(model) }),
    ...(version !== undefined && { version: redacted(version) }),
  };
}

class DetailsSink implements WriterSink {
  readonly isBrief = true;

  /** @param isPart true if the middle of the file isn't read */
  constructor(private readonly isPart: boolean) {}

  private readonly known: SavedDetails = {};
  private outcome: SavedOutcome | undefined;
  private problem: string | undefined;
  /** The same before the newest turn. */
  private before: readonly [SavedOutcome | undefined, string | undefined] = [undefined, undefined];
  private firstTurnAt: number | undefined;
  private startedAt: number | undefined;
  private lastAt: number | undefined;
  private readonly use = new DailyUse();
  private readonly quotas = new Quotas();
  /** Number of parts of turns so far: starts, ends, messages and calls of tools. */
  parts = 0;

  get details(): SavedDetails {
    const { known, outcome, problem, firstTurnAt, lastAt } = this;
    // The copied history is older.
    const startedAt = (known.forkedFrom === undefined ? undefined : firstTurnAt) ?? this.startedAt;
    const limits = this.quotas.all.length > 0 ? this.quotas.all : undefined;
    return knownDetails({ ...known, startedAt, lastAt, outcome, problem, used: this.use.used, limits });
  }

  passed(t: number): void {
    if (t <= 0) return;
    this.startedAt ??= t;
    this.lastAt = Math.max(this.lastAt ?? t, t);
  }

  record(): void {
    // Only sessions and turns matter here.
  }

  session(change: SessionChange): void {
    const { id } = this.known;
    if (change.type === 'seen' && id === undefined) {
      this.add({ id: change.sessionId, parent: change.parent });
    }
    if (change.type === 'titled' && change.sessionId === id && change.title !== undefined) {
      this.add({ title: oneLine(change.title, maxTitle) });
    }
  }

  about(sessionId: string, { version, model, folder, branch, forkedFrom }: SessionAbout): void {
    if (!isBranchOf(sessionId, this.known.id)) return;
    this.add({
      version: version && oneLine(version, 100),
      model: model && oneLine(model, 100),
      folder,
      branch: branch && oneLine(branch, 200),
      forkedFrom: forkedFrom === undefined ? undefined : oneLine(forkedFrom, 200),
    });
  }

  private add(details: Parameters<typeof knownDetails>[0]): void {
    Object.assign(this.known, knownDetails(details));
  }

  private spent({ spent, costs, event }: UsageFact): void {
    // A sum has also what wasn't read, or what other turns used.
    if (spent?.basis === 'turn' && !(costs && this.isPart)) this.use.add(spent, event.t);
    const costUsd = Object.values(costs ?? {}).reduce((sum, cost) => sum + cost, 0);
    if (costUsd > 0) this.use.add({ costUsd, basis: 'turn' }, event.t);
  }

  fact(fact: Fact): void {
    if (fact.type === 'usage') this.spent(fact);
    if (fact.type === 'quota') this.quotas.see(fact);
    if (fact.type === 'turn' || fact.type === 'message' || fact.type === 'progress') this.parts++;
    if (fact.type !== 'turn' || !isBranchOf(fact.sessionId, this.known.id)) return;
    if (fact.change === 'started') {
      this.before = [this.outcome, this.problem];
      [this.outcome, this.problem] = ['open', undefined];
      this.firstTurnAt ??= fact.startedAt;
    }
    if (fact.change !== 'ended' || fact.isUnanswered) return;
    const { failure, isInterrupted, isOfCommand } = fact;
    // A compaction says nothing of the turn before.
    if (isOfCommand && !failure && this.before[0] !== undefined) {
      [this.outcome, this.problem] = this.before;
      return;
    }
    this.outcome = failure ? 'error' : isInterrupted ? 'cancelled' : 'ok';
    this.problem = failure?.type === 'failed' ? oneLine(readable(failure.words ?? ''), 300) : undefined;
  }
}
