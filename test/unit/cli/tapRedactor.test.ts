import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { writeTapPatterns } from '../../../src/live/config/tapPatterns';
import { tapRedactor } from '../../../src/cli/tap/journal/tapRedactor';
import { useFolder } from '../../support/tempFolder';

const secret = 'q7Zk2vGqT7w99xQ';

describe('tap: what it redacts', () => {
  const folder = useFolder();
  let warnings: string[];
  beforeEach(() => (warnings = []));

  const patternsFile = (): string => folder.in('redaction.json');
  const line = (
    text: string,
    env: Record<string, string>,
    secretEnv: string[] = [],
    command: string[] = [],
  ): string => {
    const options = { secretEnv, patternsFile: patternsFile(), command };
    return tapRedactor(options, env, (message) => warnings.push(message)).line(text);
  };

  it('are the values of the given variables, and of those with a secret name', () => {
    assert.equal(line(`I am ${secret}`, { ACME: secret }), `I am ${secret}`);
    assert.equal(line(`I am ${secret}`, { ACME: secret }, ['ACME']), 'I am [redacted]');
    assert.equal(line(`I am ${secret}`, { ACME_TOKEN: secret }), 'I am [redacted]');
    assert.equal(line('I am debug', { ACME_TOKEN: 'debug' }), 'I am debug');
    assert.deepEqual(warnings, []);
  });

  it('includes secrets that look like ordinary settings', () => {
    for (const value of ['quite-private-1234', 'supersecretvalue-998877', 'placeholder-abcdefXYZ12']) {
      assert.equal(line(`I am ${value}`, { ACME: value }, ['ACME']), 'I am [redacted]');
      assert.equal(line(`I am ${value}`, { ACME_API_KEY: value }), 'I am [redacted]');
      assert.equal(line(`I am ${value}`, {}, [], ['agent', '--token', value]), 'I am [redacted]');
      assert.equal(line(`I am ${value}`, { ACME: value }), `I am ${value}`);
    }
    assert.deepEqual(warnings, []);
  });

  it('warns if a variable named as secret has a value that is too common to look for', () => {
    assert.equal(line('production', { ACME: 'production', SET: secret }, ['ACME', 'SET', 'UNSET']), 'production');
    assert.deepEqual(warnings, ['not redacted, because the value is too short or too common to look for: ACME.']);
  });

  it('are the values of secret options of the command', () => {
    assert.equal(line(`I am ${secret}`, {}, [], ['agent', '--api-key', secret]), 'I am [redacted]');
    assert.equal(line(`I am ${secret}`, {}, [], ['agent', `--token=${secret}`]), 'I am [redacted]');
  });

  it('is what the person’s own patterns match', async () => {
    await writeTapPatterns(patternsFile(), ['ACME-\\d+']);
    assert.equal(line('{"id":"ACME-17"}', {}), '{"id":"[redacted]"}');
  });

  it('is less, with a warning, if the patterns cannot be read or take too long', async () => {
    writeFileSync(patternsFile(), 'no JSON');
    assert.equal(line('ACME-17', {}), 'ACME-17');
    assert.match(warnings[0] ?? '', /patterns can't be read and aren't used: .*redaction\.json/);
    await writeTapPatterns(patternsFile(), ['(a+)+$']);
    assert.equal(line(`${'a'.repeat(40)}!`, {}), '[redacted]');
    assert.match(warnings[1] ?? '', /\(a\+\)\+\$ took too long/);
  });
});
