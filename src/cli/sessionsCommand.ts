import { localTime } from '../text/format';
import { shortId } from '../text/sessionLabel';
import { oneLine, shownLine } from '../text/text';
import { hintWords } from '../query/hintWords';
import { parseTime, resolveTime } from '../query/timeValue';
import { inEnglish } from '../text/translator';
import { SavedSessions } from '../past/saved/list/savedSessions';
import type { CountedSession, FoundSession, SavedWork } from '../past/saved/list/savedUsage';
import { countedSession, savedWork, usedSince } from '../past/saved/list/savedUsage';
import { groupsBy } from '../past/saved/list/usageSums';
import { outcomeWords, parseSessionFilter, savedFacts } from '../past/saved/list/sessionFilter';
import type { SavedSession } from '../past/saved/savedSession';
import { WorkFolders } from '../past/saved/list/workFolders';
import type { SessionState } from '../past/saved/now/sessionState';
import type { StateChange } from '../past/saved/now/stateChanges';
import type { Ongoing } from '../diagnosis/sessionSummary';
import { describeActivity } from '../diagnosis/sessionSummary';
import { computedTotal } from '../timeline/totalUsage';
import { stillAlive } from '../machine/processAlive';
import { runningPrograms } from '../machine/programs';
import { keptFolder } from '../wire/journal/tapFolder';
import type { SessionsOptions } from './commands/sessions';
import type { Cli } from './context';
import { sumsJson, sumsTable } from './sessionSums';

/** The sessions that agents saved for this user. */
export function savedSessionsHere(cli: Pick<Cli, 'machine' | 'redactor'>): SavedSessions {
  return new SavedSessions({
    machine: cli.machine,
    keptPath: keptFolder(cli.machine),
    redactor: cli.redactor(),
    isAlive: stillAlive(),
    programs: runningPrograms(),
    now: Date.now,
  });
}

/** Prints the saved sessions of this user, or what they used. The exit code is 1 on failure. */
export async function listSessions(options: SessionsOptions, cli: Cli): Promise<number> {
  const sessions = savedSessionsHere(cli);
  const { json, by } = options;
  const { prices } = cli;
  if (by !== undefined) {
    const counted: CountedSession[] = [];
    const since = startOf(options);
    for await (const found of fitting(options, sessions, cli)) {
      counted.push(await countedSession(found, sessions.open(found.session), { since, prices }));
    }
    const sums = groupsBy(counted, by).map(({ sum }) => sum);
    for (const line of json ? sumsJson(sums, by) : sumsTable(sums, by, (name) => cli.shown(name))) cli.print(line);
    return cli.exitCode;
  }
  for await (const { session, of } of fitting(options, sessions, cli)) {
    if (json) {
      const [work, state] = [await savedWork(sessions.open(session)), await sessions.stateOf(session)];
      cli.print(asJson(session, work, computedTotal(work.turns, session.model, prices)?.usd, state));
      // Reading takes a while.
      await cli.flush();
    } else cli.print(asText(session, of.agent));
    if (cli.hasGone) break;
  }
  return cli.exitCode;
}

/** The saved sessions that fit, by agent, newest first. Says why there are none, or what is missing. */
async function* fitting(options: SessionsOptions, sessions: SavedSessions, cli: Cli): AsyncGenerator<FoundSession> {
  const { agent, folder, limit } = options;
  const filter = parseSessionFilter(options.filter);
  for (const hint of filter?.hints ?? []) cli.warn(inEnglish(hintWords(hint)));
  const all = await sessions.agents();
  const agents = all.filter(({ agent: id, name }) => {
    return (agent === undefined || id === agent) && filter?.fitsAgent(name) !== false;
  });
  let count = 0;
  let isWhole = true;
  const wanted = { sessions, limit, filter, ...(folder !== undefined && { folders: [folder] }) };
  for await (const { found, problem, notice } of usedSince(startOf(options), agents, wanted)) {
    if (problem) cli.fail(inEnglish(problem));
    isWhole &&= problem === undefined;
    if (notice) cli.warn(inEnglish(notice));
    count += found.length;
    yield* found;
    await cli.flush();
    if (cli.hasGone) return;
  }
  if (count > 0) return;
  const asked = askedOf(options, filter?.text);
  if (asked !== '' && all.length > 0) cli.warn(`no saved session fits ${asked}. To print a session, use "tail".`);
  else if (isWhole) cli.warn('no saved sessions found.');
}

/** What a session has to fit, as it was given. */
function askedOf({ agent, folder, since }: SessionsOptions, filter?: string): string {
  const values = [filter, agent && `--agent ${agent}`, folder && `--folder ${folder}`, since && `--since ${since}`];
  return values.filter((value) => value !== undefined).join(' ');
}

/** Of what is wanted, in milliseconds since the epoch. */
function startOf({ since }: SessionsOptions): number {
  const value = since === undefined ? undefined : parseTime(since);
  const now = Date.now();
  return value ? resolveTime(value, 'since', { now, newest: now }) : -Infinity;
}

