import { BoundedMap } from '../text/boundedMap';
import { oneLine } from '../text/text';
import { traceparentOf } from './tools/callMarks';
import { maxFiles } from './changes/fileChange';
import type { ClosedFact, RequestFact, ResponseFact } from './facts';
import type { Ended, Step, StepKind, WorkSink } from './step';
import { keyOf, maxTitle, requestKeyOf } from './step';
import { requestOutcome } from './stepOutcomes';

export const maxOpen = 1000;
const continues = new Set<StepKind>(['turn', 'tool']);

/** The steps that haven't ended, by key. */
export class OpenSteps {
  private readonly open = new BoundedMap<string, Step>(maxOpen);
  /** Turns and tool calls that were given up, and may still continue. */
  private readonly givenUp = new BoundedMap<string, Step>(maxOpen);
  private count = 0;
  /** Number of open steps whose ends won't be noticed, because there were too many. */
  forgotten = 0;

  constructor(private readonly sink: WorkSink) {}

  get(key: string): Step | undefined {
    return this.open.get(key);
  }

  /** An ID for a step. IDs are numbered in order of start. */
  newId(kind: StepKind): string {
    return `${kind}-${++this.count}`;
  }

  /** Begins a step. One with the same key has ended; the oldest of too many is given up. */
  begin(key: string, step: Step): void {
    this.end(key, step.startedAt, { outcome: 'unanswered' });
    this.settle(key);
    this.add(key, step, step.startedAt);
    this.sink.started(step);
  }

  /** Begins a new step. */
  start(key: string, { title, ...about }: Omit<Step, 'id'>): Step {
    const step = { id: this.newId(about.kind), title: oneLine(title, maxTitle), ...about };
    this.begin(key, step);
    return step;
  }

  isGivenUp(key: string): boolean {
    return this.givenUp.has(key);
  }

  /**
   * Begins the step of a request, unless its work is a step of another kind.
   * @param above the ID of the step that contains the session's current work
   */
  startRequest({ request, params, event, isOtherStep, changes }: RequestFact, above: string | undefined): void {
    const { method, sessionId = '', direction } = request;
    if (isOtherStep === true) return;
    const parent = direction === 'in' ? above : undefined;
    const about = { kind: 'request', sessionId, title: method, startedAt: event.t, parent, changes } as const;
    this.start(requestKeyOf(request), { ...about, traceparent: traceparentOf(params) });
  }

  /** What the agent had the client write is noted with the turn: its tool call may not say so. */
  endRequest(fact: ResponseFact | ClosedFact): void {
    const request = fact.request && this.end(requestKeyOf(fact.request), fact.event.t, requestOutcome(fact));
    const { changes, sessionId, end } = request ?? {};
    const turn = changes && end?.outcome === 'ok' ? this.get(keyOf('turn', sessionId, '')) : undefined;
    if (!turn || !changes) return;
    turn.changes = [...(turn.changes ?? []), ...changes].slice(-maxFiles);
    this.sink.changed(turn);
  }

  /** Opens a step again that was given up, and returns it. */
  reopen(key: string): Step | undefined {
    const step = this.givenUp.get(key);
    if (!step) return undefined;
    this.givenUp.delete(key);
    const t = step.endedAt ?? step.startedAt;
    step.endedAt = step.end = undefined;
    this.add(key, step, t);
    this.sink.resumed(step);
    return step;
  }

  end(key: string, t: number, end: Ended): Step | undefined {
    const step = this.open.get(key);
    if (!step) return undefined;
    this.open.delete(key);
    // Clocks may be set back.
    step.endedAt = Math.max(t, step.startedAt);
    step.end = end;
    this.sink.ended(step);
    const isGivenUp = end.outcome === 'unanswered' && continues.has(step.kind);
    const settled = isGivenUp ? this.givenUp.set(key, step) : step;
    if (settled) this.sink.settled(settled);
    return step;
  }

  /** Forgets a step that never was one. */
  drop(key: string): void {
    const step = this.open.get(key);
    this.open.delete(key);
    if (step) this.sink.dropped(step);
  }

  /** Ends the open steps that pass. */
  endThose(test: (step: Step) => boolean, t: number, end: Ended): void {
    for (const key of this.open.keys()) {
      const step = this.open.get(key);
      if (step && test(step)) this.end(key, t, end);
    }
  }

  /** Ends everything: the process is gone. */
  endAll(t: number): void {
    this.endThose(() => true, t, { outcome: 'unanswered' });
    for (const key of this.givenUp.keys()) this.settle(key);
  }

  private add(key: string, step: Step, t: number): void {
    const evicted = this.open.evictedNext;
    if (evicted !== undefined) {
      this.end(evicted, t, { outcome: 'unanswered' });
      this.forgotten++;
    }
    this.open.set(key, step);
  }

  private settle(key: string): void {
    const step = this.givenUp.get(key);
    this.givenUp.delete(key);
    if (step) this.sink.settled(step);
  }
}
