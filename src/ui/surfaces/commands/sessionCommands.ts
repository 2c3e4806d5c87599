import { t } from '../../../text/translator';
import * as vscode from 'vscode';
import { requestIdOf, textOf } from '../../../text/json';
import { shownLine } from '../../../text/text';
import { sessionLabel } from '../../../text/sessionLabel';
import type { Action } from '../../../runs/actions';
import { actionsOfSession, isBusy, takesRequests } from '../../../runs/actions';
import type { EarlierSession } from '../../../live/connection/agentClient';
import type { LogGroup } from '../../../runLog/logGroup';
import type { Run } from '../../../live/run';
import { HumanError } from '../../../text/humanError';
import { askPrompt } from '../../services/agents/askPrompt';
import { CommandTarget } from '../../kit/commandTarget';
import { commandIds } from '../../manifest/commands';
import { withDelayedProgress } from '../../kit/delayedProgress';
import { labelText } from '../../kit/notify';
import { pick } from '../../kit/pick';
import { relativeTime } from '../tree/format';
import type { CommandContext, CommandTable } from './commandContext';
import type { SessionTarget } from './targets';
import { optionsOf } from './targets';

/** How long a turn may take before its progress is shown, in milliseconds. */
const longTurn = 2000;

/** Commands about sessions and their turns. */
export const sessionCommands = {
  [commandIds.newSession]: newSession,
  [commandIds.resumeSession]: resume,
  [commandIds.closeSession]: close,
  [commandIds.prompt]: prompt,
  [commandIds.cancel]: cancel,
  [commandIds.cancelRequest]: cancel,
  [commandIds.setMode]: setMode,
  [commandIds.copySessionId]: copyId,
} satisfies CommandTable;

async function newSession(services: CommandContext, arg: unknown): Promise<string | undefined> {
  const run = await services.targets.run(arg, vscode.l10n.t('Select an agent for the new session'), 'newSession');
  return run && open(services, run);
}

async function open(services: CommandContext, run: Run): Promise<string> {
  const sessionId = await withDelayedProgress(vscode.l10n.t('Opening a session of {0}', run.name), (token) =>
    run.newSession(undefined, token),
  );
  await services.tree.reveal(run, sessionId);
  return sessionId;
}

/** @returns the session's ID */
async function resume(services: CommandContext, arg: unknown): Promise<string | undefined> {
  const run = await services.targets.run(
    arg,
    vscode.l10n.t('Select an agent to resume a session of'),
    'resumeSession',
    vscode.l10n.t('No running agent can resume sessions.'),
  );
  if (!run) return undefined;
  const given = textOf(optionsOf(arg)['sessionId']);
  const session = given === undefined ? await pickEarlier(run) : { sessionId: given, cwd: undefined };
  if (!session) return undefined;
  const { sessionId, cwd } = session;
  await withDelayedProgress(vscode.l10n.t('Resuming a session of {0}', run.name), (token) =>
    run.resumeSession(sessionId, cwd, token),
  );
  await services.tree.reveal(run, sessionId);
  return sessionId;
}

async function pickEarlier(run: Run): Promise<EarlierSession | undefined> {
  const sessions = await withDelayedProgress(vscode.l10n.t('Listing sessions of {0}', run.name), (token) =>
    run.listSessions(token),
  );
  if (sessions.length === 0) {
    throw new HumanError(t('{0} has no earlier sessions in {1}.', run.name, run.cwd));
  }
  const now = Date.now();
  const choices = sessions.map((session) => ({
    label: labelText(sessionLabel(session.sessionId, session.title)),
    ...(session.updatedAt !== undefined && { description: relativeTime(now - session.updatedAt) }),
    value: session,
  }));
  return pick(choices, { title: vscode.l10n.t('Select a session to resume') });
}

async function close(services: CommandContext, arg: unknown): Promise<void> {
  const target = await services.targets.session(arg, vscode.l10n.t('Select a session to close'), can('closeSession'));
  await target?.run.closeSession(target.sessionId);
}

async function prompt(services: CommandContext, arg: unknown): Promise<unknown> {
  const target = await promptTarget(services, arg);
  if (!target) return undefined;
  const given = textOf(optionsOf(arg)['text']);
  const text = given ?? (await askText(services, target));
  if (text === undefined) return undefined;
  const title = vscode.l10n.t('{0} is working', target.run.name);
  return withDelayedProgress(
    title,
    (token) => {
      token.onCancellationRequested(() => {
        target.run.cancel({ sessionId: target.sessionId }).catch(() => undefined); // The turn has ended.
      });
      return target.run.prompt(target.sessionId, text);
    },
    longTurn,
  );
}

