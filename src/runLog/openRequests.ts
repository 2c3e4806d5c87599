import type { RequestChange } from '../protocols/interpreter';
import type { OpenRequest } from '../work/requests';
import { requestKey } from '../work/requests';

/** A run's unanswered requests, in either direction. */
export class OpenRequests {
  private readonly requests = new Map<string, OpenRequest>();

  accept({ type, request }: RequestChange): void {
    const key = requestKey(request.direction, request.id);
    if (type === 'closed') this.requests.delete(key);
    else this.requests.set(key, request); // an open request keeps its place
  }

  /** Oldest first. */
  get all(): readonly OpenRequest[] {
    return [...this.requests.values()];
  }

  /** The method of the oldest request that the agent has to answer. */
  get unanswered(): string | undefined {
    return this.all.find(({ direction, isOptional }) => direction === 'out' && isOptional !== true)?.method;
  }

  clear(): void {
    this.requests.clear();
  }
}
