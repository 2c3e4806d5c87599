import { oneLine } from '../../log/text';
import type { JsonObject } from '../json';
import { textOf } from '../json';
import { numberOf } from './eventText';
import type { EventWriter } from './eventWriter';

/** `hook_started`, `hook_progress` and `hook_response`: a hook that failed is a warning. */
export function readHook(subtype: string, event: JsonObject, writer: EventWriter): void {
  const name = oneLine(textOf(event['hook_name']) ?? textOf(event['hook_event']) ?? 'a hook', 200);
  const said = oneLine(
    [event['stderr'], event['stdout']].map(textOf).find((text) => text !== undefined) ?? textOf(event['output']) ?? '',
    1000,
  );
  const rest = said === '' ? '' : `: ${said}`;
  if (subtype === 'hook_started') return writer.tell({ level: 'debug', logger: 'hook', message: `${name} started` });
  if (subtype !== 'hook_response') return writer.tell({ level: 'debug', logger: 'hook', message: `${name}${rest}` });
  const code = numberOf(event['exit_code']);
  const outcome = textOf(event['outcome']);
  const failed = outcome === 'error' || (code !== undefined && code !== 0);
  const state = [outcome, code === undefined ? undefined : `exit ${code}`].filter((part) => part !== undefined);
  writer.tell({
    level: failed ? 'warning' : outcome === 'cancelled' ? 'notice' : 'info',
    logger: 'hook',
    message: `${name} (${state.join(', ')})${rest}`,
  });
}
