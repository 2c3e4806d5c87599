import type { Level } from '../../log/level';
import { timeOf } from '../logFields/timeOf';
import type { JsonObject } from '../json';
import { objectOf, textOf } from '../json';
import { numberOf } from './eventText';
import type { EventWriter } from './eventWriter';

/** `rate_limit_event`: how much of the plan is used, sent whenever that changes; only `rejected` holds the agent up. */
export function readRateLimit(event: JsonObject, writer: EventWriter): void {
  const info = objectOf(event['rate_limit_info']);
  const status = textOf(info['status']) ?? 'unknown';
  const isCovered = info['isUsingOverage'] === true;
  const used = numberOf(info['utilization']);
  const resets = timeOf(info['resetsAt']);
  const details = [
    ...(used === undefined ? [] : [`${Math.round(used * 100)}% used`]),
    ...(resets === undefined ? [] : [`resets at ${new Date(resets).toISOString()}`]),
    ...(isCovered ? ['extra usage is paid for'] : []),
  ];
  const window = textOf(info['rateLimitType'])?.replaceAll('_', ' ');
  writer.tell({
    level: levelOfStatus(status, isCovered),
    kind: 'notice',
    logger: 'rate limit',
    message: [`${window === undefined ? '' : `${window}: `}${status}`, ...details].join(', '),
  });
}

function levelOfStatus(status: string, isCovered: boolean): Level {
  if (status === 'allowed') return 'debug';
  if (status === 'allowed_warning') return 'warning';
  if (status === 'rejected') return isCovered ? 'warning' : 'error';
  return 'notice';
}
