import assert from 'node:assert/strict';
import { tappedWords, tapWords } from '../../../../src/live/config/tapWords';

describe('the words of a tap', () => {
  const front = tapWords({ name: '-notes', protocol: 'mcp', secretEnv: ['A', 'B'] });
  const rows: readonly (readonly [what: string, words: readonly string[], name?: string, folder?: string])[] = [
    ['the installed program', ['node', '/s/agent-logs.cjs', ...front, 'npx', 'a'], '-notes'],
    ['the program of the extension', ['node', '/x/dist/cli.js', 'tap', '--', 'npx', 'a'], 'npx'],
    ['options of Node.js', ['node', '--no-warnings', 'C:\\x\\cli.js', 'tap', '--name=n', '--', 'npx', 'a'], 'n'],
    ['a command', ['agent-logs', 'tap', '--folder', '/j', '--', '/bin/npx', 'a'], 'npx', '/j'],
    ['a package', ['npx', '-y', 'agent-logs', 'tap', '--name', 'n', '--level', 'info', '--', 'npx', 'a'], 'n'],
    ['no tap', ['npx', 'a']],
    ['another command of it', ['node', '/x/cli.js', 'check', '--', 'npx', 'a']],
    ['another program with a tap', ['node', '/x/beer.js', 'tap', '--', 'npx', 'a']],
    ['words that are no options', ['node', '/x/cli.js', 'tap', 'open', '--', 'npx', 'a']],
    ['nothing behind it', ['node', '/x/cli.js', 'tap', '--']],
    ['no end of it', ['node', '/x/cli.js', 'tap', 'npx', 'a']],
  ];
  for (const [what, words, name, folder] of rows) {
    it(`are ${name === undefined ? 'not ' : ''}recognised: ${what}`, () => {
      const found = tappedWords(words);
      assert.deepEqual([found?.words.slice(-1)[0], found?.name, found?.folder], [name && 'a', name, folder]);
    });
  }
});
