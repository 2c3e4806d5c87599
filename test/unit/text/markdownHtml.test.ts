import assert from 'node:assert/strict';
import fc from 'fast-check';
import { markdownCode, markdownText } from '../../../src/text/markdown';
import { markdownHtml } from '../../../src/text/markdownHtml';
import { holds } from '../../support/property';

describe('HTML of Markdown', () => {
  const rows: readonly (readonly [what: string, markdown: string, html: string])[] = [
    ['headings and paragraphs', '# A\n\nb\n\n## C', '<h1>A</h1><p>b</p><h2>C</h2>'],
    ['a list', '- a\n- b\n\nc', '<ul><li>a</li><li>b</li></ul><p>c</p>'],
    ['a list within a list', '- a\n  - b\n  - c\n- d', '<ul><li>a<ul><li>b</li><li>c</li></ul></li><li>d</li></ul>'],
    [
      'lines of an item',
      '- **error** a\n  `b`, `c`',
      '<ul><li><strong>error</strong> a<br><code>b</code>, <code>c</code></li></ul>',
    ],
    ['escaped characters', String.raw`a\*\*b\*\* \<i>`, '<p>a**b** &#60;i&#62;</p>'],
    ['code with backticks', '`` a`b ``', '<p><code>a`b</code></p>'],
    [
      'no pictures, links or HTML',
      '![a](https://b/c.png) [d](e) <img src=x>',
      '<p>![a](https://b/c.png) [d](e) &#60;img src=x&#62;</p>',
    ],
    ['backticks without an end', 'a ` b', '<p>a ` b</p>'],
  ];
  for (const [what, markdown, html] of rows) {
    it(`has ${what}`, () => {
      assert.equal(markdownHtml(markdown), html);
    });
  }

  holds(
    'has no element but its own, whatever a text says',
    300,
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('<img src=x>', '`', '**', '\n# ', '\\', '](', ''),
      (a, b) => {
        const html = markdownHtml(`- ${markdownText(a + b + a)}\n  ${markdownCode(b + a + b)}`);
        const elements = new Set(html.match(/<[^>]*>?/g));
        assert.deepEqual(
          [...elements].filter((one) => !/^<(?:\/?(?:ul|li|code|strong)|br)>$/.test(one)),
          [],
        );
      },
    ),
  );
});
