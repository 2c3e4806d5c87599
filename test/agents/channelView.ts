import { formatEntry, methodOf } from '../../src/text/format';
import type { LogRecord } from '../../src/text/record';
import { connectionLabel, sessionLabel } from '../../src/text/sessionLabel';
import { isVisible } from '../../src/query/visibility';
import type { Run } from '../../src/live/run';

/** Collects the lines that the agent's output channel would show at level info, as they arrive. */
export function channelLines(run: Run): readonly string[] {
  const lines: string[] = [];
  run.log.onDidChange(({ records }) => {
    for (const record of records) {
      if (!isVisible(record, { level: 'info', activity: true })) continue;
      lines.push(`[${methodOf(record.level)}] ${formatEntry(record, categoryOf(run, record))}`);
    }
  });
  return lines;
}

/** The record's category in the output channel, at the time it arrives. */
function categoryOf(run: Run, { sessionId, kind }: LogRecord): string {
  if (sessionId !== undefined) return sessionLabel(sessionId, run.log.find(sessionId)?.title);
  if (kind === 'stderr') return 'stderr';
  return kind === 'log' || kind === 'notice' ? connectionLabel : 'agent';
}
