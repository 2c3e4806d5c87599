import { classOfText } from './failureClass';
import { osErrors } from './osErrors';

/** Node.js. */
const unspawned = /\bspawn (\S{1,100}) ENOENT\b/;
/** Shells, by name (sh and bash, zsh, and `env` in a shebang), and scripts by their own name. */
const notFound = [
  /^(?:\S*[/\\])?-?(?:ba|da|z|k|a)?sh(?:\.exe)?: (?:(?:line )?\d+: )?([^\s:]{1,100}): (?:command )?not found\b/m,
  /^(?:\S*\/)?zsh:(?:\d+:)? command not found: (\S{1,100})/m,
  /^(?:\S*\/)?env: ['‘"`]?([^\s'’"`:]{1,100})['’"`]?: No such file or directory\b/m,
  /(?:^|: )([^\s:]{1,100}): command not found$/im,
  new RegExp(String.raw`(?:^|[:：] ?)([^\s:：]{1,100})[:：] ?(?:${osErrors.noCommand})`, 'im'),
  // A script that replaces itself with another program.
  /(?:^|: )exec: (?:line \d+: )?([^\s:]{1,100}): not found$/m,
  // Windows: cmd, which repeats the quotes, and PowerShell.
  /^['"]{1,2}([^'"]{1,200})['"]{1,2} is not recognized as an internal or external command\b/m,
  /\bThe term '([^']{1,200})' is not recognized as (?:the|a) name of a cmdlet\b/,
];
/** A dash script, which doesn't say that the missing thing is a command. */
const notFoundInScript = /^\S+: \d+: ([^\s:]{1,100}): not found$/;

/** Whether an exit code is that of shells, or of Windows' cmd, for an unknown command. */
export function isNotFoundCode(code: number | null | undefined): boolean {
  return code === 127 || code === 9009;
}

/** The program that a shell says is missing. @param isCertain whether something is, so that weaker words count */
export function missingProgramIn(text: string, isCertain = false): string | undefined {
  for (const pattern of isCertain ? [...notFound, notFoundInScript] : notFound) {
    const name = pattern.exec(text)?.[1];
    if (name !== undefined) return name;
  }
  return undefined;
}

/** The program that Node.js couldn't start. */
export function unspawnedIn(text: string): string | undefined {
  return unspawned.exec(text)?.[1];
}

/** Whether Node.js' code of an error means that a program is missing, rather than a file; `undefined` for any other code. */
export function isProgramMissingBy(code: unknown, message: string): boolean | undefined {
  return code === 'ENOENT' ? /\b(?:start|spawn|executable|install|command)\b/i.test(message) : undefined;
}

/** Whether a message about a start means that the program is missing or not executable. */
export function isProgramMissing(message: string): boolean {
  return (
    /\bENOENT\b|\bnot found\b|\bdoes(?: not|n't) exist\b|\bis(?: not|n't) executable\b|\bEACCES\b/.test(message) ||
    classOfText(message) === 'missing-executable'
  );
}
