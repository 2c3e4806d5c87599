import assert from 'node:assert/strict';
import { Redactor } from '../../../src/log/redact/redactor';
import { redactEvent } from '../../../src/runs/redactEvent';

describe('a redacted event', () => {
  it('stays a message, also behind a byte order mark', () => {
    const line = '\ufeff{"apiKey":"abc123def456"}';
    const event = redactEvent({ t: 1, dir: 'a2c', line, msg: JSON.parse(line.slice(1)) as unknown }, new Redactor());
    assert.deepEqual(event, {
      t: 1,
      dir: 'a2c',
      line: line.replace('abc123def456', '[redacted]'),
      msg: { apiKey: '[redacted]' },
    });
  });

  it('is left out where it cannot be searched, and says so', () => {
    const failing = {
      line(): never {
        throw new RangeError('Maximum call stack size exceeded');
      },
    };
    for (const dir of ['a2c', 'err'] as const) {
      assert.deepEqual(redactEvent({ t: 1, dir, line: 'secret', ...(dir === 'a2c' && { msg: 1 }) }, failing), {
        t: 1,
        dir,
        line: '6 characters are left out: they could not be searched for secrets (Maximum call stack size exceeded)',
      });
    }
  });
});
