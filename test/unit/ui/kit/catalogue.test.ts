import assert from 'node:assert/strict';
import { splitCommandLine } from '../../../../src/live/config/commandLine';
import { catalogue } from '../../../../src/agents/catalogue';
import { installation } from '../../../../src/ui/services/agents/catalogue';

describe('catalogue of agents', () => {
  it('separates installed agents from the others', async () => {
    const pathOf = (program: string): string | undefined => (program === 'gemini' ? '/bin/gemini' : undefined);
    const { installed, missing } = await installation((program) => Promise.resolve(pathOf(program)));
    assert.deepEqual([installed.map(({ name }) => name), missing.length], [['Gemini CLI'], catalogue.length - 1]);
  });

  it('has unique names, and command lines without quotes', () => {
    assert.equal(new Set(catalogue.map(({ name }) => name)).size, catalogue.length);
    for (const { commandLine, install } of catalogue) {
      assert.deepEqual(splitCommandLine(commandLine, 'linux'), commandLine.split(' '));
      assert.match(install, /^(npm install -g \S+|uv tool install \S+|https:\/\/\S+)$/);
    }
  });
});
