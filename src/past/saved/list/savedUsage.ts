import type { SaverId } from '../../../agents/agents';
import type { Span } from '../../../timeline/span';
import type { Changes } from '../../../timeline/changes';
import { changesIn } from '../../../timeline/changes';
import { workKinds } from '../../../timeline/span';
import { computedTotal, outerTurns, totalUsage } from '../../../timeline/totalUsage';
import type { Usage } from '../../../work/activity';
import type { PriceList } from '../../../work/usage/prices';
import { displayOf, t } from '../../../text/translator';
import type { ListOptions, SavedList, SavedSession } from '../savedSession';
import { FileRun } from '../../files/fileRun';
import type { FileRunInfo } from '../../files/fileRunInfo';

/** Larger sessions aren't read, in bytes. */
const maxSize = 32 * 1024 * 1024;
/** For records, which nobody shows, in bytes. */
const maxMemory = 1024 * 1024;

/** What a session used, without its subagents, and what it changed. */
export interface SavedWork {
  readonly turns: readonly Span[];
  readonly usage?: Usage | undefined;
  readonly changes?: Changes | undefined;
}

/** Reads the whole session. */
export async function savedWork(info: FileRunInfo): Promise<SavedWork> {
  const spans = await spansIn(info, workKinds);
  if (!spans) return { turns: [] };
  const turns = outerTurns(spans);
  return { turns, usage: totalUsage(turns), changes: changesIn(spans) };
}

/** The spans of a session, which is read completely; `undefined` if it is too large. @param kinds default: turns and subagents */
export async function spansIn(
  info: FileRunInfo,
  kinds: readonly Span['kind'][] = ['turn', 'subagent'],
): Promise<readonly Span[] | undefined> {
  if (info.size > maxSize) return undefined;
  // Mostly sums are taken from it. Who shows its names and paths redacts them.
  const run = new FileRun(info, { level: 'info', maxMemory, redaction: undefined });
  await run.read();
  await run.dispose();
  return run.log.spans({ kinds });
}

/** What a part of a session used. */
export interface UsagePart {
  /** The first one that the agent took in these turns. */
  readonly skill: string | undefined;
  /** The session's last one if the turns don't say it. */
  readonly model: string | undefined;
  readonly usage: Usage;
  /** What its turns cost by the user's prices. */
  readonly computed: ReturnType<typeof computedTotal>;
}

/** A saved session, and its agent. */
export interface FoundSession {
  readonly session: SavedSession;
  /** With its display name. */
  readonly of: { readonly agent: SaverId; readonly name: string };
}

/** The same, with what it used by skill and model; no part if it doesn't say. */
export interface CountedSession extends FoundSession {
  readonly parts: readonly UsagePart[];
}

interface SessionLists {
  list(agent: SaverId, options: ListOptions): Promise<SavedList>;
}

/** The saved sessions of an agent, newest first, and why others are missing. */
interface FoundSessions extends Pick<SavedList, 'problem' | 'notice'> {
  readonly found: readonly FoundSession[];
}

/**
 * The sessions of agents that were used since, agent by agent. One that can't be read is a problem.
 * @param since in milliseconds since the epoch
 */
export async function* usedSince(
  since: number,
  agents: readonly FoundSession['of'][],
  { sessions, ...options }: Omit<ListOptions, 'since'> & { readonly sessions: SessionLists },
): AsyncGenerator<FoundSessions> {
  for (const of of agents) {
    const list = await sessions.list(of.agent, { ...options, since }).catch((error: unknown): SavedList => {
      const why = displayOf(error);
      return { sessions: [], total: 0, problem: t('{0}: {1}', of.name, why) };
    });
    // A file may have changed after the last work in it.
    const used = list.sessions.filter(({ lastAt, modifiedAt }) => (lastAt ?? modifiedAt) >= since);
    yield { ...list, found: used.map((session) => ({ session, of })) };
  }
}

/** Which turns count, and what they cost. */
interface UsageOptions {
  /** Only those that began then or later, in milliseconds since the epoch; a sum of the whole session can't be divided. */
  readonly since: number;
  readonly prices: PriceList;
}

/** What a session used, without its subagents. Reads the whole session. */
export async function countedSession(
  found: FoundSession,
  info: FileRunInfo,
  options: UsageOptions,
): Promise<CountedSession> {
  return { ...found, parts: await usageParts(info, found.session.model, options) };
}

/** @param last the model of turns that don't know theirs */
async function usageParts(
  info: FileRunInfo,
  last: string | undefined,
  { since, prices }: UsageOptions,
): Promise<readonly UsagePart[]> {
  const spans = (await spansIn(info, ['turn', 'subagent', 'tool'])) ?? [];
  const turns = outerTurns(spans).filter(({ startedAt }) => startedAt >= since);
  // Sums can't be divided.
  const areApart = turns.every(({ usage }) => usage === undefined || usage.basis === 'turn');
  const groups = new Map<string, Span[]>();
  for (const turn of turns) {
    const key = areApart ? JSON.stringify([skillIn(turn, spans), turn.model]) : '';
    groups.set(key, [...(groups.get(key) ?? []), turn]);
  }
  return [...groups.values()].flatMap((some) => {
    const [usage, newest] = [totalUsage(some), some.at(-1)];
    if (!usage || !newest) return [];
    const skill = areApart ? skillIn(newest, spans) : undefined;
    return [{ skill, model: newest.model ?? last, usage, computed: computedTotal(some, last, prices) }];
  });
}

/** How agents call the tool that loads a skill. */
const skillTool = /^(?:activate_|use_|load_)?skill$/i;

function skillIn({ id }: Span, spans: readonly Span[]): string | undefined {
  const call = spans.find(
    ({ parent, toolName }) => parent === id && toolName !== undefined && skillTool.test(toolName),
  );
  return call?.title.replace(/^[\w-]*skill: /i, '');
}
