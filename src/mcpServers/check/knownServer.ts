import { objectOf } from '../../text/json';
import type { CheckedServer, CheckSource } from './checkedServer';
import { greetingOf } from './checkedServer';
import type { CheckTarget } from './checkTarget';
import type { RecordedFacts } from './recordedServer';
import type { Recording } from './recordings';
import { listedTools } from './rules/listedTool';

/**
 * What a running server said in its recording, so that it needn't be started once more; what it said in its last run if only its client
 * can start it; else `undefined`.
 * @param recordings of that server, newest first
 */
export async function knownServer(
  target: CheckTarget,
  recordings: readonly Recording[],
): Promise<CheckedServer | undefined> {
  for (const recording of recordings) {
    const { isRunning, startedAt } = recording;
    if (!isRunning && !target.asksUser) continue;
    // It may just have been deleted.
    const facts = (await recording.read().catch(() => undefined))?.facts;
    if (facts) return serverOf(target, facts, { type: isRunning ? 'running' : 'recorded', at: startedAt });
  }
  return undefined;
}

function serverOf(target: CheckTarget, facts: RecordedFacts, source: CheckSource): CheckedServer {
  const { greeting, serverInfo, protocolVersion, startMs, listMs, pingMs, prompts, resources } = facts;
  return {
    target,
    source,
    ...greetingOf({ ...objectOf(serverInfo), protocolVersion, instructions: greeting['instructions'] }),
    ...(startMs !== undefined && { startMs }),
    listMs,
    ...(pingMs !== undefined && { pingMs }),
    ...(prompts !== undefined && { prompts }),
    ...(resources !== undefined && { resources }),
    ...listedTools(facts.tools),
  };
}
