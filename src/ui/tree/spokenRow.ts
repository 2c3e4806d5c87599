import * as vscode from 'vscode';
import type { LogRecord } from '../../log/record';

/**
 * A row as a screen reader says it: what it is, then what it says. The dots between the parts of a description are for the eye alone.
 */
export function spoken(...parts: readonly (string | undefined)[]): vscode.AccessibilityInformation {
  const said = parts.flatMap((part) => (part === undefined || part === '' ? [] : part.split(' · ')));
  return { label: said.join(', ') };
}

/** What kind of record it is, in a word or two. */
export function kindName(kind: LogRecord['kind']): string {
  switch (kind) {
    case 'log':
      return vscode.l10n.t('log');
    case 'notice':
      return vscode.l10n.t('notice');
    case 'stderr':
      return vscode.l10n.t('standard error');
    case 'activity':
      return vscode.l10n.t('activity');
    case 'lifecycle':
      return vscode.l10n.t('life of the agent');
    case 'diagnosis':
      return vscode.l10n.t('diagnosis');
    case 'wire':
      return vscode.l10n.t('wire');
  }
}
