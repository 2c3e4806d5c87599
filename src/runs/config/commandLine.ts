/**
 * Splits a command line into program and arguments like a POSIX shell (POSIX Shell Command Language section 2.2), but supports only plain words and
 * quotes: no variables, globs or operators. On Windows, a backslash outside quotes is literal.
 * @returns `undefined` if a quote isn't closed
 */
export function splitCommandLine(text: string, platform: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i);
    if (quote !== undefined) {
      if (char === quote) quote = undefined;
      else if (char === '\\' && quote === '"' && /["\\]/.test(text.charAt(i + 1)) && platform !== 'win32') {
        word = (word ?? '') + text.charAt(++i);
      } else word = (word ?? '') + char;
    } else if (char === '"' || char === "'") {
      quote = char;
      word ??= '';
    } else if (/\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (char === '\\' && platform !== 'win32' && i + 1 < text.length) {
      word = (word ?? '') + text.charAt(++i);
    } else word = (word ?? '') + char;
  }
  if (quote !== undefined) return undefined;
  if (word !== undefined) words.push(word);
  return words;
}

/** Programs that run another one. */
const runners =
  /^(?:node|deno|bunx?|p?npx|pnpm|tsx|uvx?|pipx|python[\d.]*|py|ruby|java|dotnet|(?:ba|z)?sh|cmd|pwsh|powershell)(?:\.exe|\.cmd)?$/i;
const runWords = new Set(['run', 'x', 'exec', 'dlx', 'tool']);

/** A name for an agent: its program's, or that of the script or package that an interpreter runs. */
export function nameOfCommand(command: string, args: readonly string[]): string {
  const program = lastPart(command);
  const script = runners.test(program)
    ? args.find((arg) => !/^[-/]\w?$|^-/.test(arg) && !runWords.has(arg))
    : undefined;
  if (script === undefined) return program;
  // `@scope/package@1.2.3`, `path/to/agent.mjs`
  const name = lastPart(script.replace(/(?<=.)@[^/\\]*$/, '')).replace(/\.(?:[cm]?[jt]s|py|jar|dll|rb|sh)$/i, '');
  return name === '' ? program : name;
}

function lastPart(path: string): string {
  return path.split(/[\\/]/).pop() ?? path;
}
