import * as vscode from 'vscode';
import type { Level } from '../../log/level';
import { rankOf } from '../../log/level';
import type { Termination } from '../../log/termination';
import { FileRun } from '../../runs/files/fileRun';
import type { LogGroup } from '../../runs/logGroup';
import type { RunView } from '../../runs/runView';
import { growthOf } from './treeText';

/** Each level has an icon of its own, so that colour is never all that tells it. */
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
  if (rankOf(level) >= rankOf('error')) {
    return new vscode.ThemeIcon(levelIcons[level], new vscode.ThemeColor('list.errorForeground'));
  }
  if (level === 'warning') {
    return new vscode.ThemeIcon(levelIcons[level], new vscode.ThemeColor('list.warningForeground'));
  }
  return new vscode.ThemeIcon(levelIcons[level]);
}

export function groupIcon(group: LogGroup): vscode.ThemeIcon {
  if (group.worst && rankOf(group.worst) >= rankOf('warning')) return levelIcon(group.worst);
  return new vscode.ThemeIcon(group.id === undefined ? 'plug' : 'comment-discussion');
}

export function runIcon(run: RunView, now: number): vscode.ThemeIcon {
  const { state } = run;
  switch (state.type) {
    case 'unread': {
      const info = run instanceof FileRun ? run.info : undefined;
      if (info?.termination && isFailure(info.termination)) return failedIcon();
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
      return isFailure(state.termination) ? failedIcon() : new vscode.ThemeIcon('circle-slash');
  }
}

/** Also where something else has ended its process: nobody here wanted that. */
function isFailure({ reason, terminatedBy, signal }: Termination): boolean {
  return reason === 'error' || (terminatedBy === 'system' && signal !== undefined);
}

/** Like a live agent's only while it grows, or while its agent is known to run. */
function followingIcon(run: RunView, growth: ReturnType<typeof growthOf>): vscode.ThemeIcon {
  if (growth === 'done') return new vscode.ThemeIcon('circle-slash');
  const hasWriter = run instanceof FileRun && run.info.writer !== undefined;
  return growth === 'growing' || hasWriter ? liveIcon() : new vscode.ThemeIcon('circle-outline');
}

function liveIcon(): vscode.ThemeIcon {
  return new vscode.ThemeIcon('play-circle', new vscode.ThemeColor('charts.green'));
}

function failedIcon(): vscode.ThemeIcon {
  return new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
}
