import * as vscode from 'vscode';
import type { WireTexts } from './wireMessages';

/** The texts of the Wire tab, in the language of the window. */
export function wireTexts(): WireTexts {
  return {
    grid: vscode.l10n.t('Requests'),
    filterPlaceholder: vscode.l10n.t('Filter, for example: method:session/* status:error took:>1s'),
    chips: vscode.l10n.t('Kinds of messages'),
    requests: vscode.l10n.t('Requests'),
    notifications: vscode.l10n.t('Notifications'),
    http: vscode.l10n.t('HTTP'),
    errors: vscode.l10n.t('Errors'),
    pending: vscode.l10n.t('Pending'),
    slowest: vscode.l10n.t('Slowest first'),
    pendingFirst: vscode.l10n.t('Pending first'),
    statuses: {
      none: '',
      pending: vscode.l10n.t('pending'),
      ok: vscode.l10n.t('ok'),
      error: vscode.l10n.t('failed'),
      cancelled: vscode.l10n.t('cancelled'),
      unanswered: vscode.l10n.t('no answer'),
    },
    directions: { out: vscode.l10n.t('to the agent'), in: vscode.l10n.t('from the agent') },
    nothing: vscode.l10n.t('No requests or notifications found.'),
    dropped: vscode.l10n.t('{0} older messages are no longer listed.'),
    copyPair: vscode.l10n.t('Copy Request and Answer'),
    showRecord: vscode.l10n.t('Show in Log'),
    loading: vscode.l10n.t('Reading the journal…'),
  };
}
