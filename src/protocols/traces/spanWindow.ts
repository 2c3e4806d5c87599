import type { TraceEvent } from './genAiEvent';
import type { TraceSpan } from './traceSpan';

/** Spans are put in order within a window of this many, or this many characters. */
const maxSpans = 10_000;
const maxChars = 16 * 1024 * 1024;
/** How many to take from a full window, at least. */
const takenAtOnce = 500;

interface Trace {
  readonly id: string;
  readonly spans: TraceSpan[];
  readonly events: TraceEvent[];
  chars: number;
}

/** Spans, and log records about them, of whole traces as far as they came. */
export interface Traces {
  readonly spans: readonly TraceSpan[];
  readonly events: readonly TraceEvent[];
}

/** Spans and log records wait here for the others of their trace: programs write them in any order. */
export class SpanWindow {
  /** In the order in which something was last added to them. */
  private readonly traces = new Map<string, Trace>();
  private newest: Trace | undefined;
  private count = 0;
  private chars = 0;

  get isEmpty(): boolean {
    return this.count === 0;
  }

  span(span: TraceSpan): void {
    const { prompt = '', answer = '', thought = '', tool } = span.about;
    const texts = prompt.length + answer.length + thought.length + (tool?.output.length ?? 0);
    this.add(span.traceId, span.raw.length + texts).spans.push(span);
  }

  event(event: TraceEvent): void {
    this.add(event.traceId, 2 * event.raw.length).events.push(event);
  }

  /** If it is full, takes the traces to which nothing was added for the longest time. */
  overflow(): Traces | undefined {
    if (this.count < maxSpans && this.chars < maxChars) return undefined;
    const [left, leftChars] = [maxSpans - takenAtOnce, maxChars * 0.9];
    return this.take(() => this.count > left || this.chars > leftChars);
  }

  all(): Traces {
    return this.take(() => true);
  }

  private take(goesOn: () => boolean): Traces {
    const taken: Trace[] = [];
    for (const [id, trace] of this.traces) {
      if (!goesOn()) break;
      this.traces.delete(id);
      this.count -= trace.spans.length + trace.events.length;
      this.chars -= trace.chars;
      taken.push(trace);
      if (trace === this.newest) this.newest = undefined;
    }
    return { spans: taken.flatMap(({ spans }) => spans), events: taken.flatMap(({ events }) => events) };
  }

  private add(id: string, chars: number): Trace {
    const trace =
      this.newest?.id === id ? this.newest : (this.traces.get(id) ?? { id, spans: [], events: [], chars: 0 });
    if (trace !== this.newest) {
      this.traces.delete(id);
      this.traces.set(id, trace);
      this.newest = trace;
    }
    trace.chars += chars;
    this.count++;
    this.chars += chars;
    return trace;
  }
}
