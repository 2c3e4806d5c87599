import { ProtocolError } from '@modelcontextprotocol/client';
import { setTimeout as delay } from 'node:timers/promises';
import type { JsonObject } from '../../text/json';
import { isObject, numberOf, objectOf, textOf } from '../../text/json';
import { oneLine } from '../../text/text';
import { rpcError } from '../../work/rpcError';
import type { ToolProgress } from '../connection/agentClient';

/** What following a task needs. */
export interface TaskPorts {
  request(method: string, params: JsonObject, signal?: AbortSignal): Promise<JsonObject>;
  /** Responds to a request for input; `undefined` if that isn't possible. */
  respond(method: string, params: JsonObject): Promise<unknown>;
  onProgress: ((progress: ToolProgress) => void) | undefined;
  readonly signal: AbortSignal;
}

/** The server cancelled the task. */
export class TaskCancelled extends Error {}

/** Time between two polls, in milliseconds, if the server doesn't say, and its limits. */
const interval = { normal: 1000, least: 100, most: 60_000 };
const internalError = -32603;

/**
 * Polls a task until it ends, and returns the result of its call.
 * @throws if the task fails or is cancelled, or the signal aborts; the server is asked to cancel it then
 */
export async function taskResult(taskId: string, created: JsonObject, ports: TaskPorts): Promise<JsonObject> {
  const { signal } = ports;
  const known = new Set<string>();
  try {
    for (let state = created, polls = 0; ; polls++) {
      const message = textOf(state['statusMessage']);
      if (message !== undefined) ports.onProgress?.({ progress: polls, message: oneLine(message, 200) });
      await respond(taskId, objectOf(state['inputRequests']), known, ports);
      await delay(intervalOf(state), undefined, { signal });
      state = await ports.request('tasks/get', { taskId }, signal);
      const end = endOf(state);
      if (end) return end.result ?? (await ports.request('tasks/result', { taskId }, signal));
    }
  } catch (error) {
    if (signal.aborted) void ports.request('tasks/cancel', { taskId }).catch(() => undefined);
    throw error;
  }
}

/** @param known keys of earlier requests, of which each is answered once */
async function respond(taskId: string, requests: JsonObject, known: Set<string>, ports: TaskPorts): Promise<void> {
  for (const [key, value] of Object.entries(requests)) {
    if (known.has(key)) continue;
    known.add(key);
    const { method, params } = objectOf(value);
    const response = await ports.respond(textOf(method) ?? '', objectOf(params));
    if (response === undefined) continue;
    await ports.request('tasks/update', { taskId, inputResponses: { [key]: response } }, ports.signal);
  }
}

/** The end of a task; up to 2025-11-25 its result is asked for separately. */
function endOf(state: JsonObject): { readonly result?: JsonObject } | undefined {
  const { status, result, error } = state;
  const message = textOf(state['statusMessage']);
  if (status === 'completed') return isObject(result) ? { result } : {};
  if (status === 'cancelled') throw new TaskCancelled(message ?? '');
  if (status !== 'failed') return undefined;
  const failure = rpcError(error);
  // Up to 2025-11-25 the result of a failed task says why.
  if (!failure) return {};
  throw new ProtocolError(failure.code ?? internalError, failure.message, failure.data);
}

function intervalOf(state: JsonObject): number {
  const asked = numberOf(state['pollIntervalMs'] ?? state['pollInterval']) ?? interval.normal;
  return Math.min(Math.max(asked, interval.least), interval.most);
}
