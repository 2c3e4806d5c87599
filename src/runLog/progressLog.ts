import { BoundedMap } from '../text/boundedMap';
import type { OpenRequest } from '../work/requests';

const maxRequests = 1000;
/** Of each request, the oldest reports are kept. */
const maxReports = 100;

/** A report of progress. */
export interface Reported {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The newest record when it came. */
  readonly seq: number;
  readonly progress: number;
  readonly total: number | undefined;
  readonly message: string | undefined;
}

interface Reports {
  readonly kept: Reported[];
  /** How many there were. */
  count: number;
}

const none: Reports = { kept: [], count: 0 };

/** When servers reported progress, by the ID of the request. */
export class ProgressLog {
  private readonly requests = new BoundedMap<string, Reports>(maxRequests);

  /** @param at milliseconds since the epoch */
  add({ id, progress, direction }: OpenRequest, at: number, seq: number): void {
    if (direction !== 'out' || !progress) return;
    const reports = this.requests.ensure(String(id), () => ({ kept: [], count: 0 }));
    reports.count++;
    if (reports.kept.length >= maxReports) return;
    const { progress: value, total, message } = progress;
    reports.kept.push({ at, seq, progress: value, total, message });
  }

  of(id: string): Readonly<Reports> {
    return this.requests.get(id) ?? none;
  }

  clear(): void {
    this.requests.clear();
  }
}
