import { BoundedMap } from '../log/boundedMap';
import type { RequestId } from '../log/json';
import type { ClosedFact, RequestFact, ResponseFact } from './facts';
import type { OpenSteps } from './openSteps';
import type { OpenRequest } from './requests';
import { requestKey } from './requests';
import { requestKeyOf } from './step';
import { requestOutcome } from './stepOutcomes';

const maxOpen = 1000;
/** Requests whose work is a step of another kind. */
const ofOtherKinds = new Set(['session/prompt', 'session/request_permission', 'elicitation/create', 'tools/call']);

/** The open requests of a run, and their steps. */
export class RequestSteps {
  private readonly open = new BoundedMap<string, OpenRequest>(maxOpen);

  constructor(private readonly steps: OpenSteps) {}

  get size(): number {
    return this.open.size;
  }

  /** Oldest first. */
  get all(): readonly OpenRequest[] {
    return this.open.values();
  }

  get(direction: OpenRequest['direction'], id: RequestId): OpenRequest | undefined {
    return this.open.get(requestKey(direction, id));
  }

  find(test: (request: OpenRequest) => boolean): OpenRequest | undefined {
    return this.open.find(test);
  }

  /** @param above the ID of the step that contains the session's current work */
  begin({ request, params, event: { t } }: RequestFact, above: string | undefined): void {
    const { method, sessionId = '', direction, id } = request;
    this.open.set(requestKey(direction, id), request);
    if (ofOtherKinds.has(method)) return;
    const parent = direction === 'in' ? above : undefined;
    const about = { kind: 'request', sessionId, title: method, startedAt: t, parent, params } as const;
    this.steps.start(requestKeyOf(request), about);
  }

  end(fact: ResponseFact | ClosedFact): void {
    const { request, event } = fact;
    if (!request) return;
    this.open.delete(requestKey(request.direction, request.id));
    this.steps.end(requestKeyOf(request), event.t, requestOutcome(fact));
  }

  clear(): void {
    this.open.clear();
  }
}
