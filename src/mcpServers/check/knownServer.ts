import type { JsonObject } from '../../text/json';
import { objectOf } from '../../text/json';
import type { CheckedServer, CheckSource } from './checkedServer';
import { greetingOf } from './checkedServer';
import type { CheckTarget } from './checkTarget';
import type { RecordedFacts, RecordedServer } from './recordedServer';
import type { Recording } from './recordings';
import { listedTools } from './rules/listedTool';

/**
 * What a running server said in its recording, or else in an earlier one, if anything: it isn't started once more; what it said in its last
 * run if only its client can start it, or none is started; else `undefined`.
 * @param recordings of that server, newest first
 * @param mayStart whether servers of which nothing is known are started
 */
export async function knownServer(
  target: CheckTarget,
  recordings: readonly Recording[],
  mayStart = true,
): Promise<CheckedServer | undefined> {
  const running = recordings.filter(({ isRunning }) => isRunning);
  const isLocal = target.start.type === 'process';
  const mayBeOver = !mayStart || target.asksUser || (isLocal && running.length > 0);
  for (const recording of [...running, ...(mayBeOver ? recordings : [])]) {
    const { isRunning, startedAt: at } = recording;
    const server = await reading(recording);
    const facts = server?.facts;
    if (!facts) continue;
    const why = running.length > 0 ? 'not-asked' : target.asksUser ? 'asks-user' : 'not-started';
    const source: CheckSource = isRunning ? { type: 'running', at } : { type: 'recorded', at, why };
    const greeting = facts.greeting ?? (await greetingIn(recordings));
    return { target, source, conduct: server.conduct, ...said(facts, greeting) };
  }
  const [newest] = running;
  if (!newest || !isLocal) return undefined;
  return { target, source: { type: 'unknown', at: newest.startedAt }, tools: [], notes: [] };
}

/** What it answered when a client asked for it: stateless ones do that in another process, or not at all. */
async function greetingIn(recordings: readonly Recording[]): Promise<JsonObject | undefined> {
  for (const recording of recordings) {
    const greeting = (await reading(recording))?.greeting;
    if (greeting) return greeting;
  }
  return undefined;
}

/** It may just have been deleted. */
function reading(recording: Recording): Promise<RecordedServer | undefined> {
  return recording.read().catch(() => undefined);
}

function said(
  { serverInfo, protocolVersion, startMs, listMs, pingMs, prompts, resources, tools }: RecordedFacts,
  greeting: JsonObject | undefined,
): Omit<CheckedServer, 'target' | 'source'> {
  return {
    ...greetingOf({ ...objectOf(serverInfo), protocolVersion, instructions: greeting?.['instructions'] }),
    ...(startMs !== undefined && { startMs }),
    listMs,
    ...(pingMs !== undefined && { pingMs }),
    ...(prompts !== undefined && { prompts }),
    ...(resources !== undefined && { resources }),
    ...listedTools(tools),
  };
}
