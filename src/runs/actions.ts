import { isProtocol } from '../wire/protocol';
import type { OpenRequest } from '../work/requests';
import { hasToken } from '../live/config/launchSpec';
import type { FileRun } from '../past/files/fileRun';
import { isFileRun, isOurs } from '../past/files/fileRuns';
import type { LogGroup } from '../runLog/logGroup';
import { isOwnRun } from './runs';
import type { RunView } from '../runLog/runView';
import { isBeingRead, isLive } from '../runLog/runView';

/** What can be done with a run or a part of it: the last words of the commands' ids, and words of the tree's `viewItem`s. */
export type Action =
  | 'start'
  | 'stop'
  | 'restart'
  | 'logIn'
  | 'logOut'
  | 'newSession'
  | 'resumeSession'
  | 'closeSession'
  | 'prompt'
  | 'cancel'
  | 'cancelRequest'
  | 'setMode'
  | 'callTool'
  | 'setLevel'
  | 'openExplorer'
  | 'showOutput'
  | 'showTermination'
  | 'revealJournal'
  | 'deleteJournal'
  | 'export'
  | 'exportTrace'
  | 'share'
  | 'replayRun'
  | 'compare'
  | 'showChanges'
  | 'keepCopy'
  | 'deleteCopy'
  | 'copyReport'
  | 'copySessionId'
  | 'copyTapCommand'
  | 'clear'
  | 'removeRun';

export type Actions = ReadonlySet<Action>;

/** What can be done with a run. Menus, commands and pickers ask this, and nothing else. */
export function actionsOf(run: RunView): Actions {
  const own = isFileRun(run) ? actionsOfFile(run) : actionsOfAgent(run);
  return chosen({
    openExplorer: true,
    showOutput: true,
    export: true,
    share: true,
    copyReport: true,
    clear: true,
    revealJournal: run.journal !== undefined,
    ...forTurns(run),
    ...own,
  });
}

/**
 * What can be done with an agent, by its latest run in this window.
 * @param isOnly true if it has no other run, so that its row also stands for that one
 */
export function actionsOfAgentNamed(latest: RunView | undefined, isOnly = false): Actions {
  const isRunning = latest !== undefined && latest.state.type !== 'ended';
  const own = isRunning ? actionsOf(latest) : undefined;
  const ofAgent = chosen({
    start: !isRunning,
    stop: own?.has('stop'),
    restart: own?.has('restart'),
    logIn: latest && needsLogin(latest),
    logOut: latest && mayLogIn(latest),
    setLevel: true,
    showOutput: true,
    copyTapCommand: true,
  });
  if (!latest || !isOnly) return ofAgent;
  // An agent that has ended is started, not restarted.
  return new Set([...ofAgent, ...[...actionsOf(latest)].filter((action) => action !== 'restart')]);
}

/** What can be done with a session of a run, or its connection. */
export function actionsOfSession(run: RunView, group: LogGroup): Actions {
  const isSession = group.id !== undefined;
  // A subagent's session takes no requests, because its agent runs it. Some can be cancelled.
  const isChild = group.parent !== undefined;
  const isOpen = run.state.type === 'running' && !group.ended;
  const takesRequests = isSession && isOpen && !isChild && run.isPublished !== true;
  return chosen({
    openExplorer: true,
    showOutput: true,
    copyReport: true,
    compare: isSession,
    showChanges: isSession && run.log.hasChanges(group.id),
    share: isSession,
    copySessionId: isSession,
    prompt: takesRequests,
    cancel: takesRequests || (isChild && run.canCancelSubagent?.(group.id ?? '') === true),
    setMode: takesRequests && group.modes.length > 0,
    closeSession: takesRequests && run.canCloseSessions === true,
    setLevel: isOpen && !isChild,
  });
}

