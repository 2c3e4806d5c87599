import assert from 'node:assert/strict';
import { DiagnosedWire } from '../../support/diagnosedWire';
import type { Level } from '../../../src/text/level';
import { levels } from '../../../src/text/level';
import { Conversation } from '../../../src/diagnosis/conversation/conversation';
import type { NotificationFact } from '../../../src/work/facts';
import { noSteps } from '../../../src/work/step';
import { Work } from '../../../src/work/work';

const event = { t: 1, dir: 'a2c', line: '{}', msg: {} } as const;

describe('diagnosis: log messages during a turn', () => {
  let conversation: Conversation;

  beforeEach(() => {
    conversation = new Conversation('acp', new Work(noSteps));
  });

  const start = (): void => {
    const about = { prompt: '', isUnprompted: false, cancel: undefined };
    conversation.work.see({ type: 'turn', change: 'started', event, sessionId: 's', startedAt: 1, ...about });
  };
  const needs = (level: Level): boolean => conversation.needsLog({ level });
  const log = (sessionId: string, message = 'getaddrinfo ENOTFOUND api.acme.test'): void => {
    const params = { level: 'error', message };
    const fact = { type: 'notification', event, dir: 'a2c', msg: {}, method: 'log', isHistory: false } as const;
    conversation.seeLog({ ...fact, params, sessionId } satisfies NotificationFact);
  };

  it('are read only while a turn runs, and only warnings and errors', () => {
    assert.equal(needs('error'), false);
    start();
    assert.deepEqual(levels.filter(needs), ['warning', 'error', 'critical', 'alert', 'emergency']);
  });

  it('are the cause of what fails afterwards, until the agent acts', () => {
    start();
    log('s');
    assert.equal(conversation.work.turnOf('s')?.cause?.failure, 'dns');
    conversation.work.see({ type: 'progress', event, sessionId: 's' });
    assert.equal(conversation.work.turnOf('s')?.cause, undefined);
  });

  it('are left to the short way in a flood, also that of another session', () => {
    start();
    for (let i = 0; i < 100; i++) log('other');
    assert.equal(needs('error'), false);
    conversation.see({ type: 'junk', event, dir: 'a2c', why: 'not-json' });
    assert.equal(needs('error'), true);
  });

  it('do not hide that the answer repeats what the agent reported', () => {
    const wire = DiagnosedWire.withSession({ logging: {} }).prompt();
    const additionalDetails = 'Rate limit reached for m (429)';
    const error = { message: 'Reconnecting... 1/2', willRetry: true, additionalDetails };
    wire.update({ sessionUpdate: 'session_info_update', _meta: { shop: { error } } });
    const log = { level: 'error', logger: 'model', message: 'No answer from m', data: { status: 429 } };
    wire.says({ method: 'log', params: { sessionId: 'session-1', ...log } });
    wire.chunk('Error: Rate limit reached for m (429)').end();
    assert.deepEqual(wire.codes, ['failed-turn error']);
  });
});
