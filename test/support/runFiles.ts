import type { Redaction } from '../../src/redact/redactorFor';
import type { RunFiles } from '../../src/past/files/runLines';

/** Files as a run has them. */
export function runFiles(paths: readonly string[], redaction?: Redaction): RunFiles {
  const done = (): Promise<void> => Promise.resolve();
  return { journal: { path: paths.at(-1), paths, flush: done, delete: done }, redaction };
}
