import assert from 'node:assert/strict';
import fc from 'fast-check';
import { lexer } from 'marked';
import { commandLink, issueText, markdownBlock, markdownCode, markdownText } from '../../../src/text/markdown';
import { flatTokens, hostileText, isInert } from '../../support/hostileMarkdown';
import { holds } from '../../support/property';

describe('Markdown with texts of any origin', () => {
  it('has them as plain text, with code', () => {
    const rows: readonly (readonly [text: string, shown: string])[] = [
      ['Bookshop Agent (1.2)', 'Bookshop Agent (1.2)'],
      ['A) b', 'A) b'],
      ['[a](command:x)', '\\[a\\](command:x)'],
      ['![a](https://x)', '!\\[a\\](https://x)'],
      ['<img src=x> &lt; & a', '\\<img src=x> \\&lt; & a'],
      ['a | b', 'a \\| b'],
      ['*a* ~~b~~ _c_ snake_case', '\\*a\\* \\~\\~b\\~\\~ \\_c\\_ snake_case'],
      ['`npm test` failed, `', '`npm test` failed, \\`'],
      ['`a` [b](c) `<d>`', '`a` \\[b\\](c) `<d>`'],
      ['`a|b`', '`a\\|b`'],
      ['# a\n# b', '\\# a # b'],
      ['- a', '\\- a'],
      ['1. a', '1\\. a'],
      ['> a', '\\> a'],
      ['a\\', 'a\\\\'],
    ];
    for (const [text, shown] of rows) assert.equal(markdownText(text), shown, text);
  });

  it('has no words in an issue of which the tracker makes mentions, references or links', () => {
    const rows: readonly (readonly [text: string, shown?: string])[] = [
      ['Turn failed after 2 retries: rate limit (429), 98 % … it’s “so”.'],
      ['npm test --watch in ./src/a_b.ts, run-tests.sh 2.1.332'],
      ['ask @dev or \\\\@org/team', 'ask `@dev` or `\\\\@org/team`'],
      ['a/b#1 #1 GH-1 ABC-12', '`a/b#1` `#1` `GH-1` `ABC-12`'],
      ['https://x.y www.x.y/z a@b.c mailto:a@b.c', '`https://x.y` `www.x.y/z` `a@b.c` `mailto:a@b.c`'],
      ['deadbeef0 in 1234567', '`deadbeef0` in `1234567`'],
      [
        '<b> &lt; [a](b) ![a](b) *a* _a_ ~~a~~ $a$ :smile: a|b',
        '`<b>` `&lt;` `[a](b)` `![a](b)` `*a*` `_a_` `~~a~~` `$a$` `:smile:` `a|b`',
      ],
      ['- a', '`-` a'],
      ['1. a', '`1.` a'],
      ['--- a', '`---` a'],
      ['`npm test` failed, `', '`npm test` failed, `` ` ``'],
      ['run `/login`. (`a`) 8,150 (22 %)'],
      ['@`dev`', '`@dev`'],
      ['a\n# b\u202e', 'a `#` b'],
    ];
    for (const [text, shown = text] of rows) assert.equal(issueText(text), shown, text);
  });

  it('has them as code that they can’t end', () => {
    const rows: readonly (readonly [text: string, code: string])[] = [
      ['read', '`read`'],
      ['a`b', '``a`b``'],
      ['`a``', '``` `a`` ```'],
      ['a\nb', '`a b`'],
    ];
    for (const [text, code] of rows) assert.equal(markdownCode(text), code, text);
    assert.equal(markdownBlock('a\n```\nb', 'json'), '````json\na\n```\nb\n````');
  });

  it('has links to commands that no name can end', () => {
    for (const agent of ['A) b', '(a', "it's", 'a](b', '[a]', '<b>', 'a b', 'ä"\\', '$(zap)']) {
      const link = commandLink(`Open ${agent}`, 'agentLogs.x', { agent });
      const [, target = ''] = /\]\(command:agentLogs\.x\?([\w.%-]+)\)$/.exec(link) ?? assert.fail(link);
      assert.deepEqual(JSON.parse(decodeURIComponent(target)), [{ agent }, { isLink: true }]);
    }
    assert.match(commandLink('a](b', 'x', {}), /^\[a\\\]\(b\]\(command:x\?%5B%7B%7D%2C/);
  });

  const places: readonly ((text: string) => string)[] = [
    (text) => text,
    (text) => `# ${text}`,
    (text) => `- ${text}\n- ${text}`,
    (text) => `**Why:** ${text}`,
  ];
  holds(
    'has no text in an issue that is more than text and code, wherever it is',
    2000,
    fc.property(fc.constantFrom(...places), hostileText(), (place, text) => {
      const tokens = flatTokens(lexer(place(issueText(text))));
      const harmless = ['text', 'codespan', 'paragraph', 'heading', 'list', 'list_item', 'strong', 'space'];
      const others = tokens.filter(({ type }) => !harmless.includes(type));
      assert.deepEqual(others, [], issueText(text));
      for (const { type, raw } of tokens) assert.ok(type !== 'text' || isInert(raw), raw);
      assert.ok(tokens.filter(({ type }) => type === 'list').length <= 1, issueText(text));
    }),
  );

  holds(
    'has blocks of code that no text ends',
    500,
    fc.property(hostileText(), (text) => {
      const [block, after] = lexer(`${markdownBlock(text)}\n\nafter`).filter(({ type }) => type !== 'space');
      assert.equal(block?.type, 'code');
      assert.equal(after?.raw, 'after');
    }),
  );
});
