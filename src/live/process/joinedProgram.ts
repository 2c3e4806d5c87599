/** The text of a program's file and of the files that it loads, by the path that it requires. */
export interface ProgramText<Text> {
  /** Starts with a `#!` line. */
  readonly main: Text;
  readonly parts: ReadonlyMap<string, Text>;
}

/** One program that does the same without the other files. Each becomes a function with its own `module` or `require`. */
export function joinedProgram({ main, parts }: ProgramText<string>): string {
  const paths = [...parts.keys()].map((path) => `${JSON.stringify(path)}: {}`);
  // Parentheses make V8 compile a function once, instead of parsing it twice.
  const functions = [...parts].map(
    ([path, text]) => `(function (module) {\n${text}\n})(parts[${JSON.stringify(path)}]);\n`,
  );
  return [
    `#!/usr/bin/env node\nconst parts = { ${paths.join(', ')} };\n`,
    ...functions,
    `(function (require) {\n//${main}\n})((path) => parts[path]?.exports ?? require(path));\n`,
  ].join('');
}

/** The number of bytes of the joined program, from those of the files. */
export function joinedSize({ main, parts }: ProgramText<number>): number {
  const withoutTexts = joinedProgram({ main: '', parts: new Map([...parts.keys()].map((path) => [path, ''])) });
  return [...parts.values()].reduce((sum, bytes) => sum + bytes, main + Buffer.byteLength(withoutTexts));
}
