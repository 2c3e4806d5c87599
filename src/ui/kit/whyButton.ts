import * as vscode from 'vscode';
import { reaches } from '../../text/level';
import type { RunProblem } from '../../runLog/runProblems';
import type { RunView } from '../../runLog/runView';
import type { CommandTarget } from './commandTarget';
import { noticeTarget } from './commandTarget';
import { commandIds } from '../manifest/commands';

/** The newest error that was diagnosed in a run and still holds. */
export function failureOf({ log }: RunView): RunProblem | undefined {
  return log.problems.all.findLast(({ level }) => reaches(level, 'error'));
}

export function whyLabel(): string {
  return vscode.l10n.t('Why?');
}

/** Opens the explorer at what explains how a run failed. */
export async function showWhy(run: RunView): Promise<void> {
  const seq = failureOf(run)?.seq;
  await showNotice(run, { record: seq === undefined ? undefined : run.log.store.get(seq) });
}

/** Opens the explorer at what a notification is about: a record, or the problem of a session. */
export async function showNotice(run: RunView, about: Pick<CommandTarget, 'record' | 'sessionId'>): Promise<void> {
  await vscode.commands.executeCommand(commandIds.openExplorer, noticeTarget(run, about));
}
