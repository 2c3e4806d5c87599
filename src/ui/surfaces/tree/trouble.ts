import * as vscode from 'vscode';
import type { Level } from '../../../text/level';
import { levels, rankOf } from '../../../text/level';
import type { LevelCounts } from '../../../runLog/logGroup';
import type { Runs } from '../../../runs/runs';
import type { RunView } from '../../../runLog/runView';
import { isLive } from '../../../runLog/runView';

/** Errors and warnings that weren't settled. */
export interface Trouble {
  readonly errors: number;
  readonly warnings: number;
  /** The most severe level of these. */
  readonly worst: Level | undefined;
}

const troubling = levels.slice(rankOf('warning'));

/** @param counts of problems that weren't settled, one for each group */
export function troubleIn(counts: readonly LevelCounts[]): Trouble {
  const of = (level: Level): number => counts.reduce((sum, each) => sum + each[level], 0);
  const [warnings = 0, ...errors] = troubling.map(of);
  return {
    errors: errors.reduce((sum, each) => sum + each, 0),
    warnings,
    worst: troubling.findLast((level) => of(level) > 0),
  };
}

/** The trouble in all sessions of a run, and in its connection. */
export function troubleOf(...runs: readonly RunView[]): Trouble {
  return troubleIn(runs.flatMap(({ log }) => [log.connection, ...log.sessions].map(({ standing }) => standing)));
}

/** The trouble of an agent that wasn't overcome by starting it again: that of its live runs, or of its latest one. */
export function troubleOfAgent(runs: Runs, name: string): Trouble {
  const own = runs.all.filter((run) => run.name === name);
  const live = own.filter(isLive);
  return troubleOf(...(live.length > 0 ? live : own.slice(0, 1)));
}

/** For example `1 error` and `2 warnings`. */
export function describeTrouble({ errors, warnings }: Trouble): string[] {
  return [
    ...(errors === 0 ? [] : [errors === 1 ? vscode.l10n.t('1 error') : vscode.l10n.t('{0} errors', errors)]),
    ...(warnings === 0 ? [] : [warnings === 1 ? vscode.l10n.t('1 warning') : vscode.l10n.t('{0} warnings', warnings)]),
  ];
}
