import '../../../support/vscodeStub';
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { actionsOf, actionsOfAgentNamed, actionsOfRequest } from '../../../../src/runs/actions';
import type { FileOrigin, FileRunInfo } from '../../../../src/past/files/fileRunInfo';
import { FileRun } from '../../../../src/past/files/fileRun';
import type { RunView, RunViewState } from '../../../../src/runLog/runView';
import { contextKeys, editorViewType, explorerViewType, viewId } from '../../../../src/ui/kit/ids';
import { AgentRow } from '../../../../src/ui/surfaces/tree/rows/agentRow';
import { GroupRow } from '../../../../src/ui/surfaces/tree/rows/groupRow';
import { InvalidAgentRow } from '../../../../src/ui/surfaces/tree/rows/invalidAgentRow';
import { PastRow } from '../../../../src/ui/surfaces/tree/rows/pastRow';
import { RecordRow } from '../../../../src/ui/surfaces/tree/rows/recordRow';
import { contextOf } from '../../../../src/ui/surfaces/tree/rows/row';
import { SavedAgentRow } from '../../../../src/ui/surfaces/tree/rows/savedAgentRow';
import { SavedGroupRow } from '../../../../src/ui/surfaces/tree/rows/savedGroupRow';
import { StarterRow } from '../../../../src/ui/surfaces/tree/rows/starterRow';
import { WatchedServersRow } from '../../../../src/ui/surfaces/tree/rows/watchedServersRow';
import { DiagnosedWire } from '../../../support/diagnosedWire';

interface MenuItem {
  readonly command: string;
  readonly when?: string;
  readonly group?: string;
}

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { command: string; icon?: string; enablement?: string }[];
    readonly menus: Readonly<Record<string, readonly MenuItem[]>>;
    readonly keybindings: readonly { command: string; key: string; when: string }[];
    readonly viewsWelcome: readonly { contents: string }[];
  };
}

const { contributes } = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;
const nls = readFileSync('package.nls.json', 'utf8');
const { commandPalette = [], ...places } = contributes.menus;
const named = (id: string): string => `agentLogs.${id}`;

/** Commands hidden from the palette, and why. All others ask for what they need. */
const hidden = {
  openRecord: 'needs a record, and there may be millions: Go to Next Problem and the tree lead to them',
  copyMessage: 'likewise',
  copyRecord: 'likewise',
  copyMarkdown: 'likewise',
  copyRawLine: 'likewise',
  openAsText: 'likewise',
  revealInTree: 'likewise',
  openJournalLine: 'likewise',
  'explorer.find': 'is a key, and a button in the explorer',
  cancelRequest: 'needs the row of a request',
  loadOlder: 'needs the row of a session',
  filterSessions: 'only changes the tree, which has it beside On This Machine and in its menu',
  showAllSessions: 'likewise',
  startFromTitle: 'does what Start Agent… does there',
  setLevelFromTitle: 'does what Set Log Level… does there',
  setLevelFromOutput: 'likewise',
  showOutputFromTitle: 'does what Show Output does there',
};

/** Commands that are always enabled, and why. */
const always = {
  addAgent: 'is the first step',
  start: 'there is always the sample agent',
  startSampleAgent: 'needs nothing',
  setLevel: 'an agent has a level before it runs',
  openFile: 'needs nothing but a file',
  openPastRun: 'looks for past runs itself',
  openSavedSession: 'looks for saved sessions itself',
  searchSessions: 'searches whatever there is',
  keepCopy: 'looks for saved sessions itself',
  filterSessions: 'a filter may come before the sessions',
  showAllSessions: 'is visible only while there is a filter',
  loadOlder: 'its row exists only if there are older ones',
  copyTapCommand: 'there is always the sample agent',
  watchMcpServers: 'looks for servers itself',
  stopWatchingMcpServers: 'likewise',
  checkMcpServers: 'likewise',
  startFromTitle: 'like start',
  setLevelFromTitle: 'like setLevel',
  setLevelFromOutput: 'is visible only while one of our channels is open',
};

