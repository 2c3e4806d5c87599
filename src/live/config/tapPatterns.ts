import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { compilePattern } from '../../redact/ownPatterns';
import { makeFolder } from '../../machine/makeFolder';
import { replaceFile } from '../../machine/wholeFile';
import { arrayOf, objectOf } from '../../text/json';

/** The file with the user's redaction patterns, next to the folder of the taps' journals. */
export function tapPatternsFile(tapFolder: string): string {
  return join(dirname(tapFolder), 'redaction.json');
}

/** Writes the patterns to the file that taps read, readable only by the user. Deletes the file if there are none. */
export async function writeTapPatterns(path: string, sources: readonly string[]): Promise<void> {
  if (sources.length === 0) return rm(path, { force: true });
  await makeFolder(dirname(path));
  const text = `${JSON.stringify({ patterns: sources }, null, 2)}\n`;
  await replaceFile(path, (temporary) => writeFile(temporary, text, { mode: 0o600 }));
}

/**
 * Reads the patterns; empty if there is no file.
 * @throws if it can't be read, or has other content
 */
export function readTapPatterns(path: string): readonly RegExp[] {
  const text = textOf(path);
  return text === undefined
    ? []
    : arrayOf(objectOf(JSON.parse(text))['patterns']).map((source) => compilePattern(String(source)));
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
