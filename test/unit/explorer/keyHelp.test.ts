import assert from 'node:assert/strict';
import type { Keys, Language } from '../../../src/query/language';
import { parse } from '../../../src/query/language';
import { recordLanguage } from '../../../src/query/query';
import { turnLanguage } from '../../../src/explorer/turns/turnQuery';
import { wireLanguage } from '../../../src/explorer/wire/wireQuery';

describe('help for the keys of filters', () => {
  function assertExamples<K extends Keys>(language: Language<K>): void {
    for (const [key, { example }] of Object.entries(language.help)) {
      const { terms, hints } = parse(example, language);
      assert.deepEqual([terms.map((term) => term.key), hints], [[key], []], example);
    }
  }

  it('has examples that the filter understands', () => {
    assertExamples(recordLanguage);
    assertExamples(wireLanguage);
    assertExamples(turnLanguage);
  });
});
