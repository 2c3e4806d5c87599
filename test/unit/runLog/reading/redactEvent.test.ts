import assert from 'node:assert/strict';
import { Redactor } from '../../../../src/redact/redactor';
import { redactEvent, redactWords } from '../../../../src/runLog/reading/redactEvent';
import { plainEvent } from '../../../support/plainEvent';

describe('redacted events', () => {
  it('stay messages, even after a byte order mark', () => {
    const line = '\ufeff{"apiKey":"abc123def456"}';
    const event = redactEvent({ t: 1, dir: 'a2c', line, msg: JSON.parse(line.slice(1)) as unknown }, new Redactor());
    assert.deepEqual(plainEvent(event), {
      t: 1,
      dir: 'a2c',
      line: line.replace('abc123def456', '[redacted]'),
      msg: { apiKey: '[redacted]' },
    });
  });

  it("are dropped and marked if they can't be searched", () => {
    const failing = {
      line(): never {
        throw new RangeError('Maximum call stack size exceeded');
      },
    };
    for (const dir of ['a2c', 'err'] as const) {
      const event = redactEvent({ t: 1, dir, line: 'secret', ...(dir === 'a2c' && { msg: 1 }) }, failing);
      assert.deepEqual(plainEvent(event), {
        t: 1,
        dir,
        line: '6 characters are left out: they could not be searched for secrets (Maximum call stack size exceeded)',
      });
    }
  });
});

describe('redacted command lines', () => {
  it('hide the value of a secret option', () => {
    const secret = 'Zk3vQ9xT7mB2pLw8RnYc4HdJ6sFgA1eU';
    for (const words of [
      ['agent', '--api-key', secret],
      ['agent', `--api-key=${secret}`],
      ['agent', '--auth', secret],
      ['agent', '--key', secret],
      ['curl', '-u', `me:${secret}`, 'https://example.com'],
      ['agent', '-H', `Authorization: Bearer ${secret}`],
    ]) {
      const redacted = redactWords(words, new Redactor());
      assert.ok(!redacted.join(' ').includes(secret), redacted.join(' '));
      assert.equal(redacted.length, words.length);
    }
    assert.deepEqual(redactWords(['node', 'agent.js', '-v'], new Redactor()), ['node', 'agent.js', '-v']);
  });
});
