import { homedir } from 'node:os';

/** The folder that this process works in; its former path if it was deleted. */
export function workingFolder(): string {
  try {
    return process.cwd();
  } catch {
    return process.env['PWD'] ?? homedir();
  }
}
