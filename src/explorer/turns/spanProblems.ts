import { rankOf } from '../../text/level';
import type { Span } from '../../timeline/span';
import type { RunProblem } from '../../runLog/runProblems';

/** How many of the newest problems are looked at. */
const maxProblems = 200;

/** The worst problem of each turn and tool call, by the ID of its span. */
export function spanProblems(spans: readonly Span[], problems: readonly RunProblem[]): ReadonlyMap<string, RunProblem> {
  const found = new Map<string, RunProblem>();
  for (const problem of problems.slice(-maxProblems)) {
    for (const span of spans) {
      if (!isOf(problem, span)) continue;
      const before = found.get(span.id);
      if (!before || rankOf(problem.level) >= rankOf(before.level)) found.set(span.id, problem);
    }
  }
  return found;
}

/** A problem is reported after the records that show it. */
function isOf({ seq, sessionId, code, evidence }: RunProblem, { kind, firstSeq, lastSeq, ...span }: Span): boolean {
  if (sessionId !== undefined && sessionId !== span.sessionId) return false;
  const [first = seq] = evidence;
  if (kind === 'turn') return [first, seq].some((one) => one >= firstSeq && one <= lastSeq);
  return kind === 'tool' && code === 'tool-failed' && evidence.includes(lastSeq);
}
