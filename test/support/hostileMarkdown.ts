import fc from 'fast-check';
import type { Token } from 'marked';

/** Words and marks of Markdown, HTML and issue trackers, in any order. */
export function hostileText(): fc.Arbitrary<string> {
  const pieces =
    '@dev #12 GH-7 https://x.example/a www.x.example a@b.example deadbeef12 1234567 <b> </details> <!-- &lt; [a](b) ' +
    '![a](b) [ ] ( ) * ** _ ~~ $ | ` `` ``` ~~~ \\ # - + 1. 1) > --- === :x: a Zug \u202e';
  const spaces = ['\n', ' ', '  '];
  return fc.array(fc.constantFrom(...pieces.split(' '), ...spaces), { maxLength: 12 }).map((parts) => parts.join(''));
}

/** The tokens of a Markdown text, with those inside of others. */
export function flatTokens(tokens: readonly Token[]): readonly Token[] {
  return tokens.flatMap((token) => {
    const { tokens: inner = [], items = [] } = token as { tokens?: Token[]; items?: Token[] };
    const below = flatTokens([...inner, ...items]);
    // A text of a list item has its own parts.
    return token.type === 'text' && below.length > 0 ? below : [token, ...below];
  });
}

/** Whether an issue tracker makes nothing but text of a text: no mention, reference, link, or emoji. */
export function isInert(text: string): boolean {
  return !/[@#<>\\`*]|www\.|:\/|(?<![\p{L}\p{N}])[0-9a-f]{7,40}(?![\p{L}\p{N}])|\p{L}-\d|:\w+:/iu.test(text);
}