/** Reachable from the palette and from a place that isn't a menu. */
const elsewhere = {
  addAgent: 'the welcome of the view',
  loadOlder: 'the row itself',
};

describe('commands', () => {
  it('are in the palette if they can ask for what they need', () => {
    const never = commandPalette.filter(({ when }) => when === 'false');
    assert.deepEqual(never.map(({ command }) => command).sort(), Object.keys(hidden).map(named).sort());
    assert.equal(new Set(commandPalette.map(({ command }) => command)).size, commandPalette.length);
  });

  it('are enabled when they can be used, or always for a reason', () => {
    const keys = Object.values<string>(contextKeys);
    const without = contributes.commands.filter(({ enablement }) => enablement === undefined);
    assert.deepEqual(without.map(({ command }) => command).sort(), Object.keys(always).map(named).sort());
    for (const { command, enablement } of contributes.commands) {
      assert.ok(enablement === undefined || keys.includes(enablement), command);
    }
  });

  it('have a place besides the palette, and an icon', () => {
    const placed = new Set(Object.values(places).flatMap((items) => items.map(({ command }) => command)));
    for (const { command, icon } of contributes.commands) {
      assert.ok(placed.has(command) || Object.keys(elsewhere).map(named).includes(command), command);
      assert.match(icon ?? '', /^\$\([a-z-]+\)$/, command);
    }
    assert.ok(nls.includes(`(command:${named('addAgent')})`));
  });

  it('have an icon each, except for variants of one command', () => {
    const icons = new Map<string, string[]>();
    for (const { command, icon = '' } of contributes.commands) {
      icons.set(icon, [...(icons.get(icon) ?? []), command.replace(/From(Title|Output)$/, '')]);
    }
    for (const [icon, commands] of icons) assert.equal(new Set(commands).size, 1, `${icon}: ${commands.join()}`);
  });

  it('in the tree apply to rows that exist, and every kind of row has some', () => {
    const rows = rowContexts();
    const acted = new Set<string>();
    for (const { command, when = '' } of places['view/item/context'] ?? []) {
      assert.ok(when.startsWith(`view == ${viewId} && `), command);
      const [, pattern] = /^view == \S+ && viewItem =~ \/(.+)\/$/.exec(when) ?? [];
      assert.ok(pattern !== undefined, when);
      const [, word] = /\\b(\w+)\\b$/.exec(pattern) ?? [];
      assert.equal(word === 'busy' ? 'cancel' : word, command.replace('agentLogs.', ''), 'the menu of another command');
      const fitting = rows.filter((row) => new RegExp(pattern).test(row));
      assert.ok(fitting.length > 0, `${command} applies to no row: ${pattern}`);
      for (const row of fitting) acted.add(row);
    }
    // A picker answers requests from the agent, files with one name are only a heading, and the other two are clicked.
    assert.deepEqual(
      rows.filter((row) => !acted.has(row)),
      ['files', 'mistake', 'request', 'starter'],
    );
  });

  it('are at most three buttons above the tree, with that of VS Code that collapses it, and two in a row of it', () => {
    const isButton = ({ group = '' }: MenuItem): boolean => /^(navigation|inline)/.test(group);
    assert.equal((places['view/title'] ?? []).filter(isButton).length, 2);
    const inline = (places['view/item/context'] ?? []).filter(isButton);
    for (const row of rowContexts()) {
      const buttons = inline.filter(({ when = '' }) =>
        new RegExp(/viewItem =~ \/(.+)\/$/.exec(when)?.[1] ?? '').test(row),
      );
      assert.ok(buttons.length <= 2, `${row}: ${buttons.map(({ command }) => command).join()}`);
    }
  });

  it('are in no menu twice, and never at the same place', () => {
    for (const [menu, items] of Object.entries(places)) {
      const all = items.map(({ when = '', group = '' }) => `${when} ${group}`);
      assert.deepEqual(
        all.filter((item, index) => all.indexOf(item) !== index),
        [],
        menu,
      );
    }
  });

  it('have keybindings only while the tree or an explorer has the focus', () => {
    assert.ok(contributes.keybindings.length > 0);
    for (const { command, when } of contributes.keybindings) {
      const explorer = `activeWebviewPanelId == ${explorerViewType} || activeCustomEditorId == ${editorViewType}`;
      const tree = `focusedView == ${viewId} && listFocus && !inputFocus`;
      assert.equal(when, command.startsWith('agentLogs.explorer.') ? explorer : tree, command);
    }
  });

  it('don\'t test the scheme of a file, which isn\'t "file" in a remote window', () => {
    for (const { command, when } of Object.values(places).flat()) {
      assert.doesNotMatch(when ?? '', /resourceScheme == file/, command);
    }
  });
});

