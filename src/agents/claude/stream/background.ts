import { duration, oneLine } from '../../../text/text';
import type { JsonObject } from '../../../text/json';
import { numberOf, objectOf, textOf, textsOf } from '../../../text/json';
import { hookResult } from '../../reading/hookResult';
import { restOf } from '../../reading/streams/eventText';
import type { AgentWriter } from '../../../protocols/agentWriter/agentWriter';

/** `task_started`, `task_progress`, `task_updated` and `task_notification`: background tasks and subagents. */
export function readTask(subtype: string, event: JsonObject, writer: AgentWriter): void {
  const id = oneLine(textOf(event['task_id']) ?? 'a task', 60);
  const description = textOf(event['description']);
  const what = description === undefined ? id : `${id} (${oneLine(description, 300)})`;
  if (subtype === 'task_started') {
    const agent = textOf(event['subagent_type']);
    writer.fact({ type: 'subagent', change: 'started', id, title: description && oneLine(description, 300) });
    const kind = agent === undefined ? '' : ` by ${oneLine(agent, 60)}`;
    return writer.note({ level: 'info', logger: 'task', message: `${what} started${kind}` });
  }
  if (subtype === 'task_notification') {
    const status = textOf(event['status']) ?? 'ended';
    const ms = numberOf(objectOf(event['usage'])['duration_ms']);
    const outcome = status === 'completed' ? 'ok' : status === 'failed' ? 'error' : 'cancelled';
    writer.fact({ type: 'subagent', change: 'ended', id, title: undefined, outcome });
    return writer.note({
      level: status === 'failed' ? 'warning' : status === 'completed' ? 'info' : 'notice',
      logger: 'task',
      message: `${id} ${status}${ms === undefined ? '' : ` after ${duration(ms)}`}: ${textOf(event['summary']) ?? ''}`,
    });
  }
  const patch = objectOf(event['patch']);
  const error = textOf(patch['error']);
  if (patch['status'] === 'failed' || error !== undefined) {
    return writer.note({ level: 'warning', logger: 'task', message: `${id} failed: ${error ?? ''}` });
  }
  const last = textOf(event['summary']) ?? textOf(event['last_tool_name']);
  const progress = subtype === 'task_progress' && last !== undefined ? `${what}: ${oneLine(last, 300)}` : undefined;
  writer.note({ level: 'debug', logger: 'task', message: progress ?? `${id} ${restOf(event, ['task_id'])}` });
}

/** `hook_started`, `hook_progress` and `hook_response`. */
export function readHook(subtype: string, event: JsonObject, writer: AgentWriter): void {
  const hookEvent = textOf(event['hook_event']) ?? 'hook';
  const name = oneLine(textOf(event['hook_name']) ?? hookEvent, 200);
  const id = textOf(event['hook_id']);
  const [stdout, stderr] = [textOf(event['stdout']), textOf(event['stderr'])];
  if (subtype === 'hook_started' && id !== undefined) return writer.hookStarted(id, name);
  if (subtype !== 'hook_response') {
    const [output = ''] = textsOf(stderr, stdout, event['output']);
    return writer.note({ level: 'debug', logger: 'hook', message: `${name}: ${oneLine(output, 1000)}` });
  }
  const { outcome } = event;
  const result = hookResult(hookEvent, {
    exitCode: numberOf(event['exit_code']),
    stdout: stdout ?? textOf(event['output']),
    stderr,
    state: outcome === 'error' ? 'failed' : outcome === 'cancelled' ? 'cancelled' : undefined,
  });
  writer.hookEnded(id, { name, ...result });
}
