import assert from 'node:assert/strict';
import manifest from '../../../../package.json';
import nls from '../../../../package.nls.json';
import { readdirSync, readFileSync } from 'node:fs';
import { commandIds, paletteActions } from '../../../../src/ui/manifest/commands';
import { canKey, contextKeys } from '../../../../src/ui/manifest/contextKeys';
import { kinds } from '../../../../src/text/record';
import { walkthroughPictures } from '../../../support/readmePictures';
import { queryKeys } from '../../../../src/query/query';

const text = readFileSync('package.json', 'utf8');
const { contributes } = manifest;
const scopeOf: Readonly<Record<string, { readonly scope?: string }>> = contributes.configuration.properties;

describe('package.json', () => {
  it('uses only context keys that the code sets, and all of them', () => {
    const asked = text.match(/agentLogs\.(?:has|can\.)\w+/g) ?? [];
    const set = [...Object.values(contextKeys), ...paletteActions.map(canKey)];
    assert.deepEqual([...new Set(asked)].sort(), [...set].sort());
  });

  it('uses exactly the strings in package.nls.json', () => {
    const named = new Set([...text.matchAll(/"%([^%"]+)%"/g)].map(([, key]) => key));
    assert.deepEqual([...named].sort(), Object.keys(nls).sort());
  });

  it('lets no repository start programs, export records, disable redaction, or delete journals', () => {
    // VS Code takes settings of the scope `machine` neither from folders nor from .code-workspace files, trusted or not.
    const machine = ['otlp.endpoint', 'otlp.headers', 'redaction.enabled', 'redaction.patterns'];
    for (const [scope, ...names] of [
      ['machine', ...machine, 'journal.maxTotalSize', 'journal.maxAge'],
      ['machine-overridable', 'agents', 'permissions'],
      ['application', 'alerts'],
    ]) {
      for (const name of names) assert.equal(scopeOf[`agentLogs.${name}`]?.scope, scope, name);
    }
  });

  it('keeps the settings of a group together', () => {
    const names = Object.keys(contributes.configuration.properties);
    const groups = names.map((name) => name.split('.')[1]).filter((group, at, all) => group !== all[at - 1]);
    assert.equal(new Set(groups).size, groups.length, `a group is torn apart: ${groups.join(', ')}`);
  });

  it('describes what its language model tools do, with the existing keys and kinds', () => {
    const tools = contributes.languageModelTools;
    // The check-up starts servers.
    const reading = tools.filter(({ name }) => name !== 'agentLogs_checkMcpServers');
    assert.ok(reading.every(({ modelDescription }) => modelDescription.endsWith('It reads only.')));
    assert.equal(new Set(tools.map(({ toolReferenceName }) => toolReferenceName)).size, tools.length);
    const search = tools.find(({ name }) => name === 'agentLogs_searchRecords')?.inputSchema.properties;
    const described = search?.['query']?.description ?? '';
    for (const key of queryKeys) assert.ok(described.includes(`${key}:`), key);
    for (const kind of kinds) assert.ok(described.includes(kind), kind);
  });

  it('has complete metadata for a marketplace', () => {
    const home = `https://github.com/${manifest.publisher}/${manifest.name}`;
    assert.deepEqual(manifest.repository, { type: 'git', url: `git+${home}.git` });
    const { homepage, bugs, qna } = manifest;
    assert.deepEqual([homepage, bugs.url, qna], [`${home}#readme`, `${home}/issues`, `${home}/discussions`]);
    assert.equal(manifest.sponsor.url, `https://github.com/sponsors/${manifest.publisher}`);
    assert.match(manifest.version, /^\d+\.\d+\.\d+$/, 'marketplaces accept no other versions');
    assert.deepEqual(manifest.categories, ['AI', 'Debuggers']);
    const { keywords } = manifest;
    assert.ok(keywords.length >= 5 && keywords.length <= 30, 'marketplaces accept at most 30');
    assert.deepEqual(keywords, [...new Set(keywords.map((each) => each.toLowerCase()))].sort());
  });

  it('has an icon in the colour of its banner', () => {
    const icon = readFileSync(manifest.icon);
    assert.equal(icon.toString('latin1', 1, 4), 'PNG');
    // Shown at 128 by 128, at twice the resolution on high-DPI screens.
    assert.deepEqual([icon.readUInt32BE(16), icon.readUInt32BE(20)], [256, 256]);
    assert.equal(manifest.galleryBanner.theme, 'dark');
    const drawing = readFileSync(manifest.icon.replace(/png$/, 'svg'), 'utf8');
    assert.ok(drawing.includes(`fill="${manifest.galleryBanner.color}"`), 'the icon has another background');
  });

  it('has the pictures of its walkthrough that a suite makes, small enough to be packaged', () => {
    const steps = contributes.walkthroughs.flatMap((walkthrough) => walkthrough.steps);
    const ids = steps.map(({ id }) => id);
    assert.deepEqual(ids, walkthroughPictures);
    const pictures = steps.map(({ media }) => media.image);
    const packaged = readdirSync('media/walkthrough').map((file) => `media/walkthrough/${file}`);
    assert.deepEqual(pictures.toSorted(), packaged.sort());
    const files = pictures.map((path) => readFileSync(path));
    for (const file of files) assert.equal(file.toString('latin1', 8, 12), 'WEBP');
    const bytes = files.reduce((sum, { length }) => sum + length, 0);
    assert.ok(bytes <= 120 * 1024, `${bytes} bytes`);
  });

  it('has a walkthrough with its commands, linked from the empty view', () => {
    const known = new Set<string>(Object.values(commandIds));
    const [walkthrough, ...others] = contributes.walkthroughs;
    assert.deepEqual([walkthrough?.steps.length, others], [4, []]);
    for (const [, command = ''] of Object.values(nls)
      .join()
      .matchAll(/\(command:(agentLogs\.\w+)\)/g)) {
      assert.ok(known.has(command), command);
    }
    const argument = encodeURIComponent(`"${manifest.publisher}.${manifest.name}#${walkthrough?.id ?? ''}"`);
    assert.ok(nls['welcome.noAgents'].includes(`(command:workbench.action.openWalkthrough?${argument})`));
  });
});
