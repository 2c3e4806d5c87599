import assert from 'node:assert/strict';
import { commandLink, markdownBlock, markdownCode, markdownText } from '../../../src/text/markdown';

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
    assert.equal(markdownText('@all #1', { hasMentions: true }), '\\@all \\#1');
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
});
