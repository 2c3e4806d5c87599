import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSaved } from '../../../support/savedRun';

const fixtures = 'test/fixtures/saved';

describe('turns of saved sessions', () => {
  const files = readdirSync(fixtures)
    .filter((name) => /\.jsonl?$/.test(name))
    .map((name) => join(fixtures, name))
    .filter((file) => /"\w*model\w*": ?["{]/i.test(readFileSync(file, 'utf8')));
  for (const file of files) {
    it(`know their model if they count tokens, such as in ${file}`, () => {
      const turns = readSaved(file).spans({ kinds: ['turn'] });
      const nameless = turns.filter(({ usage, model }) => usage !== undefined && model === undefined);
      assert.deepEqual(nameless, []);
    });
  }

  it('know it, also those of a subagent with the model of its session', () => {
    const turns = readSaved(join(fixtures, 'vscode-subagent.jsonl')).spans({ kinds: ['turn'] });
    assert.deepEqual(
      turns.map(({ parent, model }) => [parent !== undefined, model]),
      [
        [false, 'mock-model'],
        [true, 'mock-model'],
      ],
    );
  });
});