function can(action: Action): (run: Run, session: LogGroup) => boolean {
  return (run, session) => actionsOfSession(run, session).has(action);
}

/** Opens a session if none is open. One that only the agent names isn't. */
async function promptTarget(services: CommandContext, arg: unknown): Promise<SessionTarget | undefined> {
  const named = services.targets.sessionOf(arg);
  if (named) return named;
  const run = await services.targets.run(arg, vscode.l10n.t('Select an agent to prompt'), 'prompt');
  if (!run) return undefined;
  const canPrompt = can('prompt');
  const isOpen = (own: Run, session: LogGroup): boolean => canPrompt(own, session) && own.hasOpened(session.id);
  if (!run.log.sessions.some((session) => isOpen(run, session))) return { run, sessionId: await open(services, run) };
  return services.targets.session(run.id, vscode.l10n.t('Select a session to prompt'), isOpen);
}

async function askText({ launcher }: CommandContext, { run, sessionId }: SessionTarget): Promise<string | undefined> {
  const title = vscode.l10n.t('Send a prompt to {0}', run.name);
  const recorded = await launcher.recordedPrompts(run.name);
  if (recorded.length > 0) {
    const choices = recorded.map((text) => ({ label: shownLine(text, 100), value: text }));
    const another = { label: vscode.l10n.t('Another Prompt…'), value: '' };
    const placeholder = vscode.l10n.t('Pick a prompt that the recording answers');
    const picked = await pick([...choices, another], { title, placeholder });
    if (picked !== another.value) return picked;
  }
  return askPrompt(title, run.log.find(sessionId)?.commands ?? []);
}

async function cancel(services: CommandContext, arg: unknown): Promise<void> {
  const request = requestOf(arg);
  const run = services.targets.runOf(arg);
  if (request !== undefined && run) return run.cancel({ requestId: request });
  if (request !== undefined) throw new HumanError(t('`runId` is required.'));
  if (services.targets.sessionOf(arg) === undefined) refuseWithoutTurn(run ? [run] : services.runs.all);
  const target = await services.targets.session(arg, vscode.l10n.t('Select a session to cancel its turn'), isBusy);
  await target?.run.cancel({ sessionId: target.sessionId });
}

/** @throws HumanError if no session has a turn to cancel */
function refuseWithoutTurn(runs: readonly Run[]): void {
  const running = runs.filter(takesRequests);
  if (running.some((run) => run.log.sessions.some((session) => isBusy(run, session)))) return;
  const hasRequest = running.some(({ log }) => log.requests.some(({ direction }) => direction === 'out'));
  throw new HumanError(
    hasRequest
      ? t('No turn is running. To cancel a request of a server, use the button in its row.')
      : t('No turn is running.'),
  );
}

async function setMode(services: CommandContext, arg: unknown): Promise<void> {
  const target = await services.targets.session(arg, vscode.l10n.t('Select a session to set its mode'), can('setMode'));
  const session = target?.run.log.find(target.sessionId);
  if (!target || !session) return;
  if (session.modes.length === 0) {
    throw new HumanError(t('This session has no modes.'));
  }
  const choices = session.modes.map(({ id, name }) => ({
    label: labelText(name),
    ...(id === session.currentMode && { description: vscode.l10n.t('current') }),
    value: id,
  }));
  const mode = await pick(choices, { title: vscode.l10n.t('Select a mode'), active: session.currentMode });
  if (mode !== undefined) await target.run.setMode(target.sessionId, mode);
}

async function copyId(services: CommandContext, arg: unknown): Promise<void> {
  const id = await services.targets.sessionId(arg, vscode.l10n.t('Select a session to copy its ID'));
  if (id !== undefined) await vscode.env.clipboard.writeText(id);
}

/** The id of the request to cancel; `undefined` for a turn, which ACP cancels by its session. */
function requestOf(arg: unknown): string | number | undefined {
  if (arg instanceof CommandTarget) {
    const { request } = arg;
    return request?.direction === 'out' && request.method !== 'session/prompt' ? request.id : undefined;
  }
  const given = optionsOf(arg)['requestId'];
  const id = requestIdOf(given);
  if (id === undefined && given !== undefined) {
    throw new HumanError(t('Expected a request ID (string or number).'));
  }
  return id;
}
