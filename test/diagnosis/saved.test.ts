// Diagnoses saved sessions, written by hand after what agents save.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { reaches } from '../../src/text/level';
import { readSaved } from '../support/savedRun';

/** The problem that a person sees in a session, from a warning up; `undefined` if there is none. */
const problems: Readonly<Record<string, RegExp | undefined>> = {
  'claude-cache-never-read': /^warning cache-never-read: The cache was written 4 times in a row/,
  'claude-cache-works': undefined,
  'claude-hook-times-out': /^warning hook-timed-out: The hook `node \.claude\/hooks\/guard\.js` timed out after 10/,
  'claude-killed-while-retrying': /^warning retrying: The log ends after 8 of 10 retries: Overloaded \(status 529\)/,
  'codex-patch-at-second-try': undefined,
  'gemini-tests-fail-as-asked': undefined,
  'opencode-no-access': /^warning tool-failed: No file was changed: \d of \d attempts failed · no write access: EACCES/,
  'pi-503': /^error failed-turn: Turn failed: The model is overloaded/,
  'qwen-no-words': /^warning empty-turn: The turn ended without an answer/,
};

describe('diagnosis: saved sessions', () => {
  for (const [name, problem] of Object.entries(problems)) {
    it(problem ? `reports the problem of ${name}` : `finds no problem in ${name}`, () => {
      const { store } = readSaved(join('test/fixtures/diagnosis/saved', `${name}.jsonl`));
      const found = store.query({ kinds: ['diagnosis'] }).filter(({ level }) => reaches(level, 'warning'));
      const said = found.map(({ level, logger = '', message }) => `${level} ${logger}: ${message}`);
      assert.equal(said.length, problem ? 1 : 0, said.join('\n'));
      if (problem) assert.match(said[0] ?? '', problem);
    });
  }
});
