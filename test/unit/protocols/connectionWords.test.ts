import assert from 'node:assert/strict';
import { TerminationTracker } from '../../../src/runLog/reading/terminationTracker';
import { inEnglish, t, verbatim } from '../../../src/text/translator';
import { readJournalLine } from '../../../src/wire/journal/journalReader';
import { connectionWords, losses, wordsOfEvent } from '../../../src/protocols/connectionWords';
import type { Why } from '../../../src/wire/wireEvent';

describe('why a connection failed or ended', () => {
  const refused = ['ECONNREFUSED'];

  for (const [why, text] of [
    [losses.unknownSession, "the server doesn't know the session any more (HTTP 404)"],
    [losses.silent(refused), 'nothing answers any more: the connection was refused'],
    [losses.brokenAnswer(refused), 'the answer broke off: the connection was refused'],
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

  const exit = { t: 1, dir: 'ev', ev: 'exit', code: 3, signal: null } as const;
  const disconnect = { t: 1, dir: 'ev', ev: 'disconnect', message: 'x' } as const;
  const lost = losses.connection(losses.closedStream);
  for (const [what, event, message, why, words] of [
    ['a lost connection', disconnect, 'x', lost, connectionWords(lost)],
    ['a closed output', exit, 'x', losses.closedStdout, t('closed its standard output')],
    ['the exit', exit, 'x', ['exit'], t('exited with code {0}', '3')],
    ['the disconnect', disconnect, 'x', ['exit'], t('disconnected')],
    ['another text', exit, "didn't start: x", undefined, verbatim("didn't start: x")],
    ['a connection that Agent Logs 0.3 lost', disconnect, 'connection lost', undefined, verbatim('connection lost')],
  ] as const) {
    it(`is how a run of a journal ended: ${what}`, () => {
      const end = { reason: 'error', terminatedBy: 'agent', message, ...(why && { why }) } as const;
      const line = JSON.stringify({ t: '2026-11-20T10:00:00.000Z', ms: 1, dir: 'ev', ev: 'end', ...end });
      const tracker = new TerminationTracker();
      tracker.accept(event);
      tracker.accept(readJournalLine(line)!);
      assert.deepEqual(tracker.termination().message, words);
    });
  }

  it('has codes for its end, unless something else is known of it', () => {
    const tracker = new TerminationTracker();
    tracker.accept(exit);
    assert.deepEqual(tracker.why, ['exit']);
    tracker.explain({ message: t('closed its standard output') }, losses.closedStdout);
    assert.deepEqual(tracker.why, losses.closedStdout);
    tracker.explain({ message: verbatim('anything') });
    assert.equal(tracker.why, undefined);
  });
});