/** Prints changes of state as lines, until stdout is closed or the program is stopped. */
export async function watchSessions(options: SessionsOptions, cli: Cli): Promise<number> {
  const { agent, folder, json } = options;
  const filter = parseSessionFilter(options.filter);
  for (const hint of filter?.hints ?? []) cli.warn(inEnglish(hintWords(hint)));
  const sessions = savedSessionsHere(cli);
  const folders = folder === undefined ? undefined : new WorkFolders([folder], cli.machine.platform, cli.redactor());
  const isWanted = ({ session, state, isFirst }: StateChange): boolean =>
    (!isFirst || state.type === 'working' || state.type === 'waiting') &&
    (agent === undefined || session.agent === agent) &&
    (!folders || folders.has(session.folder)) &&
    (!filter || filter.fits({ ...savedFacts(session, sessions.nameOf(session.agent)), title: session.title }));
  const watch = sessions.now();
  // The watch itself doesn't keep the process alive.
  const life = setInterval(() => undefined, 60_000);
  await new Promise<void>((resolve) => {
    watch.onDidChange((changes) => {
      for (const change of changes) if (isWanted(change)) cli.print(json ? changeAsJson(change) : changeAsText(change));
      void cli.flush().then(() => (cli.hasGone ? resolve() : undefined));
    });
    process.once('SIGINT', resolve);
  });
  clearInterval(life);
  watch.dispose();
  return cli.exitCode;
}

function changeAsText({ session, state }: StateChange): string {
  const text = textOf(session, session.agent, Date.now(), state.type);
  const about = 'doing' in state ? wordsOf(state.doing) : state.type === 'failed' ? state.why : undefined;
  return about === undefined ? text : `${text}: ${shownLine(about, 200)}`;
}

function changeAsJson({ session, state, before }: StateChange): string {
  const { agent, id, title, folder } = session;
  return JSON.stringify({ time: isoTime(Date.now()), agent, id, title, folder, before, ...stateFields(state) });
}

/** What programs get of a state. */
function stateFields(state: SessionState): object {
  const { type } = state;
  switch (type) {
    case 'working':
      return { state: type, doing: wordsOf(state.doing), since: isoTime(state.doing.since) };
    case 'waiting': {
      const { asking, subject, since } = state.doing;
      return { state: type, waitsFor: asking, subject, since: isoTime(since) };
    }
    case 'failed':
      return { state: type, problem: state.why, since: isoTime(state.at) };
    default:
      return { state: type, since: isoTime(state.at) };
  }
}

/** Without how long it takes already. */
function wordsOf(doing: Ongoing): string {
  return describeActivity({ activity: doing }, doing.since);
}

function asText(session: SavedSession, agent: string): string {
  const { forkedFrom, running, outcome, modifiedAt, lastAt = modifiedAt, isGone } = session;
  const state = running === undefined ? wordOf(outcome) : outcomeWords.running;
  const marks = [...(forkedFrom === undefined ? [] : ['  (fork)']), ...(isGone === true ? ['  (kept)'] : [])];
  return textOf(session, agent, lastAt, state ?? '', marks.join(''));
}

/** `2026-11-22 09:14  claude   completed    0be0b1c6  What is this project?  (/home/me/project)`. */
function textOf(session: SavedSession, agent: string, at: number, state: string, more = ''): string {
  const { id, title = '(no title)', folder } = session;
  return [
    localTime(at).slice(0, 16),
    agent.padEnd(8),
    state.padEnd(11),
    shortId(id).padEnd(8),
    `${shownLine(title, 80)}${more}${folder === undefined ? '' : `  (${oneLine(folder, 1000)})`}`,
  ].join('  ');
}

function wordOf(outcome: SavedSession['outcome']): string | undefined {
  return outcome && outcomeWords[outcome];
}

function asJson(
  session: SavedSession,
  { usage, changes }: SavedWork,
  computedUsd: number | undefined,
  state: SessionState,
): string {
  const { agent, id, forkedFrom, title, folder, model, version, outcome, problem, running, path, size } = session;
  const times = { started: isoTime(session.startedAt), last: isoTime(session.lastAt ?? session.modifiedAt) };
  return JSON.stringify({
    agent,
    id,
    forkedFrom,
    title,
    folder,
    ...times,
    model,
    version,
    outcome: wordOf(outcome),
    problem,
    running,
    ...stateFields(state),
    usage,
    computedUsd,
    changes: changes && {
      files: changes.files.length,
      added: changes.added,
      removed: changes.removed,
      isLeast: changes.isLeast || undefined,
    },
    limits: session.limits?.map(({ name, usedPercent, resetsAt, at }) => {
      return { window: name, usedPercent, resetsAt: isoTime(resetsAt), at: isoTime(at) };
    }),
    // When it was copied, and whether its agent has deleted it.
    kept: isoTime(session.kept?.at),
    deleted: session.isGone,
    path,
    size,
  });
}

function isoTime(at: number | undefined): string | undefined {
  return at === undefined || Math.abs(at) > 8.64e15 ? undefined : new Date(at).toISOString();
}
