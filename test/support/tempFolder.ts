import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TempFolder {
  readonly path: string;
  /** The path of something in it. */
  readonly in: (...names: readonly string[]) => string;
}

/** An empty folder for each test of the current suite, deleted after it. */
export function useFolder(): TempFolder {
  let path = '';
  beforeEach(() => (path = realpathSync(mkdtempSync(join(tmpdir(), 'agent-logs-')))));
  afterEach(() => rmSync(path, { recursive: true, force: true }));
  return {
    get path() {
      return path;
    },
    in: (...names) => join(path, ...names),
  };
}
