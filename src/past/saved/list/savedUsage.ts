import type { Span } from '../../../timeline/span';
import type { Changes } from '../../../timeline/changes';
import { changesIn } from '../../../timeline/changes';
import { workKinds } from '../../../timeline/span';
import { outerTurns, totalUsage } from '../../../timeline/totalUsage';
import type { Usage } from '../../../work/activity';
import { FileRun } from '../../files/fileRun';
import type { FileRunInfo } from '../../files/fileRunInfo';

/** Larger sessions aren't read, in bytes. */
const maxSize = 32 * 1024 * 1024;
/** For records, which nobody shows, in bytes. */
const maxMemory = 1024 * 1024;

/**
 * What the turns of a session used, without those of subagents. Reads the whole session.
 * @param since only turns that began then or later, in milliseconds since the epoch; a sum of the whole session can't be divided
 */
export async function savedUsage(info: FileRunInfo, since = -Infinity): Promise<Usage | undefined> {
  const spans = await spansIn(info, workKinds);
  return spans && totalUsage(turnsSince(spans, since));
}

function turnsSince(spans: readonly Span[], since: number): readonly Span[] {
  return outerTurns(spans).filter(({ startedAt }) => startedAt >= since);
}

/** What a session used and changed. */
export interface SavedWork {
  readonly usage?: Usage | undefined;
  readonly changes?: Changes | undefined;
}

export async function savedWork(info: FileRunInfo): Promise<SavedWork> {
  const spans = await spansIn(info, workKinds);
  return spans ? { usage: totalUsage(outerTurns(spans)), changes: changesIn(spans) } : {};
}

/** The spans of a session, which is read completely; `undefined` if it is too large. @param kinds default: turns and subagents */
export async function spansIn(
  info: FileRunInfo,
  kinds: readonly Span['kind'][] = ['turn', 'subagent'],
): Promise<readonly Span[] | undefined> {
  if (info.size > maxSize) return undefined;
  const run = new FileRun(info, { level: 'info', maxMemory });
  await run.read();
  await run.dispose();
  return run.log.spans({ kinds });
}

/** The same by skill: that of the first one that the agent took in a turn. Turns without one have the name `undefined`. */
export async function usageBySkill(info: FileRunInfo, since: number): Promise<ReadonlyMap<string | undefined, Usage>> {
  const spans = (await spansIn(info, ['turn', 'subagent', 'tool'])) ?? [];
  const turns = turnsSince(spans, since);
  // Sums can't be divided.
  const areApart = turns.every(({ usage }) => usage === undefined || usage.basis === 'turn');
  const bySkill = new Map<string | undefined, Span[]>();
  for (const turn of turns) {
    const skill = areApart ? skillIn(turn, spans) : undefined;
    bySkill.set(skill, [...(bySkill.get(skill) ?? []), turn]);
  }
  const used = new Map<string | undefined, Usage>();
  for (const [skill, some] of bySkill) {
    const usage = totalUsage(some);
    if (usage) used.set(skill, usage);
  }
  return used;
}

/** How agents call the tool that loads a skill. */
const skillTool = /^(?:activate_|use_|load_)?skill$/i;

function skillIn({ id }: Span, spans: readonly Span[]): string | undefined {
  const call = spans.find(
    ({ parent, toolName }) => parent === id && toolName !== undefined && skillTool.test(toolName),
  );
  return call?.title.replace(/^[\w-]*skill: /i, '');
}
