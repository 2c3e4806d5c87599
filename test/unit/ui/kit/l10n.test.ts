import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { l10nTexts } from '../../../support/l10nTexts';

type Bundle = Readonly<Record<string, string>>;

const bundleIn = (file: string): Bundle => JSON.parse(readFileSync(file, 'utf8')) as Bundle;

/** What a translation has to keep: code, the targets of links, placeholders, icons. */
function fixedParts(text: string): readonly string[] {
  return (text.match(/``[^`]+``|`[^`]+`|\]\([^)]*\)|\{\d+\}|\$\([\w-]+\)/g) ?? []).sort();
}

function assertTranslated(english: Bundle, translated: Bundle): void {
  const missing = Object.keys(english).filter((key) => !Object.hasOwn(translated, key));
  const unused = Object.keys(translated).filter((key) => !Object.hasOwn(english, key));
  assert.deepEqual({ missing, unused }, { missing: [], unused: [] });
  for (const [key, text] of Object.entries(translated)) {
    assert.notEqual(text.trim(), '', key);
    assert.deepEqual(fixedParts(text), fixedParts(english[key] ?? ''), key);
  }
}

describe('translations', () => {
  const { texts, placeholders, unreadable } = l10nTexts('src');
  const shown = Object.fromEntries([...texts].map((text) => [text, text]));
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly l10n: string };
  const packaged = readFileSync('.vscodeignore', 'utf8').split('\n');
  const languages = readdirSync(manifest.l10n).flatMap((file) => /^bundle\.l10n\.(.+)\.json$/.exec(file)?.[1] ?? []);

  it('are possible for every text in the code', () => {
    assert.deepEqual(unreadable, []);
    assert.ok(texts.has('Select an agent to add'));
  });

  it('exist for German', () => assert.ok(languages.includes('de')));

  it('have one German word for each term', () => {
    const others = [/\bTokens\b/, /\b(?:Suba|A)genten\b/];
    const texts = ['l10n/bundle.l10n.de.json', 'package.nls.de.json'].flatMap((file) => Object.values(bundleIn(file)));
    const wrong = texts.filter((text) => others.some((other) => other.test(text)));
    assert.deepEqual(wrong, []);
  });

  it('are short where an input shows them while it is empty, and are no Markdown there', () => {
    const shownIn = [shown, ...languages.map((language) => bundleIn(`l10n/bundle.l10n.${language}.json`))];
    const all = [...placeholders].flatMap((text) => shownIn.map((bundle) => bundle[text] ?? ''));
    assert.ok(placeholders.has('Select a time range'));
    // VS Code cuts longer ones.
    const lengthOf = (text: string): number => text.replaceAll(/\{\d+\}/g, 'agent-logs mcp').length;
    const unfit = all.filter((text) => lengthOf(text) > 80 || text.includes('`'));
    assert.deepEqual(unfit, []);
  });

  for (const language of languages) {
    describe(language, () => {
      const bundle = `l10n/bundle.l10n.${language}.json`;
      const nls = `package.nls.${language}.json`;

      it('has every text of the code, with its placeholders, and no other', () => {
        assertTranslated(shown, bundleIn(bundle));
      });

      it('has every text of package.json, with its links and code, and no other', () => {
        assertTranslated(bundleIn('package.nls.json'), bundleIn(nls));
      });

      it('is packaged', () => {
        for (const file of [bundle, nls]) assert.ok(packaged.includes(`!${file}`), file);
      });
    });
  }
});
