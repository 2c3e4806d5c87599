import { levels } from '../../text/level';
import { describeReason } from '../../wire/termination';
import type { Termination } from '../../wire/termination';
import { inEnglish } from '../../text/translator';
import { shownLine } from '../../text/text';
import { isFileRun } from '../../past/files/fileRuns';
import type { RunView } from '../../runLog/runView';
import { boundedText, isoTime } from './toolText';

const maxRuns = 50;

/** Lists the runs for a model, one line each, newest first. */
export function listRuns(runs: readonly RunView[]): string {
  if (runs.length === 0) return 'No agent has run here yet.';
  const left = runs.length - maxRuns;
  return boundedText(
    [
      ...runs.slice(0, maxRuns).map(runLine),
      ...(left > 0 ? [`${left} older runs are left out.`] : []),
      'Give an id or an agent name as "run" to the other tools.',
    ].join('\n'),
  );
}

function runLine(run: RunView): string {
  const { id, name, startedAt, log } = run;
  const counts = [log.connection, ...log.sessions].map((group) => group.counts);
  const perLevel = levels
    .map((level) => ({ level, count: counts.reduce((sum, each) => sum + each[level], 0) }))
    .filter(({ count }) => count > 0)
    .map(({ level, count }) => `${count} ${level}`);
  return [
    `- "${shownLine(name, 60)}" id ${id}`,
    kindOf(run),
    `started ${isoTime(startedAt)}`,
    stateOf(run),
    ...(log.sessions.length > 0 ? [`${log.sessions.length} sessions`] : []),
    ...(log.requests.length > 0 ? [`${log.requests.length} open requests`] : []),
    ...(perLevel.length > 0 ? [`records: ${perLevel.join(' ')}`] : []),
  ].join(', ');
}

/** The protocol, or the agent that saved the session. */
function kindOf(run: RunView): string {
  const saved = isFileRun(run) ? run.info.saved : undefined;
  return saved ? `session saved by ${saved.agentName}` : run.protocol;
}

/** In a few words and without the agent's text, because an unread journal may not be redacted. */
function stateOf(run: RunView): string {
  switch (run.state.type) {
    case 'ended':
      return endOf(run.state.termination);
    case 'unread':
    case 'reading': {
      if (isFileRun(run) && run.info.saved) return run.info.saved.isRunning ? 'running' : 'not read yet';
      const known = isFileRun(run) ? run.info.termination : undefined;
      return known ? endOf(known) : 'ended or in another window, not read yet';
    }
    case 'following':
      return 'its file is read to the end, and followed';
    case 'starting':
    case 'running':
    case 'stopping':
      return run.state.type;
  }
}

function endOf(termination: Termination): string {
  const { exitCode, signal } = termination;
  const how = signal ?? (exitCode === undefined ? undefined : `exit ${exitCode}`);
  return `${inEnglish(describeReason(termination))}${how === undefined ? '' : ` (${how})`}`;
}
