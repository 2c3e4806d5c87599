import type { ParseError } from 'jsonc-parser';
import { parse } from 'jsonc-parser';
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import manifest from '../../../package.json';
import texts from '../../../package.nls.json';
import { savers } from '../../../src/agents/agents';
import { agentDefinitions } from '../../../src/live/config/agentDefinition';
import { parseChecks } from '../../../src/cli/check/checksFile';
import { usage } from '../../../src/cli/commandLine';
import { mistakesIn } from '../../../src/runs/settingsMistakes';
import { column } from '../../support/columns';
import { schemaProblems } from '../../support/jsonSchema';
import { readJournalHeader } from '../../../src/wire/journal/journalLine';

const root = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md'];
const documents = [...root, ...readdirSync('docs').map((file) => join('docs', file))];

interface MenuItem {
  readonly command: string;
  readonly when?: string | undefined;
}

describe('the documents', () => {
  for (const path of documents) {
    const text = readFileSync(path, 'utf8');

    it(`${path} links only to existing files and headings`, () => {
      const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
      const missing = targets.filter((target) => {
        if (target.startsWith('https://')) return false;
        const [file = '', heading] = target.split('#');
        const linked = file === '' ? path : join(dirname(path), file);
        return !existsSync(linked) || (heading !== undefined && !anchorsOf(linked).includes(heading));
      });
      assert.deepEqual(missing, []);
    });

    const examples = settingsIn(text);
    if (examples.length === 0) continue;
    it(`${path} has valid examples of settings`, () => {
      for (const example of examples) {
        const errors: ParseError[] = [];
        const settings = parse(`{ ${example} }`, errors) as object;
        assert.deepEqual(errors, [], example);
        const schemas = new Map(Object.entries(manifest.contributes.configuration.properties));
        for (const [setting, value] of Object.entries(settings)) {
          assert.ok(schemas.has(setting), setting);
          assert.deepEqual(schemaProblems(value, schemas.get(setting), setting), []);
        }
        assert.deepEqual(column(mistakesIn(`{ ${example} }`, []), 'message'), [], example);
      }
    });
  }

  it('list the agents of savedSessions.folders, as its description does', () => {
    const ids = savers.map(({ id }) => `\`${id}\``);
    const { 'settings.savedSessions.folders': description } = texts;
    assert.ok(description.includes(`Agents: ${ids.join(', ')}.`));
    assert.ok(readFileSync('docs/formats.md', 'utf8').includes(`| ${ids.slice(0, -1).join(', ')} or ${ids.at(-1)} |`));
  });

  it('name every command and chat tool that users can choose', () => {
    const pages = documents.filter((path) => path === 'README.md' || path.startsWith('docs'));
    const all = pages.map((path) => readFileSync(path, 'utf8')).join('\n');
    const { commands, languageModelTools } = manifest.contributes;
    const { commandPalette, ...menus }: Readonly<Record<string, readonly MenuItem[]>> = manifest.contributes.menus;
    const inMenus = new Set(Object.values(menus).flatMap((items) => items.map(({ command }) => command)));
    const hidden = new Set(commandPalette.filter(({ when }) => when === 'false').map(({ command }) => command));
    const titles = new Map(Object.entries(texts));
    const missing = commands
      .filter(({ command }) => inMenus.has(command) || !hidden.has(command))
      .map(({ title }) => titles.get(title.slice(1, -1)) ?? title)
      .filter((title) => !all.includes(`**${title}**`) && !all.includes(`**Agent Logs: ${title}**`));
    assert.deepEqual(missing, []);
    for (const { toolReferenceName } of languageModelTools) assert.ok(all.includes(`\`#${toolReferenceName}\``));
  });

  it('name every agent whose sessions are listed, as the help of agent-logs does', () => {
    const lists = ['README.md', 'docs/saved-sessions.md'].map((path) => readFileSync(path, 'utf8'));
    for (const { id, label } of savers) {
      for (const list of [...lists, usage()]) assert.ok(list.replace(/\s+/g, ' ').includes(label), label);
      assert.match(usage(), new RegExp(`\\b${id}\\b`));
    }
    const { 'agentLogs.savedSessions.folders': setting } = manifest.contributes.configuration.properties;
    assert.deepEqual(setting.propertyNames.enum, column(savers, 'id'));
  });

  it('have a file of checks that agent-logs can use, and a header of a journal that it recognizes', () => {
    const [checks] = blocksIn(readFileSync('docs/ci.md', 'utf8'), 'json');
    assert.equal(parseChecks(checks ?? '', 'agent-logs.checks.json').length, 5);
    const [header] = blocksIn(readFileSync('docs/formats.md', 'utf8'), 'json');
    assert.equal(readJournalHeader(header?.trim() ?? '')?.agent, 'My Agent');
  });

  it('keep the README short enough for the marketplace', () => {
    assert.ok(readFileSync('README.md', 'utf8').length <= 8000);
  });

  it('have settings whose schema accepts each documented form, its own examples, and no mistake', () => {
    const { properties } = manifest.contributes.configuration;
    for (const [name, schema] of Object.entries(properties)) {
      const { default: standard, examples = [] } = schema as { default?: unknown; examples?: readonly unknown[] };
      for (const value of [standard, ...examples]) assert.deepEqual(schemaProblems(value, schema, name), [], name);
    }
    const agents: readonly (readonly [entry: object, isFine: boolean])[] = [
      [{ command: 'a' }, true],
      [{ command: 'a', args: ['b'], env: { A: 'b', B: null }, cwd: '${workspaceFolder}', level: 'off' }, true],
      [{ command: 'a', mcpServers: 'watch' }, true],
      [{ command: 'a', acpVersion: 2 }, true],
      [{ protocol: 'mcp', url: 'https://localhost/mcp', headers: { A: 'b' }, oauth: { scope: 'a' } }, true],
      [{ protocol: 'mcp', url: '${env:URL}' }, true],
      [{ protocol: 'lsp', command: 'a', settings: { a: 1 }, initializationOptions: {} }, true],
      [{ protocol: 'stream-json', command: 'a' }, true],
      [{ replay: 'run.ndjson' }, true],
      [{ replay: '1a2b3c', args: ['--speed', 'max'], level: 'debug' }, true],
      [{}, false],
      [{ args: ['b'] }, false],
      [{ command: '' }, false],
      [{ replay: '' }, false],
      [{ command: 'a', acpVersion: 3 }, false],
      [{ protocol: 'http', command: 'a' }, false],
      [{ protocol: 'mcp', url: 'localhost' }, false],
    ];
    for (const [entry, isFine] of agents) {
      const what = JSON.stringify(entry);
      assert.equal(schemaProblems({ A: entry }, properties['agentLogs.agents']).length === 0, isFine, what);
      assert.equal(agentDefinitions({ A: entry }).problems.length === 0, isFine, what);
    }
  });

  it('contain examples of settings', () => {
    assert.ok(documents.flatMap((path) => settingsIn(readFileSync(path, 'utf8'))).length >= 4);
  });
});

/** The code blocks that set something of ours. */
function settingsIn(text: string): readonly string[] {
  return blocksIn(text, 'jsonc').filter((block) => block.startsWith('"agentLogs.'));
}

function blocksIn(text: string, language: string): readonly string[] {
  return [...text.matchAll(/```(\w+)\n([\s\S]*?)```/g)].flatMap(([, name, block = '']) =>
    name === language ? [block] : [],
  );
}

/** The anchors that GitHub gives to the headings of a document. */
function anchorsOf(path: string): readonly string[] {
  const text = readFileSync(path, 'utf8').replace(/```[\s\S]*?```/g, '');
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading.toLowerCase());
  return headings.map((heading) => heading.replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-'));
}
