import type { SpanFact } from './activity';
import type { OpenSteps } from './openSteps';
import { spanOutcome } from './stepOutcomes';
import { keyOf } from './step';
import type { Tools } from './tools/tools';

/** What programs traced of their work besides turns and tool calls. */
export class TracedSpans {
  constructor(
    private readonly steps: OpenSteps,
    private readonly tools: Tools,
  ) {}

  /** @param above the ID of the step that contains the session's current work */
  see({ sessionId = '', event, id, parentId, change, title, error }: SpanFact, above: string | undefined): void {
    const key = keyOf('span', sessionId, id);
    if (change === 'ended') return void this.steps.end(key, event.t, spanOutcome(error));
    const span = parentId === undefined ? undefined : this.steps.get(keyOf('span', sessionId, parentId));
    const parent = span?.id ?? this.tools.get(sessionId, parentId)?.id ?? above;
    this.steps.start(key, { kind: 'span', sessionId, title, startedAt: event.t, parent });
  }
}
