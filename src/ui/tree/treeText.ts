import * as vscode from 'vscode';
import type { Level, Threshold } from '../../log/level';
import { levels, rankOf } from '../../log/level';
import type { Termination } from '../../log/termination';
import { shortEnd } from '../../log/termination';
import { duration, oneLine } from '../../log/text';
import { describeActivity, isGoingOn } from '../../diagnosis/sessionSummary';
import { objectOf, textOf } from '../../protocols/json';
import { FileRun } from '../../runs/files/fileRun';
import type { LogGroup } from '../../runs/logGroup';
import type { RunView } from '../../runs/runView';

/** A file that has grown within this time is growing, in milliseconds. */
const growingFor = 5000;

/** What a session is doing, or how its last turn really ended. While nothing has happened there is nothing to say. */
export function describeDoing({ summary }: LogGroup, now: number): string[] {
  if (!summary) return [];
  const { activity, lastTurn, worst } = summary;
  if (!isGoingOn(activity) && !worst && (!lastTurn || lastTurn.outcome === 'completed')) return [];
  const at = 'since' in activity ? activity.since + roughly(now - activity.since) : now;
  return [oneLine(describeActivity(summary, at), 160)];
}

/** In longer and longer steps: whenever a row is drawn anew, VS Code takes away the tooltip that is being read. */
function roughly(ms: number): number {
  const step = ms < 10_000 ? 1000 : ms < 60_000 ? 10_000 : ms < 600_000 ? 30_000 : 60_000;
  return Math.floor(ms / step) * step;
}

/** The same of a run as a whole. What its end tells is not told twice. */
export function describeRun({ log, state }: RunView, now: number): string[] {
  const code = log.connection.summary?.worst?.code;
  if (state.type === 'ended' && (code === 'agent-ended' || code === 'missing-executable')) return [];
  return describeDoing(log.connection, now);
}

/** What belongs to no session: of a program's log, that is all of it. */
export function connectionName({ protocol }: RunView): string {
  return protocol === 'log' ? vscode.l10n.t('Log') : vscode.l10n.t('Connection');
}

/** How many records, how many of them the level hides, and how many need a look. */
export function describeCounts({ counts }: LogGroup, level: Threshold): string[] {
  const sum = (some: readonly Level[]): number => some.reduce((total, each) => total + counts[each], 0);
  const [all, hidden] = [sum(levels), sum(levels.slice(0, rankOf(level)))];
  const errors = sum(levels.slice(rankOf('error')));
  const records = all === 1 ? vscode.l10n.t('1 record') : vscode.l10n.t('{0} records', all.toLocaleString());
  return [
    hidden === 0 ? records : `${records}, ${vscode.l10n.t('{0} below {1}', hidden.toLocaleString(), level)}`,
    ...(errors === 0 ? [] : [errors === 1 ? vscode.l10n.t('1 error') : vscode.l10n.t('{0} errors', errors)]),
    ...(counts.warning === 0
      ? []
      : [counts.warning === 1 ? vscode.l10n.t('1 warning') : vscode.l10n.t('{0} warnings', counts.warning)]),
  ];
}

export function describeAgent(run: RunView, now: number): string {
  if (run instanceof FileRun) return `${oneLine(run.name, 80)} ${shortTime(run.startedAt, now)}`;
  if (run.state.type !== 'running') return clock(run.startedAt);
  // ACP's `agentInfo`, MCP's `serverInfo`.
  const { agentInfo, serverInfo } = run.state.agent;
  const info = objectOf(agentInfo ?? serverInfo);
  const name = textOf(info['title']) ?? textOf(info['name']) ?? run.name;
  const version = textOf(info['version']);
  return oneLine(version === undefined ? name : `${name} ${version}`, 80);
}

export function describeState(run: RunView, now: number): string {
  const { state } = run;
  switch (state.type) {
    case 'unread': {
      const info = run instanceof FileRun ? run.info : undefined;
      return info?.termination ? describeEnd(info.termination) : describeUnended(info?.writer);
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

/** A journal without an end: whoever writes it is alive, or was killed. */
export function describeUnended(writer: number | undefined): string {
  if (writer === undefined) return vscode.l10n.t('no end');
  return writer === process.pid
    ? vscode.l10n.t('running in this window')
    : vscode.l10n.t('running elsewhere: in another window, or behind a tap');
}

/** What becomes of a file that may grow: whether all that it tells of is over, and whether something has come of late. */
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
      return vscode.l10n.t('quiet for {0}', duration(now - lastAt));
  }
}

/** `exit 1 · "Error: module not found"`, `SIGKILL · something outside killed it`. */
function describeEnd(termination: Termination): string {
  const { what, by } = termination.cause ?? {};
  const end = oneLine(shortEnd(termination), 80);
  if (what === undefined) return end;
  const words = oneLine(what, 120);
  return `${end} · ${by === undefined ? words : `"${words}"`}`;
}

/** The time of today, or the day and the time. */
function shortTime(at: number, now: number): string {
  const time = new Date(at);
  if (time.toDateString() === new Date(now).toDateString()) return clock(at);
  const day = time.toLocaleDateString(undefined, { month: 'short', day: 'numeric' });
  return `${day} ${clock(at).slice(0, 5)}`;
}

export function clock(at: number): string {
  const time = new Date(at);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`;
}
