import assert from 'node:assert/strict';
import { english, t } from '../../../../src/text/translator';
import type { Level } from '../../../../src/text/level';
import type { RunLog } from '../../../../src/runLog/runLog';
import type { RunView } from '../../../../src/runLog/runView';
import { recordDetails } from '../../../../src/explorer/record/recordDetails';
import type { ProblemDetails } from '../../../../src/explorer/page/messages';
import { emptyLog, now } from '../../../support/queriedLog';

describe('the details of a problem', () => {
  let log: RunLog;

  beforeEach(() => (log = emptyLog()));

  const add = (level: Level, message: string, more: { sessionId?: string; logger?: string } = {}): number =>
    log.store.append({ receivedAt: now, level, kind: 'log', message, ...more });

  function problem(evidence: readonly number[], sessionId?: string): ProblemDetails | undefined {
    const data = { code: 'agent-ended', count: 1, since: now, evidence };
    const words = { what: t('Exited with code {0}', '1') };
    const texts = { level: 'error', kind: 'diagnosis', message: 'Exited with code 1', words } as const;
    const seq = log.store.append({ receivedAt: now, data, ...texts, ...(sessionId !== undefined && { sessionId }) });
    const record = log.store.get(seq);
    assert.ok(record);
    const run = { log, protocol: 'mcp' } as Partial<RunView> as RunView;
    return recordDetails(record, run, () => [], english).problem;
  }

  const before = (evidence: readonly number[], sessionId?: string): readonly string[] =>
    problem(evidence, sessionId)?.before.map(({ message }) => message) ?? [];

  it('say in a sentence what happened, and name what the run is of', () => {
    const { what, title } = problem([]) ?? {};
    assert.deepEqual([title, what], ['Server exited unexpectedly', 'Exited with code 1.']);
  });

  it('list the newest warnings and errors of its session, oldest first, without its evidence', () => {
    for (let n = 1; n <= 6; n++) add('warning', `mine ${n}`, { sessionId: 'a' });
    add('error', 'of another session', { sessionId: 'b' });
    add('info', 'harmless', { sessionId: 'a' });
    add('error', 'on stderr');
    const shown = add('error', 'the evidence', { sessionId: 'a' });
    assert.deepEqual(before([shown], 'a'), ['mine 3', 'mine 4', 'mine 5', 'mine 6', 'on stderr']);
  });

  it('list nothing from before the latest prompt', () => {
    add('error', 'earlier turn', { sessionId: 'a' });
    add('info', 'Try again.', { sessionId: 'a', logger: 'prompt' });
    add('warning', 'slow', { sessionId: 'a' });
    assert.deepEqual(before([]), ['slow']);
  });
});
