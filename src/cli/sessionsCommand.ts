import { localTime } from '../text/format';
import { shownLine } from '../text/text';
import { hintWords } from '../query/hintWords';
import { inEnglish, verbatim } from '../text/translator';
import type { FileRunInfo } from '../past/files/fileRunInfo';
import { messageOf } from '../text/humanError';
import type { SavedAgentFolder } from '../past/saved/list/savedSessions';
import { SavedSessions } from '../past/saved/list/savedSessions';
import { savedUsage } from '../past/saved/list/savedUsage';
import { outcomeWords, parseSessionFilter } from '../past/saved/list/sessionFilter';
import type { SavedList, SavedSession } from '../past/saved/savedSession';
import { stillAlive } from '../machine/processAlive';
import { runningPrograms } from '../machine/programs';
import type { Usage } from '../work/activity';
import type { SessionsOptions } from './commands/sessions';
import type { Cli } from './context';

/** The sessions that agents saved for this user. */
export function savedSessionsHere(cli: Pick<Cli, 'machine' | 'redactor'>): SavedSessions {
  return new SavedSessions({
    machine: cli.machine,
    redactor: cli.redactor(),
    isAlive: stillAlive(),
    programs: runningPrograms(),
    now: Date.now,
  });
}

/** Finds a saved session of any agent by its ID or the end of it. */
export async function findSaved(id: string, sessions: SavedSessions): Promise<FileRunInfo | undefined> {
  for (const { agent } of await sessions.agents()) {
    const session = await sessions.find(agent, id);
    if (session) return sessions.open(session);
  }
  return undefined;
}

/** Prints the saved sessions of this user. The exit code is 1 on failure. */
export async function listSessions(
  { agent, folder, filter: words, limit, json }: SessionsOptions,
  cli: Cli,
): Promise<number> {
  const filter = parseSessionFilter(words);
  for (const hint of filter?.hints ?? []) cli.warn(inEnglish(hintWords(hint)));
  const sessions = savedSessionsHere(cli);
  const all = await sessions.agents();
  const agents = all.filter(({ agent: id, name }) => {
    return (agent === undefined || id === agent) && filter?.fitsAgent(name) !== false;
  });
  let found = 0;
  for (const one of agents) {
    const options = { limit, filter, ...(folder !== undefined && { folders: [folder] }) };
    const list = await sessions.list(one.agent, options).catch((error: unknown): SavedList => {
      return { sessions: [], total: 0, problem: verbatim(`${one.name}: ${messageOf(error)}`) };
    });
    if (list.problem) cli.fail(inEnglish(list.problem));
    if (list.notice) cli.warn(inEnglish(list.notice));
    for (const session of list.sessions) {
      found++;
      cli.print(json ? asJson(session, await savedUsage(sessions.open(session))) : asText(session, one));
      // Reading takes a while.
      if (json) await cli.flush();
      if (cli.hasGone) return cli.exitCode;
    }
    await cli.flush();
    if (cli.hasGone) return cli.exitCode;
  }
  if (filter && all.length > 0 && found === 0) {
    cli.warn(`no saved session fits ${filter.text}. To print a session, use "tail".`);
  } else if (agents.length === 0) {
    cli.warn('no saved sessions found.');
  }
  return cli.exitCode;
}

/** `2026-11-22 09:14  claude   completed    0be0b1c6  What is this project?  (/home/me/project)`. */
function asText(session: SavedSession, { agent }: SavedAgentFolder): string {
  const { id, title = '(no title)', folder, forkedFrom, running, outcome } = session;
  const state = running === undefined ? wordOf(outcome) : outcomeWords.running;
  return [
    localTime(session.lastAt ?? session.modifiedAt).slice(0, 16),
    agent.padEnd(8),
    (state ?? '').padEnd(11),
    shownLine(id.slice(-12), 12).padEnd(12),
    `${shownLine(title, 80)}${forkedFrom === undefined ? '' : '  (fork)'}${folder === undefined ? '' : `  (${shownLine(folder, 200)})`}`,
  ].join('  ');
}

function wordOf(outcome: SavedSession['outcome']): string | undefined {
  return outcome && outcomeWords[outcome];
}

function asJson(session: SavedSession, usage: Usage | undefined): string {
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
    usage,
    path,
    size,
  });
}

function isoTime(at: number | undefined): string | undefined {
  return at === undefined || Math.abs(at) > 8.64e15 ? undefined : new Date(at).toISOString();
}
