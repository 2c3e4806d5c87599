import * as vscode from 'vscode';
import { describeActivity, isGoingOn } from '../../../diagnosis/sessionSummary';
import { oneLine } from '../../../log/text';
import type { LogGroup } from '../../../runs/logGroup';

/** What a session is doing, or how its last turn really ended; empty if there is nothing to report. */
export function describeActivityOf({ summary }: LogGroup, now: number): string[] {
  if (!summary) return [];
  const { activity, lastTurn, worst } = summary;
  if (!isGoingOn(activity) && !worst && (!lastTurn || lastTurn.outcome === 'completed')) return [];
  const at = 'since' in activity ? activity.since + roundedDown(now - activity.since) : now;
  return [oneLine(describeActivity(summary, at, vscode.l10n), 160)];
}

/** In growing steps: whenever a row is redrawn, VS Code closes its tooltip. */
function roundedDown(ms: number): number {
  const step = ms < 10_000 ? 1000 : ms < 60_000 ? 10_000 : ms < 600_000 ? 30_000 : 60_000;
  return Math.floor(ms / step) * step;
}
