import assert from 'node:assert/strict';
import { rowsOf } from '../../../support/columns';
import { readSaved } from '../../../support/savedRun';

/** The problems of each recording: level, code, and a part of the message. */
const expected: Readonly<Record<string, readonly (readonly [level: string, code: string, about: RegExp])[]>> = {
  answer: [],
  edit: [],
  cancelled: [],
  subagent: [],
  terminal: [['notice', 'tool-failed', /sh run-tests\.sh` exited with code 3.*the answer says so/]],
  missing: [['notice', 'tool-failed', /read_file` failed.*the answer says so/]],
  429: [['error', 'failed-turn', /Rate limit exceeded.*Wait/]],
  500: [['error', 'failed-turn', /Server error: 500/]],
  'no-folder': [['error', 'authentication-required', /Incorrect API key/]],
  questions: [
    ['notice', 'tool-failed', /mcp_tracker_search` failed: 503/],
    ['error', 'failed-turn', /premium request allowance/],
    ['error', 'failed-turn', /prompt is too long.*Compact the conversation/],
  ],
};

describe("problems in VS Code's chat", () => {
  for (const [name, problems] of Object.entries(expected)) {
    it(`are those of ${name}, and no others`, () => {
      const log = readSaved(`test/fixtures/saved/vscode-${name}.jsonl`);
      const found = log.store.query().filter(({ kind }) => kind === 'diagnosis');
      assert.deepEqual(rowsOf(found, 'level', 'logger'), rowsOf(problems, 0, 1));
      for (const [index, [, , about]] of problems.entries()) assert.match(found[index]?.message ?? '', about);
    });
  }
});