/** What can be done with any of the runs, or with a session of theirs. */
export function actionsOfAny(runs: readonly RunView[]): Actions {
  const found = new Set<Action>();
  for (const run of runs) {
    for (const action of actionsOf(run)) found.add(action);
    // Of thousands of sessions, most allow the same. Only `cancel` depends on more.
    const asked = new Set<string>();
    for (const session of run.log.sessions) {
      found.add('copySessionId');
      if (isBusy(run, session)) found.add('cancel');
      const alike = `${session.parent !== undefined} ${session.ended} ${session.modes.length > 0}`;
      if (run.state.type !== 'running' || asked.has(alike)) continue;
      asked.add(alike);
      for (const action of actionsOfSession(run, session)) if (action !== 'cancel') found.add(action);
    }
  }
  return found;
}

/** What can be done with an open request. */
export function actionsOfRequest(
  run: Pick<RunView, 'isPublished'>,
  { direction }: Pick<OpenRequest, 'direction'>,
): Actions {
  return chosen({ cancelRequest: direction === 'out' && run.isPublished !== true });
}

/** Whether a session has a turn that can be cancelled. */
export function isBusy(run: RunView, { id, parent }: LogGroup): boolean {
  if (parent !== undefined) return run.canCancelSubagent?.(id ?? '') === true;
  if (id === undefined || run.isPublished === true) return false;
  return run.log.requests.some(({ method, sessionId }) => method === 'session/prompt' && sessionId === id);
}

/** Whether it takes requests. */
export function takesRequests({ state, isPublished }: RunView): boolean {
  return state.type === 'running' && isPublished !== true;
}

/** Whether the run failed because the user isn't logged in to its server. */
function needsLogin(run: RunView): boolean {
  if (run.state.type !== 'ended' || !mayLogIn(run)) return false;
  return run.log.connection.summary?.worst?.code === 'authentication-required';
}

/** Whether the run's server is one that users may log in to. */
export function mayLogIn(run: RunView): boolean {
  return isOwnRun(run) && 'url' in run.definition && !hasToken(run.definition);
}

type Choice = Readonly<Partial<Record<Action, boolean | undefined>>>;

function chosen(choice: Choice): Actions {
  return new Set(Object.entries(choice).flatMap(([action, is]) => (is === true ? [action as Action] : [])));
}

/** Not only for turns that it surely doesn't have. */
function forTurns(run: RunView): Choice {
  const mayHaveTurns = isBeingRead(run) || run.log.spans({ kinds: ['turn'], limit: 1 }).length > 0;
  const showChanges = isBeingRead(run) || run.log.hasChanges();
  return { compare: mayHaveTurns, exportTrace: mayHaveTurns, showChanges };
}

function actionsOfAgent(run: RunView): Choice {
  const hasEnded = run.state.type === 'ended';
  const isAcp = takesRequests(run) && run.protocol === 'acp';
  return {
    stop: isLive(run),
    restart: run.isPublished !== true,
    logIn: needsLogin(run),
    newSession: isAcp,
    prompt: isAcp,
    resumeSession: isAcp && run.canResumeSessions === true,
    callTool: takesRequests(run) && run.protocol === 'mcp',
    setLevel: isLive(run),
    showTermination: hasEnded,
    deleteJournal: hasEnded && run.journal?.path !== undefined,
    replayRun: hasEnded && run.journal?.path !== undefined,
    removeRun: hasEnded,
  };
}

function actionsOfFile(run: FileRun): Choice {
  return {
    setLevel: true,
    showTermination: isOurs(run) || run.state.type === 'ended',
    deleteJournal: isOurs(run) && !isBeingWritten(run),
    replayRun: isProtocol(run.protocol) && run.info.saved === undefined && !isBeingWritten(run),
    removeRun: run.state.type !== 'unread',
    keepCopy: run.info.origin === 'saved' && run.info.saved?.kept?.path !== run.info.paths[0],
    deleteCopy: run.info.saved?.kept !== undefined,
  };
}

/** Whether a tap or another window writes it. */
export function isBeingWritten({ info, state, wasStopped }: FileRun): boolean {
  const isOver = info.termination !== undefined || (state.type === 'ended' && !wasStopped);
  return info.writer !== undefined && !isOver;
}