describe('notifications', () => {
  it('come from notify.ts, which adds a button for the log', () => {
    for (const file of readdirSync('src', { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.ts') || file === join('ui', 'kit', 'notify.ts')) continue;
      assert.doesNotMatch(readFileSync(join('src', file), 'utf8'), /\.show(Error|Warning|Information)Message\(/, file);
    }
  });
});

/** Every `viewItem` that a row of the tree can have. */
function rowContexts(): string[] {
  const { log } = DiagnosedWire.withSession().prompt();
  const live = ['starting', 'running', 'stopping', 'ended'] as const;
  const runs = live.flatMap((type) => ['acp', 'mcp', 'lsp', 'stream-json'].map((protocol) => liveRun(type, protocol)));
  const published = live.map((type) => ({ ...liveRun(type, 'acp'), isPublished: true }));
  const loggedOut = {
    ...liveRun('ended', 'mcp'),
    definition: { url: 'https://example.org', headers: {} },
    log: { connection: { summary: { worst: { code: 'authentication-required' } } }, spans: () => [] },
  } as unknown as RunView;
  const files = (['past', 'tapped', 'opened', 'watched', 'saved'] as const).flatMap((origin) =>
    (['unread', 'reading', 'following', 'ended'] as const).map((type) => fileRun(origin, type)),
  );
  const groups = [log.connection, ...log.sessions].flatMap((group) =>
    [...runs, ...published].flatMap((run) =>
      [group, { ...group, modes: [{ id: 'm', name: 'M' }] }].map((one) => GroupRow.contextOf(run, one)),
    ),
  );
  return [
    ...new Set([
      ...[undefined, loggedOut, ...runs, ...published].flatMap((run) =>
        [false, true].map((isOnly) => contextOf('agent', actionsOfAgentNamed(run, isOnly))),
      ),
      ...[AgentRow.filesContext, InvalidAgentRow.context, PastRow.context, RecordRow.context],
      ...[SavedGroupRow.context, SavedGroupRow.filteredContext, SavedAgentRow.context, StarterRow.context],
      WatchedServersRow.context,
      ...[loggedOut, ...runs, ...published, ...files].map((run) => contextOf('run', actionsOf(run))),
      ...groups,
      ...(['in', 'out'] as const).flatMap((direction) =>
        [{}, { isPublished: true }].map((run) => contextOf('request', actionsOfRequest(run, { direction }))),
      ),
    ]),
  ].sort();

  function liveRun(type: (typeof live)[number], protocol: string): RunView {
    return {
      state: { type },
      protocol,
      log,
      canCloseSessions: true,
      canResumeSessions: protocol === 'acp',
    } as unknown as RunView;
  }
}

function fileRun(origin: FileOrigin, type: RunViewState['type']): FileRun {
  const info: FileRunInfo = {
    id: 'id',
    origin,
    name: 'Agent',
    protocol: 'acp',
    startedAt: 0,
    modifiedAt: 0,
    command: [],
    cwd: '/',
    paths: ['/journal'],
    size: 0,
    isRedacted: true,
  };
  return Object.defineProperty(new FileRun(info, { level: 'info', maxMemory: 1 }), 'state', { value: { type } });
}
