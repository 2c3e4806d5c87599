import '../../../support/vscodeStub';
import assert from 'node:assert/strict';
import { contributes } from '../../../../package.json';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { actionsOf, actionsOfAgentNamed, actionsOfRequest } from '../../../../src/runs/actions';
import type { FileOrigin, SavedSource } from '../../../../src/past/files/fileRunInfo';
import { FileRun } from '../../../../src/past/files/fileRun';
import type { RunView, RunViewState } from '../../../../src/runLog/runView';
import { commandIds, commands } from '../../../../src/ui/manifest/commands';
import { viewId } from '../../../../src/ui/manifest/names';
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

const { commandPalette: _, ...menus } = contributes.menus;
const places: Readonly<Record<string, readonly MenuItem[]>> = menus;

describe('commands', () => {
  it('have a place besides the palette, except for the row itself', () => {
    const placed = new Set(Object.values(places).flatMap((items) => items.map(({ command }) => command)));
    const others = Object.values(commandIds).filter((id) => !placed.has(id));
    assert.deepEqual(others, [commandIds.loadOlder]);
  });

  it('have an icon each, except for variants of one command', () => {
    const icons = new Map<string, string[]>();
    for (const [name, { icon }] of Object.entries(commands)) {
      assert.match(icon, /^[a-z-]+$/, name);
      icons.set(icon, [...(icons.get(icon) ?? []), name.replace(/From(Title|Output)$/, '')]);
    }
    for (const [icon, names] of icons) assert.equal(new Set(names).size, 1, `${icon}: ${names.join()}`);
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
    const others = rows.filter((row) => !acted.has(row));
    assert.deepEqual(others, ['files', 'mistake', 'request', 'starter']);
  });

  it('are at most three buttons above the tree, with that of VS Code that collapses it, and two in a row of it', () => {
    const isButton = ({ group = '' }: MenuItem): boolean => /^(navigation|inline)/.test(group);
    assert.equal((places['view/title'] ?? []).filter(isButton).length, 2);
    const inline = (places['view/item/context'] ?? []).filter(isButton);
    for (const row of rowContexts()) {
      const fits = (when: string): boolean => new RegExp(/viewItem =~ \/(.+)\/$/.exec(when)?.[1] ?? '').test(row);
      const buttons = inline.filter(({ when = '' }) => fits(when));
      assert.ok(buttons.length <= 2, `${row}: ${buttons.map(({ command }) => command).join()}`);
    }
  });

  it('are in no menu twice, and never at the same place', () => {
    for (const [menu, items] of Object.entries(places)) {
      const all = items.map(({ when = '', group = '' }) => `${when} ${group}`);
      assert.equal(new Set(all).size, all.length, menu);
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
  const connection = { summary: { worst: { code: 'authentication-required' } } };
  const definition = { url: 'https://example.org', headers: {} };
  const empty = { connection, spans: () => [], hasChanges: () => false };
  const loggedOut = { ...liveRun('ended', 'mcp'), definition, log: empty } as unknown as RunView;
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
    const can = { canCloseSessions: true, canResumeSessions: protocol === 'acp' };
    return { state: { type }, protocol, log, ...can } as unknown as RunView;
  }
}

const saved: SavedSource = {
  ...{ agent: 'claude', agentName: 'Claude Code', shownPath: '', sessionId: 's1', isRunning: false },
  kept: { path: '/kept', size: 1, at: 0, by: 'user', original: '/journal', modifiedAt: 0 },
  members: () => Promise.resolve([]),
};

function fileRun(origin: FileOrigin, type: RunViewState['type']): FileRun {
  const about = { id: 'id', origin, name: 'Agent', protocol: 'acp', cwd: '/' } as const;
  const file = { command: [], paths: ['/journal'], startedAt: 0, modifiedAt: 0, size: 0, isRedacted: true };
  const info = { ...about, ...file, ...(origin === 'saved' && { saved }) };
  const run = new FileRun(info, { level: 'info', maxMemory: 1, redaction: undefined });
  return Object.defineProperty(run, 'state', { value: { type } });
}
