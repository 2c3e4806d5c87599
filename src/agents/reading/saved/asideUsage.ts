import type { AgentWriter } from '../../../protocols/agentWriter/agentWriter';
import type { Usage } from '../../../work/activity';

/**
 * Reports what a model request used that isn't part of the conversation, such as a compaction: in the running turn, otherwise in a turn of
 * its own.
 * @param key the same for all records of a request
 * @param title of that turn
 * @param hasMore true if other requests may follow that are part of the same
 */
export function asideUsage(
  writer: AgentWriter,
  key: string | undefined,
  usage: Usage | undefined,
  title: string,
  { hasMore = false } = {},
): void {
  if (!usage) return;
  const isOwn = !writer.isInTurn;
  if (isOwn) writer.turnStarted(title);
  writer.usage(key, usage, { isAside: true });
  if (!isOwn) return;
  const end = { outcome: 'ok', isCommand: true } as const;
  if (hasMore) writer.mayEnd(end);
  else writer.turnEnded(end);
}
