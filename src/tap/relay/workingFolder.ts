import { homedir } from 'node:os';

/** The folder that this process works in; where that was deleted, as it was called. */
export function workingFolder(): string {
  try {
    return process.cwd();
  } catch {
    return process.env['PWD'] ?? homedir();
  }
}
