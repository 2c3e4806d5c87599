import * as vscode from 'vscode';
import type { SaverId } from '../../../agents/agents';
import type { SavedSessions } from '../../../past/saved/list/savedSessions';
import type { CountedSession, FoundSession } from '../../../past/saved/list/savedUsage';
import { redactorFor } from '../../../redact/redactorFor';
import { CommandTarget } from '../../kit/commandTarget';
import { withDelayedProgress } from '../../kit/delayedProgress';
import { labelText, showInformation } from '../../kit/notify';
import type { Heading } from '../../kit/pick';
import { pick } from '../../kit/pick';
import { translate } from '../../kit/translate';
import { commandIds } from '../../manifest/commands';
import { executeCommand, openSettingCommand } from '../../services/settings/openSettingCommand';
import type { CommandContext, CommandTable } from '../commands/commandContext';
import { showRun } from '../commands/searchCommand';
import { SavedAgentRow } from '../tree/rows/savedAgentRow';
import { sessionChoices, usageChoices } from './usageRows';

/** What agents used and cost. */
export const usageCommands = { [commandIds.showUsage]: showUsage } satisfies CommandTable;

const day = 86_400_000;
/** Reading takes long: all sessions of the time are read completely, in milliseconds. */
const progressDelay = 300;

/** When the time began, in milliseconds since the epoch. */
interface Period {
  readonly label: string;
  readonly since: number;
}

/**
 * Asks for a time, adds up what saved sessions used since, and opens the one that the user picks.
 * @param arg the row of an agent, for its sessions only
 * @returns the run's id
 */
async function showUsage(services: CommandContext, arg: unknown): Promise<string | undefined> {
  const { local, configuration, fileRuns } = services;
  const sessions = await local.load();
  const only = arg instanceof CommandTarget && arg.row instanceof SavedAgentRow ? arg.row.agent : undefined;
  const period = await askPeriod();
  if (!period) return undefined;
  const { counted, problems, isCancelled } = await withDelayedProgress(
    vscode.l10n.t('Adding up tokens and cost'),
    (token, report) => countSince(period.since, { sessions, only, services, token, report }),
    progressDelay,
  );
  if (isCancelled) return undefined;
  if (counted.length === 0 && problems.length === 0) {
    void showInformation(vscode.l10n.t('No saved session was used in that time.'));
    return undefined;
  }
  const redactor = configuration.redaction && redactorFor(configuration.redaction);
  const chosen = await pick([...usageChoices(counted, redactor), ...problems], {
    title: vscode.l10n.t('Tokens and cost: {0}', period.label),
    placeholder: vscode.l10n.t('Select a row to see its sessions (without subagents)'),
  });
  if (chosen?.type === 'prices') await executeCommand(openSettingCommand('prices'));
  if (chosen?.type !== 'sessions') return undefined;
  const one = await pick(sessionChoices(chosen.counted, Date.now(), chosen.by), {
    title: `${chosen.label}: ${period.label}`,
    placeholder: vscode.l10n.t('Select a session to open'),
  });
  return one && showRun(await fileRuns.show(fileRuns.saved(sessions.open(one.session))), services);
}

function askPeriod(): Promise<Period | undefined> {
  const now = Date.now();
  const ago = (days: number): number => now - days * day;
  const periods: readonly Period[] = [
    { label: vscode.l10n.t('Today'), since: new Date(now).setHours(0, 0, 0, 0) },
    { label: vscode.l10n.t('Last 7 days'), since: ago(7) },
    { label: vscode.l10n.t('Last 30 days'), since: ago(30) },
  ];
  return pick(
    periods.map((value) => ({ label: value.label, value })),
    {
      title: vscode.l10n.t('Tokens and cost of saved sessions'),
      placeholder: vscode.l10n.t('Select a time range'),
      active: periods[1],
    },
  );
}

interface Counting {
  readonly sessions: SavedSessions;
  readonly only: SaverId | undefined;
  readonly services: Pick<CommandContext, 'configuration'>;
  readonly token: vscode.CancellationToken;
  readonly report: (message: string) => void;
}

/** Reads the sessions that were used since, and says whose can't be read. */
async function countSince(
  since: number,
  { sessions, only, services, token, report }: Counting,
): Promise<{
  readonly counted: readonly CountedSession[];
  readonly problems: readonly Heading[];
  readonly isCancelled: boolean;
}> {
  const { countedSession, usedSince } = await import('../../../past/saved/list/savedUsage');
  const { prices } = services.configuration;
  const found: FoundSession[] = [];
  const problems: Heading[] = [];
  const agents = (await sessions.agents()).filter(({ agent }) => only === undefined || agent === only);
  for await (const list of usedSince(since, agents, { sessions, limit: Number.MAX_SAFE_INTEGER })) {
    found.push(...list.found);
    if (list.problem) problems.push({ heading: labelText(translate(list.problem), 200) });
  }
  const counted: CountedSession[] = [];
  for (const one of found) {
    if (token.isCancellationRequested) break;
    report(vscode.l10n.t('{0} of {1}', counted.length, found.length));
    counted.push(await countedSession(one, sessions.open(one.session), { since, prices }));
  }
  return { counted, problems, isCancelled: token.isCancellationRequested };
}
