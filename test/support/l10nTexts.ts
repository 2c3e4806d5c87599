import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

export interface L10nTexts {
  /** The texts passed to `l10n.t`, and to `t` of `text/translator` and of the explorer's page. */
  readonly texts: ReadonlySet<string>;
  /** Those of them that an input shows while it is empty. */
  readonly placeholders: ReadonlySet<string>;
  /** Calls without a literal text, which can't be translated. */
  readonly unreadable: readonly string[];
}

/** Finds the texts that the code passes to `l10n.t` and to `t`. */
export function l10nTexts(folder: string): L10nTexts {
  const texts = new Set<string>();
  const placeholders = new Set<string>();
  const unreadable: string[] = [];
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(path)) continue;
    const source = ts.createSourceFile(path, readFileSync(join(folder, path), 'utf8'), ts.ScriptTarget.ES2022, true);
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node) && /^(?:.*\b(?:l10n|view|this)\.)?t$/s.test(node.expression.getText())) {
        const [first] = node.arguments;
        if (first && ts.isStringLiteralLike(first)) {
          // Nothing but arguments and punctuation is the same in every language.
          if (/\p{L}/u.test(first.text)) texts.add(first.text);
          if (/^placeholder$/i.test(nameOf(node.parent))) placeholders.add(first.text);
        } else unreadable.push(`${path}: ${node.getText()}`);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return { texts, placeholders, unreadable };
}

/** The name of the property that a node assigns to. */
function nameOf(node: ts.Node): string {
  return ts.isPropertyAssignment(node) ? node.name.getText() : '';
}
