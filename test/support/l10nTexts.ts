import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

export interface L10nTexts {
  /** What is handed to `vscode.l10n.t`, each text once. */
  readonly texts: ReadonlySet<string>;
  /** Calls whose text is not written out, so that nobody can translate it. */
  readonly unreadable: readonly string[];
}

/** The texts that the code shows, as it hands them to `vscode.l10n.t`. */
export function l10nTexts(folder: string): L10nTexts {
  const texts = new Set<string>();
  const unreadable: string[] = [];
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('.ts')) continue;
    const source = ts.createSourceFile(path, readFileSync(join(folder, path), 'utf8'), ts.ScriptTarget.ES2022, true);
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node) && /\bl10n\.t$/.test(node.expression.getText())) {
        const [first] = node.arguments;
        if (first && ts.isStringLiteralLike(first)) texts.add(first.text);
        else unreadable.push(`${path}: ${node.getText()}`);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return { texts, unreadable };
}
