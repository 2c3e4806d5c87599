import type { LineRedactor } from '../../runs/reading/redactEvent';
import { redactWords } from '../../runs/reading/redactEvent';

/** A command line without its secrets, which are mostly the value of the option before them: `--api-key …`. */
export function redactedCommand(command: readonly string[], redactor: LineRedactor): string[] {
  return [...redactWords(command, redactor)];
}
