import { win32 } from 'node:path';

/** What a shim of npm's runs. */
export interface ShimTarget {
  /** Where the program is, or what it is called: the first that is there counts. */
  readonly programs: readonly string[];
  /** Before those of the caller. */
  readonly args: readonly string[];
}

const interpreterLine = /^ *SET "_prog=([\w.-]+)"\r?$/im;
const scriptLine = /(?:^|& )"%_prog%" ([^"%\r\n]*) "%dp0%\\([^"%\r\n]+)" +%\*[ \t]*\r?$/m;
const programLine = /^"%dp0%\\([^"%\r\n]+\.(?:exe|com))" +%\*[ \t]*\r?$/im;

/**
 * Reads a `.cmd` file as npm (its package cmd-shim) writes it for every command that it installs on Windows: an interpreter and a script,
 * or a program, in a path from the shim's own folder.
 * @param path of the shim
 * @returns `undefined` for any other batch file, and where the shim sets variables
 */
export function npmShimTarget(path: string, text: string): ShimTarget | undefined {
  const folder = win32.dirname(path);
  if (/^@SET /im.test(text)) return undefined;
  const interpreter = interpreterLine.exec(text)?.[1];
  const [, options, script] = scriptLine.exec(text) ?? [];
  if (interpreter !== undefined && options !== undefined && script !== undefined) {
    const words = options.split(' ').filter((word) => word !== '');
    if (!words.every((word) => /^[\w@./:=,+-]+$/.test(word))) return undefined;
    return {
      programs: [win32.join(folder, `${interpreter}.exe`), interpreter],
      args: [...words, win32.join(folder, script)],
    };
  }
  const program = programLine.exec(text)?.[1];
  return program === undefined ? undefined : { programs: [win32.join(folder, program)], args: [] };
}
