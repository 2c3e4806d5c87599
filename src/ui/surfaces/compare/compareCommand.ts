import { t } from '../../../text/translator';
import * as vscode from 'vscode';
import { sessionLabel } from '../../../text/sessionLabel';
import type { JsonObject } from '../../../text/json';
import { actionsOf } from '../../../runs/actions';
import { activeUntil } from '../../../past/files/fileRuns';
import { HumanError } from '../../../text/humanError';
import type { RunView } from '../../../runLog/runView';
import { outcomeText } from '../../../timeline/outline';
import { endOf } from '../../../timeline/span';
import { CommandTarget } from '../../kit/commandTarget';
import type { CommandContext, CommandTable } from '../commands/commandContext';
import { optional, optionsOf } from '../commands/targets';
import { readWithProgress } from '../../kit/delayedProgress';
import { commandIds } from '../../manifest/commands';
import { labelText } from '../../kit/notify';
import type { Choice } from '../../kit/pick';
import { pick, section } from '../../kit/pick';
import { shortTime } from '../tree/format';
import { describeRun } from '../tree/runText';
import type { Subject } from './subject';
import { l10n } from '../../kit/translate';

/** Compares two turns, sessions or runs in VS Code's diff editor. */
export const compareCommands = {
  [commandIds.compare]: compare,
} satisfies CommandTable;

/** @param arg a row of the tree, or `{ runId, sessionId?, turn?, with? }`, where `with` has the same fields; asks for what is missing */
async function compare(services: CommandContext, arg: unknown): Promise<void> {
  const own = (await subjectOf(services, arg)) ?? (await askFirst(services));
  if (!own) return;
  const other = (await subjectOf(services, optionsOf(arg)['with'])) ?? (await askOther(services, own));
  if (other) await services.documents.openComparison(own, other);
}

async function subjectOf(services: CommandContext, arg: unknown): Promise<Subject | undefined> {
  const named = services.targets.viewOf(arg);
  if (!named) return undefined;
  const run = await readWithProgress(named, services.fileRuns);
  const { sessionId, turn } = arg instanceof CommandTarget ? arg : namesIn(optionsOf(arg));
  if (sessionId !== undefined && !run.log.find(sessionId)) {
    throw new HumanError(t('Unknown session: {0}', sessionId));
  }
  if (turn !== undefined && run.log.span(turn)?.kind !== 'turn') {
    throw new HumanError(t('Unknown turn: {0}', turn));
  }
  return { run, sessionId, turn };
}

async function askFirst(services: CommandContext): Promise<Subject | undefined> {
  const run = await services.targets.view(
    undefined,
    vscode.l10n.t('Select a run to compare'),
    'compare',
    vscode.l10n.t('No run has a turn yet.'),
  );
  if (!run) return undefined;
  const read = await readWithProgress(run, services.fileRuns);
  const title = vscode.l10n.t('Select what to compare');
  const whole: Choice<Subject> = {
    label: vscode.l10n.t('All turns of {0}', labelText(read.name)),
    value: { run: read },
  };
  const parts = [
    ...section(vscode.l10n.t('Sessions'), sessionsOf(read)),
    ...section(vscode.l10n.t('Turns'), turnsOf(read)),
  ];
  return parts.length === 0 ? whole.value : pick([whole, ...parts], { title });
}

/** Asks for another turn, session or run, depending on the first. */
async function askOther(services: CommandContext, own: Subject): Promise<Subject | undefined> {
  const like = own.turn !== undefined ? turnsOf : own.sessionId !== undefined ? sessionsOf : undefined;
  const isOwn = ({ value }: Choice<Subject>): boolean =>
    own.turn === undefined ? value.sessionId === own.sessionId : value.turn === own.turn;
  const siblings = like?.(own.run).filter((choice) => !isOwn(choice)) ?? [];
  const runs = (await services.views.withPast())
    .filter((run) => run !== own.run && actionsOf(run).has('compare'))
    .sort((a, b) => b.startedAt - a.startedAt);
  if (siblings.length + runs.length === 0) {
    throw new HumanError(t('There is nothing to compare with yet.'));
  }
  const choices = [
    ...section(vscode.l10n.t('From the same run'), siblings),
    ...section(vscode.l10n.t('From other runs'), runs.map(runChoice)),
  ];
  const picked = await pick(choices, { title: vscode.l10n.t('Select what to compare with') });
  if (!picked || picked.run === own.run) return picked;
  const run = await readWithProgress(picked.run, services.fileRuns);
  const inRun = like?.(run) ?? [];
  if (inRun.length <= 1) return inRun[0]?.value ?? { run };
  return pick(inRun, { title: vscode.l10n.t('Select what to compare with') });
}

function namesIn(given: JsonObject): { readonly sessionId?: string | undefined; readonly turn?: string | undefined } {
  return { sessionId: optional(given, 'sessionId', 'string'), turn: optional(given, 'turn', 'string') };
}

/** Newest first. */
function turnsOf(run: RunView): readonly Choice<Subject>[] {
  const turns = run.log.spans({ kinds: ['turn'] }).reverse();
  return turns.map((turn) => {
    const took = l10n.t('{0}', { ms: endOf(turn, activeUntil(run)) - turn.startedAt });
    return {
      label: labelText(turn.title),
      description: labelText(`${outcomeText(turn, l10n)} · ${took} · ${shortTime(turn.startedAt, Date.now())}`),
      value: { run, turn: turn.id, sessionId: turn.sessionId },
    };
  });
}

/** Newest first. */
function sessionsOf(run: RunView): readonly Choice<Subject>[] {
  const withTurns = new Set(run.log.spans({ kinds: ['turn'] }).map(({ sessionId }) => sessionId));
  const sessions = run.log.sessions.filter(({ id }) => withTurns.has(id)).reverse();
  return sessions.map(({ id, title, startedAt }) => ({
    label: labelText(sessionLabel(id, title)),
    description: shortTime(startedAt, Date.now()),
    value: { run, sessionId: id },
  }));
}

function runChoice(run: RunView): Choice<Subject> {
  return { label: labelText(run.name), description: labelText(describeRun(run, Date.now()), 200), value: { run } };
}
