import { dirname, join } from 'node:path';
import { compilePattern } from '../../redact/ownPatterns';
import { arrayOf, objectOf } from '../../text/json';
import { readSettingsFile, writeSettingsFile } from './settingsFile';

/** The file with the user's redaction patterns, next to the folder of the taps' journals. */
export function tapPatternsFile(tapFolder: string): string {
  return join(dirname(tapFolder), 'redaction.json');
}

/** Writes the patterns to the file that taps read. Deletes the file if there are none. */
export function writeTapPatterns(path: string, sources: readonly string[]): Promise<void> {
  return writeSettingsFile(path, sources.length === 0 ? undefined : { patterns: sources });
}

/**
 * Reads the patterns; empty if there is no file.
 * @throws if it can't be read, or has other content
 */
export function readTapPatterns(path: string): readonly RegExp[] {
  const value = readSettingsFile(path);
  if (value === undefined) return [];
  return arrayOf(objectOf(value)['patterns']).map((source) => compilePattern(String(source)));
}
