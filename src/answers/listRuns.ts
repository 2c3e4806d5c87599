import { isFileRun } from '../past/files/fileRuns';
import { runFacts } from '../past/files/runFacts';
import type { SessionFacts } from '../past/saved/list/sessionFilter';
import { outcomeWords } from '../past/saved/list/sessionFilter';
import type { RunView } from '../runLog/runView';
import { isLive } from '../runLog/runView';
import { levels } from '../text/level';
import { shortId } from '../text/sessionLabel';
import { oneLine } from '../text/text';
import { inEnglish } from '../text/translator';
import type { Termination } from '../wire/termination';
import { describeReason } from '../wire/termination';
import { savedOf } from './askingSession';
import type { ToolInput } from './toolInput';
import { wrong } from './toolInput';
import { isoTime, maxAnswer, moreAt, room } from './toolText';

const defaultLimit = 25;

/**
 * Lists runs for a model, one line each, newest first.
 * @param runs those that fit the filter
 * @throws HumanError if the cursor names none of them
 */
export function listRuns(runs: readonly RunView[], { filter, limit = defaultLimit, cursor }: ToolInput): string {
  if (runs.length === 0) {
    return filter === undefined
      ? 'No agent has run here yet.'
      : `No run fits the filter. Leave it out to list all runs.`;
  }
  const from = cursor === undefined ? 0 : runs.findIndex(({ id }) => id === cursor) + 1;
  if (cursor !== undefined && from === 0) {
    throw wrong('The run of this cursor is gone: list the runs without a cursor.');
  }
  let bytes = room;
  const lines: string[] = [];
  for (const run of runs.slice(from, from + limit)) {
    const line = runLine(run);
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > maxAnswer) break;
    lines.push(line);
  }
  const end = from + lines.length;
  const left = runs.length - end;
  return [
    ...lines,
    ...(left > 0 ? [moreAt(left === 1 ? '1 older run is' : `${left} older runs are`, runs[end - 1]?.id ?? '')] : []),
    'Give an id as "run" to the other tools.',
  ].join('\n');
}

/** What a filter can ask of a run. */
export function factsOf(run: RunView): SessionFacts & { readonly title: string } {
  return runFacts({ name: run.name, cwd: run.cwd, saved: savedOf(run) }, terminationOf(run), isLive(run));
}

function runLine(run: RunView): string {
  const { id, name, startedAt, log, cwd } = run;
  const counts = [log.connection, ...log.sessions].map((group) => group.counts);
  const perLevel = levels
    .map((level) => ({ level, count: counts.reduce((sum, each) => sum + each[level], 0) }))
    .filter(({ count }) => count > 0)
    .map(({ level, count }) => `${count} ${level}`);
  const model = savedOf(run)?.model;
  return [
    `- "${oneLine(name, 60)}" id ${id}`,
    kindOf(run),
    `started ${isoTime(startedAt)}`,
    stateOf(run),
    ...(model === undefined ? [] : [`model ${oneLine(model, 60)}`]),
    ...(cwd === '' ? [] : [`in ${oneLine(cwd, 200)}`]),
    ...(log.sessions.length > 0 ? [`${log.sessions.length} sessions`] : []),
    ...(log.requests.length > 0 ? [`${log.requests.length} open requests`] : []),
    ...(perLevel.length > 0 ? [`records: ${perLevel.join(' ')}`] : []),
  ].join(', ');
}

/** The protocol, or the agent that saved the session. */
function kindOf(run: RunView): string {
  const saved = savedOf(run);
  return saved ? `session ${oneLine(shortId(saved.sessionId), 12)} saved by ${saved.agentName}` : run.protocol;
}

/** In a few words and without the agent's text, because an unread journal may not be redacted. */
function stateOf(run: RunView): string {
  const saved = savedOf(run);
  if (saved && (run.state.type === 'unread' || run.state.type === 'reading' || run.state.type === 'following')) {
    return factsOf(run).outcome ?? outcomeWords.open;
  }
  switch (run.state.type) {
    case 'ended':
      return endOf(run.state.termination);
    case 'unread':
    case 'reading': {
      const known = terminationOf(run);
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

function terminationOf(run: RunView): Termination | undefined {
  if (run.state.type === 'ended') return run.state.termination;
  return isFileRun(run) ? run.termination : undefined;
}

function endOf(termination: Termination): string {
  const { exitCode, signal } = termination;
  const how = signal ?? (exitCode === undefined ? undefined : `exit ${exitCode}`);
  return `${inEnglish(describeReason(termination))}${how === undefined ? '' : ` (${how})`}`;
}
