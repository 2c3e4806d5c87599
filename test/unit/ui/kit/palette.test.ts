import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { paletteActions } from '../../../../src/ui/kit/ids';
import { canKey, contextKeys } from '../../../../src/ui/kit/ids';

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { command: string; enablement?: string }[];
    readonly menus: { readonly commandPalette: readonly { command: string; when: string }[] };
  };
}

const { commands, menus } = (JSON.parse(readFileSync('package.json', 'utf8')) as Manifest).contributes;
const usual = ['isWorkspaceTrusted', 'config.agentLogs.savedSessions.show'];
const can = (...actions: (typeof paletteActions)[number][]): string[] => actions.map(canKey);

/** The commands that the palette offers while these context keys are set; VS Code leaves out disabled ones. */
function offered(...keys: readonly string[]): string[] {
  const set = new Set([...usual, ...keys]);
  const holds = (clause = 'true'): boolean => clause === 'true' || clause.split(' && ').every((key) => set.has(key));
  return commands
    .filter(({ command, enablement }) => {
      const item = menus.commandPalette.find((each) => each.command === command);
      return holds(enablement) && holds(item?.when);
    })
    .map(({ command }) => command.replace('agentLogs.', ''));
}

const ever = [
  'addAgent',
  'start',
  'startSampleAgent',
  'setLevel',
  'openFile',
  'openSavedSession',
  'searchSessions',
  'keepCopy',
  'openPastRun',
  'watchMcpServers',
  'checkMcpServers',
];

describe('the Command Palette', () => {
  it('has eleven entries while nothing is open', () => {
    assert.deepEqual(offered(), ever);
  });

  it('has no more of them because there are past runs', () => {
    assert.deepEqual(offered(contextKeys.hasRuns), ever);
  });

  it('offers what can be done with an idle agent', () => {
    const keys = [contextKeys.hasRuns, contextKeys.hasLiveRuns];
    const added = offered(...keys, ...can('stop', 'prompt', 'openExplorer')).filter((name) => !ever.includes(name));
    assert.deepEqual(added, ['stop', 'prompt', 'openExplorer']);
  });

  it('offers problems only if there are some, and logins only to servers', () => {
    const { hasRuns, hasAgents, hasProblems, hasServers } = contextKeys;
    assert.ok(!offered(hasRuns, hasAgents).some((name) => /Problem|logIn|logOut/.test(name)));
    const all = offered(hasRuns, hasAgents, hasProblems, hasServers);
    for (const name of ['nextProblem', 'previousProblem', 'logIn', 'logOut']) assert.ok(all.includes(name), name);
  });

  it('offers to stop watching MCP servers only while some are watched', () => {
    assert.deepEqual(
      offered(contextKeys.hasWatchedServers).filter((name) => !ever.includes(name)),
      ['stopWatchingMcpServers'],
    );
  });

  it('offers saved sessions only if they may be read', () => {
    for (const command of ['openSavedSession', 'keepCopy']) {
      const when = menus.commandPalette.find((each) => each.command === `agentLogs.${command}`)?.when;
      assert.equal(when, usual.join(' && '));
    }
  });
});
