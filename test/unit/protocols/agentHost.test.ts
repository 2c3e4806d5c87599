import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { recognise } from '../../../src/agents/reading/recognise';
import { rowsOf } from '../../support/columns';
import { messagesOf, readSavedLines } from '../../support/savedRun';

/** Messages as VS Code 1.139 logs them, shortened. */
const text = readFileSync('test/fixtures/agentHost/ahp.jsonl', 'utf8').trimEnd().split('\n');

describe("the log of VS Code's agent host", () => {
  it('is recognized, and read in both directions with its times', () => {
    assert.equal(recognise(text).type, 'agent-host');
    assert.deepEqual(rowsOf(readSavedLines(text).store.query(), 'level', 'logger', 'message'), [
      'info initialize answered in 1.0 s',
      'debug dispatchAction root/configChanged',
      'error createSession copilotcli:/abc: failed after 1.0 s: Not signed in (-32000)',
      'info action copilotcli:/abc: session/turnStarted',
    ]);
  });

  it('is read although lines are cut, reordered or from others', () => {
    const others = ['{"jsonrpc":"2.0","_ahpLog":{"ts":"x","dir":"c2s"}}', '[]'];
    const cut = [...text.slice(2), text[0]?.slice(0, 90) ?? '', ...others];
    for (const message of messagesOf({ log: readSavedLines(cut) })) assert.doesNotMatch(message, /^could not be read/);
    assert.equal(recognise(['{"jsonrpc":"2.0","method":"x"}']).type, 'log');
  });
});
