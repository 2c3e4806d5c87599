import assert from 'node:assert/strict';
import { RegexTooSlow } from '../../../src/store/regexRunner';
import { RegexWorker } from '../../../src/machine/regexWorker';
import { draftOf, emptyLog, resultOf, whenDone } from '../../support/queriedLog';

describe('regular expressions in a worker', () => {
  let worker: RegexWorker;
  beforeEach(() => (worker = new RegexWorker(300)));
  afterEach(() => worker.dispose());

  it('find matching texts', async () => {
    assert.deepEqual(await worker.matches('^b.$', true, batch(['ab', 'Bc', 'bé', ''])), [1, 2]);
    assert.deepEqual(await worker.matches('a', false, batch(['ab', 'A', 'ba'])), [0, 2]);
  });

  it('are stopped if too slow, and the next one works', async () => {
    const slow = worker.matches('(a+)+$', false, batch([`${'a'.repeat(40)}!`]));
    const host = new Promise((resolve) => setImmediate(resolve, 'host'));
    assert.equal(await Promise.race([slow.catch(() => 'stopped'), host]), 'host', 'the host goes on');
    await assert.rejects(slow, RegexTooSlow);
    assert.deepEqual(await worker.matches('a', false, batch(['a'])), [0]);
  });

  it('search a run, and report if they were stopped', async () => {
    const log = emptyLog();
    for (let n = 0; n < 500; n++) log.record(draftOf(n));
    log.record({ ...draftOf(0), message: `${'a'.repeat(40)}!` });
    log.flush();
    const result = resultOf(log, '/module \\d+7$/', worker);
    await whenDone(result);
    assert.equal(result.state.total, 49);
    const slow = resultOf(log, '/(a+)+$/', worker);
    await whenDone(slow);
    assert.match(slow.state.error ?? '', /too slow and was stopped/);
    for (const one of [result, slow]) one.dispose();
  });
});

function batch(texts: readonly string[]): { readonly bytes: Uint8Array; readonly ends: Uint32Array } {
  let end = 0;
  return {
    bytes: new Uint8Array(new TextEncoder().encode(texts.join(''))),
    ends: Uint32Array.from(texts, (text) => (end += Buffer.byteLength(text))),
  };
}
