import assert from 'node:assert/strict';
import { TerminationTracker } from '../../../src/runLog/reading/terminationTracker';
import { inEnglish, t, verbatim } from '../../../src/text/translator';
import { connectionWords, losses, wordsOfEvent } from '../../../src/protocols/connectionWords';
import type { Why } from '../../../src/wire/wireEvent';

describe('why a connection failed or ended', () => {
  const refused = ['ECONNREFUSED'];

  for (const [why, text] of [
    [losses.unknownSession, "the server doesn't know the session any more (HTTP 404)"],
    [losses.silent(refused), 'nothing answers any more: the connection was refused'],
    [
      losses.connection(losses.brokenAnswer(refused)),
      'connection lost: the answer broke off: the connection was refused',
    ],
    [losses.connection(losses.silent(['terminated {0}'])), 'connection lost: nothing answers any more: terminated {0}'],
    [['silent'], 'silent'],
    [[], ''],
  ] as readonly (readonly [Why, string])[]) {
    it(`is worded from its codes: ${text}`, () => assert.equal(inEnglish(connectionWords(why)), text));
  }

  it('is translated from codes, and stays as it is if a server or a library worded it', () => {
    assert.deepEqual(connectionWords(refused), t('the connection was refused'));
    assert.deepEqual(connectionWords(['Kaputt {0}']), verbatim('Kaputt {0}'));
  });

  it('stays English in an event without codes, as Agent Logs 0.3 wrote it', () => {
    const message = 'the server closed its event stream';
    assert.deepEqual(wordsOfEvent({ message, why: losses.closedStream }), t(message));
    assert.deepEqual(wordsOfEvent({ message }), verbatim(message));
  });

  for (const [version, why, words] of [
    ['now', losses.closedStream, connectionWords(losses.connection(losses.closedStream))],
    ['by 0.3', undefined, verbatim('connection lost: the server closed its event stream')],
  ] as const) {
    it(`is how a run of a journal ended that was written ${version}`, () => {
      const tracker = new TerminationTracker();
      const message = 'the server closed its event stream';
      tracker.accept({ t: 1, dir: 'ev', ev: 'disconnect', message, ...(why && { why }) });
      const end = { reason: 'error', terminatedBy: 'agent', message: `connection lost: ${message}` } as const;
      tracker.accept({ t: 1, dir: 'ev', ev: 'end', ...end });
      assert.deepEqual(tracker.termination(), { ...end, message: words });
    });
  }
});
