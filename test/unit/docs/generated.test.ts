import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { documents } from '../../../scripts/docs/generated.mjs';
import { savers } from '../../../src/agents/agents';
import { entryTable, settingsTable } from '../../../scripts/docs/settingsTables.mjs';
import { column } from '../../support/columns';

describe('generated parts of the documents', () => {
  for (const { path, text, wanted } of documents()) {
    it(`${path} is up to date (run npm run docs)`, () => assert.equal(text, wanted));
  }

  it('are beside what is counted for each agent that saves sessions', () => {
    const text = readFileSync('docs/saved-sessions.md', 'utf8');
    const table = text.slice(text.indexOf('### What is counted'), text.indexOf('## Forks'));
    const agents = [...table.matchAll(/^\| ([^|]+?) \|/gm)].map(([, name]) => name).slice(2);
    assert.deepEqual(agents, column(savers, 'label'));
  });

  it('name each agent that saves sessions in or below the table of what is right', () => {
    const text = readFileSync('docs/saved-sessions.md', 'utf8');
    const part = text.slice(text.indexOf('| Agent | Fork |'), text.indexOf('## Who works'));
    const [, below = ''] = part.split('\n\n');
    for (const { label } of savers) {
      const isRow = part.includes(`\n| ${label} |`);
      assert.ok(isRow !== below.includes(label), label);
    }
  });

  it('list the settings in order, with the texts of package.nls.json', () => {
    const settings = {
      'a.second': { order: 2, default: ['x|y'], markdownDescription: '%second%' },
      'a.first': { order: 1, default: 'on', enum: ['on', 'off'], enumDescriptions: ['%on%', 'No'], description: '%1%' },
      'a.alike': { order: 2, default: 7, enum: [7, 8], description: 'Which?' },
    };
    const texts = { second: 'See `#a.first#`.', on: 'Yes.', '1': 'Whether\nor not.' };
    assert.deepEqual(settingsTable(settings, texts).split('\n'), [
      '| Setting | Default | What it does |',
      '| --- | --- | --- |',
      '| `a.first` | `"on"` | Whether or not. `on`: Yes. `off`: No. |',
      '| `a.alike` | `7` | Which? One of `7`, `8`. |',
      '| `a.second` | `["x\\|y"]` | See `a.first`. |',
    ]);
    assert.throws(() => settingsTable(settings, {}), /package\.nls\.json has no \w+/);
  });

  it('list the fields of an entry', () => {
    const setting = { additionalProperties: { properties: { url: { markdownDescription: 'Where.' } } } };
    assert.equal(entryTable(setting, {}).split('\n').at(-1), '| `url` |  | Where. |');
  });
});
