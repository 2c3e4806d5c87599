import * as vscode from 'vscode';
import type { Level } from '../../../text/level';
import { severityOf } from '../../../text/level';
import { isFailedEnd } from '../../../wire/termination';
import { isFileRun } from '../../../past/files/fileRuns';
import type { RunView } from '../../../runLog/runView';
import { growthOf } from './runText';

/** One icon per level, so that color isn't the only difference. */
const levelIcons: Readonly<Record<Level, string>> = {
  debug: 'debug-alt-small',
  info: 'info',
  notice: 'megaphone',
  warning: 'warning',
  error: 'error',
  critical: 'flame',
  alert: 'bell',
  emergency: 'zap',
};

export function levelIcon(level: Level): vscode.ThemeIcon {
  const severity = severityOf(level);
  const color = severity === 'info' ? undefined : new vscode.ThemeColor(`list.${severity}Foreground`);
  return new vscode.ThemeIcon(levelIcons[level], color);
}

export function runIcon(run: RunView, now: number): vscode.ThemeIcon {
  const { state } = run;
  switch (state.type) {
    case 'unread': {
      const info = isFileRun(run) ? run.info : undefined;
      if (info?.termination && isFailedEnd(info.termination)) return failedIcon();
      return new vscode.ThemeIcon(info?.writer !== undefined && !info.termination ? 'play-circle' : 'history');
    }
    case 'starting':
    case 'reading':
    case 'stopping':
      return new vscode.ThemeIcon('loading~spin');
    case 'following':
      return followingIcon(run, growthOf(run, state.lastAt, now));
    case 'running':
      return liveIcon();
    case 'ended':
      return isFailedEnd(state.termination) ? failedIcon() : new vscode.ThemeIcon('circle-slash');
  }
}

/** The icon of a live agent only while the file grows, or while its writer is known to run. */
function followingIcon(run: RunView, growth: ReturnType<typeof growthOf>): vscode.ThemeIcon {
  if (growth === 'done') return new vscode.ThemeIcon('circle-slash');
  const hasWriter = isFileRun(run) && run.info.writer !== undefined;
  return growth === 'growing' || hasWriter ? liveIcon() : new vscode.ThemeIcon('circle-outline');
}

export function liveIcon(): vscode.ThemeIcon {
  return new vscode.ThemeIcon('play-circle', new vscode.ThemeColor('charts.green'));
}

export function failedIcon(): vscode.ThemeIcon {
  return new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
}
