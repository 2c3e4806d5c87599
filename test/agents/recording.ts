import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { journalLine } from '../../src/wire/journal/journalLine';
import { describeRun } from '../support/describeRun';
import type { Trial } from './trial';

/** Writes the results of a run for inspection: its log, the output channel, and the wire. */
export function record(folder: string, name: string, { run, events, group, channel }: Trial): void {
  mkdirSync(folder, { recursive: true });
  const text = [
    describeRun(run.log, run.startedAt),
    '--- in the process group when it was stopped',
    ...group.map(({ pid, args }) => `${pid} ${args}`),
    '',
    '--- in the output channel, at level info',
    ...channel,
  ];
  writeFileSync(join(folder, `${name}.txt`), `${text.join('\n')}\n`);
  const wire = events.map((event) => journalLine(event, run.startedAt));
  writeFileSync(join(folder, `${name}.wire.ndjson`), `${wire.join('\n')}\n`);
}
