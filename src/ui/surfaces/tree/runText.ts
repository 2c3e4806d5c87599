import * as vscode from 'vscode';
import { describeActivity, isGoingOn } from '../../../diagnosis/sessionSummary';
import type { Termination } from '../../../wire/termination';
import { shortEnd } from '../../../wire/termination';
import { shownLine, withoutMarks } from '../../../text/text';
import { isFileRun } from '../../../past/files/fileRuns';
import type { LogGroup } from '../../../runLog/logGroup';
import type { RunView } from '../../../runLog/runView';
import { l10n, translate } from '../../kit/translate';
import { shortTime } from './format';

/** How long after its last change a file counts as growing, in milliseconds. */
const growingFor = 5000;

/** For example `running` or `exit 1 · Error: module not found`. */
export function describeState(run: RunView, now: number): string {
  const { state } = run;
  switch (state.type) {
    case 'unread': {
      const file = isFileRun(run) ? run : undefined;
      return file?.termination ? describeEnd(file.termination) : describeUnended(file?.info.writer);
    }
    case 'reading':
      return vscode.l10n.t('reading, {0} %', Math.floor((100 * state.read) / Math.max(1, state.size)));
    case 'following':
      return describeFollowing(run, state.lastAt, now);
    case 'starting':
      return vscode.l10n.t('starting');
    case 'running':
      return vscode.l10n.t('running');
    case 'stopping':
      return vscode.l10n.t('stopping');
    case 'ended':
      return describeEnd(state.termination);
  }
}

/** What tells a run from others of the same name: the agent that saved it, when it started, and its state. */
export function describeRun(run: RunView, now: number): string {
  return [...savedBy(run), shortTime(run.startedAt, now), describeState(run, now)].join(' · ');
}

/** Agent and time, for titles. @param at when a part of the run started */
export function originOf(run: RunView, now: number, at = run.startedAt): string {
  return [...savedBy(run), shortTime(at, now)].join(' ');
}

function savedBy(run: RunView): string[] {
  const saved = isFileRun(run) ? run.info.saved : undefined;
  return saved ? [saved.agentName] : [];
}

/**
 * The state of a journal without an end.
 * @param writer the PID of the process that writes it; `undefined` if that process is gone
 */
export function describeUnended(writer: number | undefined): string {
  if (writer === undefined) return vscode.l10n.t('end unknown');
  return writer === process.pid
    ? vscode.l10n.t('running in this window')
    : vscode.l10n.t('running in another window or a tap');
}

/** Whether a file that is followed has reached its end, is growing, or may grow. */
export function growthOf({ log }: RunView, lastAt: number, now: number): 'done' | 'growing' | 'quiet' {
  const isOver = log.sessions.length > 0 && log.sessions.every(({ ended }) => ended);
  if (isOver || log.connection.summary?.activity.type === 'ended') return 'done';
  return now - lastAt < growingFor ? 'growing' : 'quiet';
}

function describeFollowing(run: RunView, lastAt: number, now: number): string {
  switch (growthOf(run, lastAt, now)) {
    case 'done':
      return vscode.l10n.t('done');
    case 'growing':
      return vscode.l10n.t('growing');
    case 'quiet':
      return l10n.t('no changes for {0}', { ms: now - lastAt });
  }
}

/** `exit 1 · "Error: no disk"`, `program not found · exit 127 · "…"`: the cause first, since rows are cut. */
function describeEnd(termination: Termination): string {
  const { what, by, short } = termination.cause ?? {};
  const cause = short ? [translate(short)] : [];
  const words = what ? [shownLine(translate(what), 120)] : [];
  return [
    ...cause,
    shownLine(withoutMarks(translate(shortEnd(termination))), 80),
    ...words.map((text) => (by ? `"${text}"` : withoutMarks(text))),
  ].join(' · ');
}

/** What a session is doing, or how its last turn really ended; empty if there is nothing to report. */
export function describeActivityOf({ summary }: LogGroup, now: number): string[] {
  if (!summary) return [];
  const { activity, lastTurn, worst } = summary;
  if (!isGoingOn(activity) && !worst && (!lastTurn || lastTurn.outcome === 'ok')) return [];
  const at = 'since' in activity ? activity.since + roundedDown(now - activity.since) : now;
  return [shownLine(describeActivity(summary, at, l10n), 160)];
}

/** In growing steps: whenever a row is redrawn, VS Code closes its tooltip, and loses a click that has begun. */
export function roundedDown(ms: number): number {
  const step = ms < 10_000 ? 1000 : ms < 60_000 ? 10_000 : ms < 600_000 ? 30_000 : 60_000;
  return Math.max(0, Math.floor(ms / step) * step);
}
