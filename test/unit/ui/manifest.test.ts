import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { thresholds } from '../../../src/log/level';
import { commandIds, contextKeys, viewId } from '../../../src/ui/ids';

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { command: string; title: string; category: string; enablement?: string }[];
    readonly menus: Readonly<Record<string, readonly { command: string; when?: string }[]>>;
    readonly views: Readonly<Record<string, readonly { id: string }[]>>;
    readonly viewsWelcome: readonly { view: string; when: string }[];
    readonly configuration: { readonly properties: Readonly<Record<string, { scope: string; enum?: string[] }>> };
  };
  readonly capabilities: { readonly untrustedWorkspaces: { supported: string; restrictedConfigurations: string[] } };
  readonly icon: string;
}

const text = readFileSync('package.json', 'utf8');
const manifest = JSON.parse(text) as Manifest;
const nls = JSON.parse(readFileSync('package.nls.json', 'utf8')) as Record<string, string>;
const { contributes } = manifest;

describe('package.json', () => {
  it('has the commands that the code registers, and no others', () => {
    assert.deepEqual(contributes.commands.map(({ command }) => command).sort(), Object.values(commandIds).sort());
    assert.ok(contributes.commands.every(({ category }) => category === 'Agent Logs'));
  });

  it('uses only commands of its own in menus, and hides from the palette what needs a row of the tree', () => {
    const known = new Set<string>(Object.values(commandIds));
    for (const { command } of Object.values(contributes.menus).flat()) assert.ok(known.has(command), command);
    const hidden = contributes.menus['commandPalette']?.map(({ command }) => command);
    assert.deepEqual(hidden, [
      commandIds.removeRun,
      commandIds.deleteJournal,
      commandIds.openRecord,
      commandIds.copyMessage,
      commandIds.copyRecord,
      commandIds.copySessionId,
      commandIds.loadOlder,
      commandIds.startFromTitle,
      commandIds.setLevelFromTitle,
      commandIds.showOutputFromTitle,
    ]);
  });

  it('has the view, and asks only for context keys that the code sets', () => {
    assert.deepEqual(
      Object.values(contributes.views)
        .flat()
        .map(({ id }) => id),
      [viewId],
    );
    const keys = new Set<string>(Object.values(contextKeys));
    const asked = [...text.matchAll(/"(?:when|enablement)": "([^"]*)"/g)].flatMap(
      ([, clause]) => clause?.match(/agentLogs\.has\w+/g) ?? [],
    );
    assert.ok(asked.length > 0);
    for (const key of asked) assert.ok(keys.has(key), key);
  });

  it('has every text that it names, and names every text that it has', () => {
    const named = new Set([...text.matchAll(/"%([^%"]+)%"/g)].map(([, key]) => key));
    assert.deepEqual([...named].sort(), Object.keys(nls).sort());
  });

  it('restricts the settings that make programs run', () => {
    const { supported, restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    assert.equal(supported, 'limited');
    for (const name of restrictedConfigurations) {
      assert.equal(contributes.configuration.properties[name]?.scope, 'machine-overridable');
    }
    assert.ok(restrictedConfigurations.includes('agentLogs.agents'));
  });

  it('offers the nine thresholds as levels', () => {
    assert.deepEqual(contributes.configuration.properties['agentLogs.level']?.enum, [...thresholds]);
  });

  it('has its pictures', () => {
    assert.ok(existsSync(manifest.icon));
  });
});
