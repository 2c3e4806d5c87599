import * as assert from 'node:assert/strict';
import { PersonalFinder } from '../../../../src/redact/review/personal';
import { replaceSpans } from '../../../../src/redact/span';
import { hostilePairs, hostileTexts, takesLinearTime } from '../../../support/doubling';

const finder = new PersonalFinder({ users: ['jdoe', 'anna.schmidt'], hosts: ['jdoe-laptop', 'node'] });

function replaced(text: string): string {
  return replaceSpans(text, finder.in(text));
}

describe('personal paths and names', () => {
  const rows: readonly (readonly [string, string])[] = [
    ['/home/jdoe/project/a.ts', '~/project/a.ts'],
    ['cd /home/somebody && ls', 'cd ~ && ls'],
    ['"/Users/somebody/Library"', '"~/Library"'],
    ['C:\\Users\\Some Body\\Desktop\\a.txt', '~\\Desktop\\a.txt'],
    ['C:\\\\Users\\\\somebody\\\\a.txt', '~\\\\a.txt'],
    ['c:/users/somebody/a.txt', '~/a.txt'],
    ['/mnt/c/Users/somebody/a.txt', '~/a.txt'],
    ['/c/Users/somebody/a.txt', '~/a.txt'],
    ['file:///home/somebody/a.ts', 'file://~/a.ts'],
    ['file:///C:/Users/somebody/a.ts', 'file:///~/a.ts'],
    ['file:///c%3A/Users/somebody/a.ts', 'file:///~/a.ts'],
    ['vscode-remote://wsl+ubuntu/home/somebody/a.ts', 'vscode-remote://wsl+ubuntu~/a.ts'],
    ['%2Fhome%2Fsomebody%2Fa.ts', '~%2Fa.ts'],
    ['/home/J%C3%BCrgen/a.ts', '~/a.ts'],
    ['/home/jürgen/a.ts', '~/a.ts'],
    ['\\/home\\/somebody\\/a.ts', '~\\/a.ts'],
    ['~/.claude/projects/-home-somebody-project/x.jsonl', '~/.claude/projects/~-project/x.jsonl'],
    ['projects/-Users-anna-schmidt-project', 'projects/~-project'],
    ['projects\\C--Users-somebody-project', 'projects\\~-project'],
    ['jdoe@jdoe-laptop:~$ ls', 'user@host:~$ ls'],
    ['drwxr-xr-x 2 jdoe jdoe 4096', 'drwxr-xr-x 2 user user 4096'],
    ['https://github.com/JDoe/tool', 'https://github.com/user/tool'],
    ['Author: Anna <anna@firma.de>', 'Author: Anna <email>'],
  ];
  for (const [text, expected] of rows) {
    it(`replaces ${text}`, () => {
      assert.equal(replaced(text), expected);
      assert.equal(replaced(expected), expected);
    });
  }

  const harmless = [
    'https://example.com/home/about',
    '/home/linuxbrew/.linuxbrew',
    '/Users/Shared/x',
    'C:\\Users\\Public\\x',
    './mvnw --home-dir=/opt',
    'java -home-dir x',
    'git@github.com:owner/tool.git',
    'npm i @types/node@22.1.0 left-pad@latest',
    'icon@2x.png',
    'user@example.com',
    'noreply@anthropic.com',
    'the homepage of users',
    'runs on node 22',
    '@Override public void home()',
    'jdoes',
  ];
  for (const text of harmless) it(`keeps ${text}`, () => assert.equal(replaced(text), text));

  it('names the users of home folders', () => {
    assert.deepEqual(finder.usersIn('/home/one/a C:\\Users\\two\\b'), ['one', 'two']);
  });

  const units = [...'/home/ /home/a C:\\Users\\ \\\\ %2Fhome%2F a@ a.b@c. -home- jdoe @a.b.c.d'.split(' '), ' a'];
  takesLinearTime('takes linear time on hostile texts', (text) => void finder.in(text), [
    ...hostileTexts(),
    ...hostilePairs(units, units),
  ]);
});
