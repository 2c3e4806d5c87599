import { duration, oneLine } from '../../log/text';
import type { JsonObject } from '../json';
import { objectOf, textOf } from '../json';
import { numberOf, restOf } from './eventText';
import type { EventWriter } from './eventWriter';

/** `task_started`, `task_progress`, `task_updated` and `task_notification`: what runs in the background, and subagents. */
export function readTask(subtype: string, event: JsonObject, writer: EventWriter): void {
  const id = oneLine(textOf(event['task_id']) ?? 'a task', 60);
  const description = textOf(event['description']);
  const what = description === undefined ? id : `${id} (${oneLine(description, 300)})`;
  if (subtype === 'task_started') {
    const agent = textOf(event['subagent_type']);
    const kind = agent === undefined ? '' : ` by ${oneLine(agent, 60)}`;
    return writer.tell({ level: 'info', logger: 'task', message: `${what} started${kind}` });
  }
  if (subtype === 'task_notification') {
    const status = textOf(event['status']) ?? 'ended';
    const ms = numberOf(objectOf(event['usage'])['duration_ms']);
    return writer.tell({
      level: status === 'failed' ? 'warning' : status === 'completed' ? 'info' : 'notice',
      logger: 'task',
      message: `${id} ${status}${ms === undefined ? '' : ` after ${duration(ms)}`}: ${textOf(event['summary']) ?? ''}`,
    });
  }
  const patch = objectOf(event['patch']);
  const error = textOf(patch['error']);
  if (patch['status'] === 'failed' || error !== undefined) {
    return writer.tell({ level: 'warning', logger: 'task', message: `${id} failed: ${error ?? ''}` });
  }
  const last = textOf(event['summary']) ?? textOf(event['last_tool_name']);
  const progress = subtype === 'task_progress' && last !== undefined ? `${what}: ${oneLine(last, 300)}` : undefined;
  writer.tell({ level: 'debug', logger: 'task', message: progress ?? `${id} ${restOf(event, ['task_id'])}` });
}
