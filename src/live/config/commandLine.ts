import { inLine } from '../../text/text';

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

/** Words need other quotes in each. `posix` includes fish and Git Bash. */
export type Shell = 'posix' | 'powershell' | 'cmd';

/** @param path of the shell; if it is unknown, that of the platform is assumed */
export function shellAt(path: string, platform: string): Shell {
  const name = lastPart(path).toLowerCase();
  if (/^(?:pwsh|powershell)/.test(name)) return 'powershell';
  if (/^cmd(?:\.exe)?$/.test(name)) return 'cmd';
  return name === '' && platform === 'win32' ? 'powershell' : 'posix';
}

/** A command line that a shell reads as these words, and as nothing else. Control characters are left out: pasted, some run what is before them. */
export function commandLine(words: readonly string[], shell: Shell): string {
  const plain = words.map(inLine);
  switch (shell) {
    case 'posix':
      return plain.map((word) => posixWord(word)).join(' ');
    case 'powershell': {
      const line = plain.map(powershellWord).join(' ');
      return line.startsWith("'") ? `& ${line}` : line;
    }
    case 'cmd':
      return plain.map(cmdWord).join(' ');
  }
}

/** A word for a POSIX shell, exactly as it is. */
export function posixWord(word: string): string {
  return /^(?:-[\w@%+=:,./-]+|[\w@%+:,./-]+)$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function powershellWord(word: string): string {
  if (/^(?:[\w./\\][\w:./\\-]*|--?[A-Za-z][\w-]*)$/.test(word)) return word;
  return `'${word.replace(/['\u2018-\u201b]/g, (quote) => quote + quote)}'`;
}

function cmdWord(word: string): string {
  if (/^[\w:./\\-]+$/.test(word)) return word;
  // Programs read "" as a quote, and cmd doesn't end the text there; it expands variables within quotes.
  return `"${word.replace(/(\\*)("|$)/g, (_, slashes: string, quote: string) => slashes + slashes + quote + quote)}"`.replaceAll(
    '%',
    '"^%"',
  );
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
