import * as vscode from 'vscode';
import type { CountedSession } from '../../../past/saved/list/savedUsage';
import type { SumKey } from '../../../past/saved/list/usageSums';
import { groupsBy, mostFirst, sumOf, unpricedModels } from '../../../past/saved/list/usageSums';
import type { LineRedactor } from '../../../runLog/reading/redactEvent';
import { redactedLine } from '../../../runLog/reading/redactEvent';
import { sessionLabel } from '../../../text/sessionLabel';
import { usageText } from '../../../timeline/usageText';
import { labelText } from '../../kit/notify';
import type { Choice, Heading } from '../../kit/pick';
import { section } from '../../kit/pick';
import { l10n, shownCount } from '../../kit/translate';
import { relativeTime } from '../tree/format';

/** What a row opens: the sessions that it adds up, or the setting with the prices. */
export type UsageChoice =
  | {
      readonly type: 'sessions';
      readonly label: string;
      readonly by?: SumKey;
      readonly counted: readonly CountedSession[];
    }
  | { readonly type: 'prices' };

/** How many models without a price are named. */
const maxNamed = 5;

/** The sums of all sessions, by agent, by model and by folder, the most expensive first. What lacks a price comes before long lists. */
export function usageChoices(
  counted: readonly CountedSession[],
  redactor: LineRedactor | undefined,
): readonly (Choice<UsageChoice> | Heading)[] {
  const rowsBy = (by: SumKey, none: string): readonly Choice<UsageChoice>[] =>
    groupsBy(counted, by).map(({ sum: { name }, of }) =>
      rowOf(name === undefined ? none : labelText(redactedLine(name, redactor)), of, by),
    );
  const agents = rowsBy('agent', '');
  return [
    ...(agents.length > 1 ? [rowOf(vscode.l10n.t('All agents'), counted)] : []),
    ...section(vscode.l10n.t('By Agent'), agents),
    ...section(vscode.l10n.t('Unknown Cost'), unpricedRows(counted, redactor)),
    ...section(vscode.l10n.t('By Model'), rowsBy('model', vscode.l10n.t('unknown model'))),
    ...section(vscode.l10n.t('By Folder'), rowsBy('folder', vscode.l10n.t('unknown folder'))),
  ];
}

/**
 * One row for each session, the most expensive first.
 * @param by what all have in common, which the title says
 */
export function sessionChoices(
  counted: readonly CountedSession[],
  now: number,
  by?: SumKey,
): readonly Choice<CountedSession>[] {
  const sums = counted.map((one) => ({ one, sum: sumOf([one]) })).sort((a, b) => mostFirst(a.sum, b.sum));
  return sums.map(({ one }) => {
    const { id, title, folder, lastAt, modifiedAt } = one.session;
    const facts = [
      amountText([one]),
      ...(by === 'agent' ? [] : [one.of.name]),
      relativeTime(now - (lastAt ?? modifiedAt)),
      ...(folder === undefined || by === 'folder' ? [] : [labelText(folder)]),
    ];
    return { label: labelText(sessionLabel(id, title)), description: facts.join(' · '), value: one };
  });
}

function rowOf(label: string, counted: readonly CountedSession[], by?: SumKey): Choice<UsageChoice> {
  const description = [amountText(counted), sessionsText(counted)].join(' · ');
  return { label, description, value: { type: 'sessions', label, counted, ...(by && { by }) } };
}

/** `$0.12 + $1.40 by your prices · 12.3k in, 1.1k out`: what it cost comes first, because descriptions are cut. */
function amountText(counted: readonly CountedSession[]): string {
  const { usage, computedUsd, counted: said } = sumOf(counted);
  if (said === 0) return vscode.l10n.t('tokens unknown');
  const { costUsd, ...tokens } = usage;
  const costs = [
    ...(costUsd === undefined ? [] : [l10n.t('{0}', { usd: costUsd })]),
    ...(computedUsd === undefined ? [] : [l10n.t('{0} by your prices', { usd: computedUsd })]),
  ].join(' + ');
  const isPart = unpricedModels(counted).length > 0;
  const cost = costs === '' ? vscode.l10n.t('cost unknown') : isPart ? vscode.l10n.t('at least {0}', costs) : costs;
  return [cost, usageText({ ...tokens, basis: 'turn' }, l10n)].filter((part) => part !== '').join(' · ');
}

/** How many there are, and how many of them don't say what they used. */
function sessionsText(counted: readonly CountedSession[]): string {
  const count = counted.length;
  const text = count === 1 ? vscode.l10n.t('1 session') : vscode.l10n.t('{0} sessions', shownCount(count));
  const silent = counted.filter(({ parts }) => parts.length === 0).length;
  return silent === 0 || silent === count ? text : vscode.l10n.t('{0}, {1} without counts', text, shownCount(silent));
}

/** Models that no agent reports the cost of, and that have no price. */
function unpricedRows(
  counted: readonly CountedSession[],
  redactor: LineRedactor | undefined,
): readonly Choice<UsageChoice>[] {
  const models = unpricedModels(counted).map((model) => model ?? vscode.l10n.t('unknown model'));
  if (models.length === 0) return [];
  const named = models.slice(0, maxNamed).map((model) => labelText(redactedLine(model, redactor)));
  const more = models.length - named.length;
  const names = [...named, ...(more > 0 ? [vscode.l10n.t('and {0} more', more)] : [])].join(', ');
  return [
    {
      label: vscode.l10n.t('Set Prices of Models…'),
      description: vscode.l10n.t('no price: {0}', names),
      value: { type: 'prices' },
    },
  ];
}
