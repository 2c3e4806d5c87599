import type { Span } from '../../../timeline/span';
import { outerTurns, totalUsage } from '../../../timeline/totalUsage';
import type { Usage } from '../../../work/activity';
import { FileRun } from '../../files/fileRun';
import type { FileRunInfo } from '../../files/fileRunInfo';

/** Larger sessions aren't read, in bytes. */
const maxSize = 32 * 1024 * 1024;
/** For records, which nobody shows, in bytes. */
const maxMemory = 1024 * 1024;

/** What the turns of a session used, without those of subagents. Reads the whole session. */
export async function savedUsage(info: FileRunInfo): Promise<Usage | undefined> {
  const spans = await turnsIn(info);
  return spans && totalUsage(outerTurns(spans));
}

/** The turns and subagents of a session, which is read completely; `undefined` if it is too large. */
export async function turnsIn(info: FileRunInfo): Promise<readonly Span[] | undefined> {
  if (info.size > maxSize) return undefined;
  const run = new FileRun(info, { level: 'info', maxMemory });
  await run.read();
  await run.dispose();
  return run.log.spans({ kinds: ['turn', 'subagent'] });
}
