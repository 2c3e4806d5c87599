import { levels } from '../../src/text/level';
import type { LogRecord } from '../../src/text/record';
import { shortId } from '../../src/text/sessionLabel';
import { boundedJson } from '../../src/text/boundedJson';
import { oneLine } from '../../src/text/text';
import type { LogGroup } from '../../src/runLog/logGroup';
import type { RunLog } from '../../src/runLog/runLog';

/** A run's log as text for golden files: records, then sessions and open requests. */
export function describeRun(log: RunLog, startedAt: number): string {
  return [
    ...log.store.query().map((record) => describeRecord(record, startedAt)),
    '',
    ...[log.connection, ...log.sessions].map(describeGroup),
    ...log.requests.map((request) => `open: ${request.direction} ${request.method} ${request.id}`),
    '',
  ].join('\n');
}

function describeRecord(record: LogRecord, startedAt: number): string {
  const ms = String(record.receivedAt - startedAt).padStart(6);
  const where = record.sessionId === undefined ? 'connection' : shortId(record.sessionId);
  const logger = record.logger === undefined ? '' : `${record.logger}: `;
  const data = record.data === undefined ? '' : ` ${boundedJson(record.data, 160)}`;
  const time = record.time === undefined ? '' : ` @${new Date(record.time).toISOString()}`;
  return `${ms} ${record.level.padEnd(9)} ${record.kind.padEnd(9)} ${where.padEnd(10)} ${logger}${oneLine(record.message, 240)}${data}${time}`;
}

function describeGroup(group: LogGroup): string {
  const counts = levels.filter((level) => group.counts[level] > 0).map((level) => `${level} ${group.counts[level]}`);
  const name = group.id === undefined ? 'connection' : `session ${shortId(group.id)}`;
  const title = group.title === undefined ? '' : ` "${group.title}"`;
  const mode =
    group.currentMode === undefined ? '' : ` mode ${group.currentMode} of ${group.modes.map(({ id }) => id).join('|')}`;
  return `${name}${title}: ${counts.join(', ')}${mode}${group.ended ? ', ended' : ''}`;
}
