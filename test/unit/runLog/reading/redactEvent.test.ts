import { deepJson } from '../../../../src/text/jsonText';
import assert from 'node:assert/strict';
import { Redactor } from '../../../../src/redact/redactor';
import { HumanError } from '../../../../src/text/humanError';
import { redactError, redactEvent, redactObject } from '../../../../src/runLog/reading/redactEvent';
import { redactTermination, redactWords } from '../../../../src/runLog/reading/redactEvent';
import { inEnglishTermination } from '../../../../src/wire/termination';
import { t, verbatim } from '../../../../src/text/translator';
import type { ProcessEvent } from '../../../../src/wire/wireEvent';
import { plainEvent } from '../../../support/plainEvent';

const failing = {
  line(): never {
    throw new RangeError('Maximum call stack size exceeded');
  },
};

describe('redacted events', () => {
  it('stay messages, even after a byte order mark', () => {
    const line = '\ufeff{"apiKey":"abc123def456"}';
    const event = redactEvent({ t: 1, dir: 'a2c', line, msg: JSON.parse(line.slice(1)) as unknown }, new Redactor());
    const redacted = line.replace('abc123def456', '[redacted]');
    assert.deepEqual(plainEvent(event), { t: 1, dir: 'a2c', line: redacted, msg: { apiKey: '[redacted]' } });
  });

  it("are dropped and marked if they can't be searched", () => {
    const why = 'they could not be searched for secrets (Maximum call stack size exceeded)';
    for (const dir of ['a2c', 'err'] as const) {
      const event = redactEvent({ t: 1, dir, line: 'secret', ...(dir === 'a2c' && { msg: 1 }) }, failing);
      assert.deepEqual(plainEvent(event), { t: 1, dir, line: `6 characters are left out: ${why}` });
    }
  });
});

const secret = 'Zk3vQ9xT7mB2pLw8RnYc4HdJ6sFgA1eU';

const processEvents: readonly ProcessEvent[] = [
  { ev: 'spawn', pid: 1, command: ['agent', '--api-key', secret], cwd: '/w' },
  { ev: 'spawn', pid: 1, command: ['agent'], cwd: `/w/token=${secret}` },
  { ev: 'start-failed', message: `apiKey=${secret}` },
  { ev: 'start-failed', message: 'x', missing: { type: 'program', name: `API_KEY=${secret}` } },
  { ev: 'end', reason: 'error', terminatedBy: 'agent', message: `Bearer ${secret}` },
  { ev: 'connect', url: `https://me:${secret}@example.com` },
  { ev: 'http', method: 'POST', message: `token=${secret}` },
  { ev: 'stream-close', message: `token=${secret}` },
  { ev: 'disconnect', message: `token=${secret}` },
  { ev: 'disconnect', message: 'x', why: ['silent', `token=${secret}`] },
];

describe('redacted process events', () => {
  it('have no secret', () => {
    for (const event of processEvents) {
      const redacted = redactEvent({ t: 1, dir: 'ev', ...event }, new Redactor());
      assert.ok(!JSON.stringify(redacted).includes(secret), JSON.stringify(redacted));
      assert.deepEqual(Object.keys(redacted), Object.keys({ t: 1, dir: 'ev', ...event }));
    }
  });

  it('are kept without their texts if these cannot be searched', () => {
    for (const event of processEvents) {
      const redacted = redactEvent({ t: 1, dir: 'ev', ...event }, failing);
      assert.ok(redacted.dir === 'ev' && redacted.ev === event.ev);
      assert.ok(!JSON.stringify(redacted).includes(secret), JSON.stringify(redacted));
    }
  });
});

describe('how a run ended', () => {
  it('is redacted in each of its texts', () => {
    const quoted = verbatim(`Authorization: Bearer ${secret}`);
    const message = t('{0} closed its standard output.', quoted);
    const cause = { what: quoted, by: 'stderr', advice: quoted, short: quoted } as const;
    const given = { reason: 'error', terminatedBy: 'agent', message, cause, exitCode: 1 } as const;
    const end = redactTermination(given, new Redactor());
    assert.ok(!JSON.stringify(end).includes(secret), JSON.stringify(end));
    const redacted = 'Authorization: Bearer …[redacted]';
    assert.deepEqual(inEnglishTermination(end), {
      ...{ reason: 'error', terminatedBy: 'agent', message: `${redacted} closed its standard output.` },
      ...{ cause: { what: redacted, by: 'stderr', advice: redacted }, exitCode: 1 },
    });
  });
});

describe('a redacted error', () => {
  it('has no secret in its words, its stack or its causes', () => {
    const first = new Error(`token=${secret}`);
    const cause = new Error('x', { cause: first });
    const error = new HumanError(t('It failed: {0}', `apiKey=${secret}`), [], { cause });
    error.missing = { type: 'program', name: `API_KEY=${secret}` };
    redactError(error, new Redactor());
    const texts = [error.message, error.stack, error.words, error.missing, first.message, first.stack];
    assert.ok(!JSON.stringify(texts).includes(secret), JSON.stringify(texts));
    assert.match(error.message, /^It failed: apiKey=/);
  });

  it('may be its own cause', () => {
    const error = new Error(`token=${secret}`);
    error.cause = error;
    assert.ok(!redactError(error, new Redactor()).message.includes(secret));
  });
});

describe('the redacted answer to `initialize`', () => {
  it('stays an object, however deep it is nested', () => {
    assert.deepEqual(redactObject({ name: 'a', apiKey: secret }, new Redactor()), { name: 'a', apiKey: '[redacted]' });
    const deep = JSON.parse(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`) as Record<string, unknown>;
    assert.equal(deepJson(redactObject(deep, new Redactor())), deepJson(deep));
  });
});

describe('redacted command lines', () => {
  it('hide the value of a secret option', () => {
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
