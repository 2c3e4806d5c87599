import { duration, oneLine } from '../../../text/text';
import type { JsonObject } from '../../../text/json';
import { numberOf, objectOf, textOf, textsOf } from '../../../text/json';
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

/** `hook_started`, `hook_progress` and `hook_response`. A failed hook is a warning. */
export function readHook(subtype: string, event: JsonObject, writer: AgentWriter): void {
  const name = oneLine(textOf(event['hook_name']) ?? textOf(event['hook_event']) ?? 'a hook', 200);
  const [output = ''] = textsOf(event['stderr'], event['stdout'], event['output']);
  const said = oneLine(output, 1000);
  const rest = said === '' ? '' : `: ${said}`;
  if (subtype === 'hook_started') return writer.note({ level: 'debug', logger: 'hook', message: `${name} started` });
  if (subtype !== 'hook_response') return writer.note({ level: 'debug', logger: 'hook', message: `${name}${rest}` });
  const code = numberOf(event['exit_code']);
  const outcome = textOf(event['outcome']);
  const failed = outcome === 'error' || (code !== undefined && code !== 0);
  const state = textsOf(outcome, code !== undefined && `exit ${code}`);
  writer.note({
    level: failed ? 'warning' : outcome === 'cancelled' ? 'notice' : 'info',
    logger: 'hook',
    message: `${name} (${state.join(', ')})${rest}`,
  });
}
