import type { CommandEntry } from './commandEntry';
import { canKey, contextKeys } from './contextKeys';

const needsRecord = 'needs a record, and there may be millions: Go to Next Problem and the tree lead to them';

/** Commands for a run's records and problems, and the variants of other commands in the titles of views. */
export const recordEntries = {
  export: { icon: 'export', enabled: 'hasRuns', action: 'export', places: [{ in: 'row', at: '3_show@5' }] },
  exportTrace: {
    icon: 'graph-line',
    enabled: 'hasRuns',
    action: 'exportTrace',
    places: [{ in: 'row', at: '3_show@6' }],
  },
  exportToOtlp: {
    icon: 'cloud-upload',
    always: 'looks for past sessions itself',
    hidden: 'sends all of them, and is in the menu of the view',
    places: [{ in: 'title', at: '2_show@8', when: 'isWorkspaceTrusted' }],
  },
  share: {
    icon: 'live-share',
    enabled: 'hasRuns',
    action: 'share',
    places: [
      { in: 'row', at: '3_show@8' },
      { in: 'explorer', at: 'navigation@3' },
    ],
  },
  replayRun: {
    icon: 'debug-rerun',
    enabled: 'hasRuns',
    action: 'replayRun',
    places: [
      { in: 'row', at: '3_show@9' },
      { in: 'explorer', at: '1_run@1', when: canKey('replayRun') },
    ],
  },
  compare: { icon: 'diff', enabled: 'hasRuns', action: 'compare', places: [{ in: 'row', at: '3_show@7' }] },
  showChanges: {
    icon: 'diff-multiple',
    enabled: 'hasRuns',
    hidden: 'is in the menus of sessions and turns that changed files',
    places: [{ in: 'row', at: '3_show@3' }],
  },
  nextProblem: {
    icon: 'arrow-down',
    enabled: 'hasRuns',
    palette: contextKeys.hasProblems,
    places: [
      { in: 'title', at: '3_problems@1' },
      { in: 'output', at: '1_agentLogs@3' },
      { in: 'explorer', at: 'navigation@2' },
    ],
    keys: [{ in: 'tree', key: 'f8' }],
  },
  previousProblem: {
    icon: 'arrow-up',
    enabled: 'hasRuns',
    palette: contextKeys.hasProblems,
    places: [
      { in: 'title', at: '3_problems@2' },
      { in: 'output', at: '1_agentLogs@2' },
      { in: 'explorer', at: 'navigation@1' },
    ],
    keys: [{ in: 'tree', key: 'shift+f8' }],
  },
  copyReport: { icon: 'report', enabled: 'hasRuns', action: 'copyReport', places: [{ in: 'row', at: '5_copy@2' }] },
  clear: { icon: 'clear-all', enabled: 'hasRuns', action: 'clear', places: [{ in: 'row', at: '4_remove@1' }] },
  removeRun: {
    icon: 'remove',
    enabled: 'hasRuns',
    action: 'removeRun',
    places: [{ in: 'row', at: '4_remove@2' }],
    keys: [{ in: 'tree', key: 'delete', mac: 'cmd+backspace', ofRow: true }],
  },
  openExplorer: {
    icon: 'table',
    enabled: 'hasRuns',
    action: 'openExplorer',
    places: [
      { in: 'title', at: 'navigation@0' },
      { in: 'row', at: '3_show@0' },
    ],
  },
  'explorer.find': {
    icon: 'search',
    enabled: 'hasRuns',
    hidden: 'is a key, and a button in the explorer',
    places: [{ in: 'anyExplorer', at: 'navigation@0' }],
    keys: [{ in: 'anyExplorer', key: 'ctrl+f', mac: 'cmd+f' }],
  },
  openRecord: {
    icon: 'open-preview',
    enabled: 'hasRuns',
    hidden: needsRecord,
    places: [{ in: 'row', at: '3_show@0' }],
  },
  openAsText: {
    icon: 'markdown',
    enabled: 'hasRuns',
    hidden: needsRecord,
    places: [
      { in: 'row', at: '3_show@1' },
      { in: 'record', at: '2_show@1' },
    ],
  },
  revealInTree: {
    icon: 'list-tree',
    enabled: 'hasRuns',
    hidden: needsRecord,
    places: [{ in: 'record', at: '2_show@2' }],
  },
  openJournalLine: {
    icon: 'go-to-file',
    enabled: 'hasRuns',
    hidden: needsRecord,
    places: [{ in: 'record', at: '2_show@3' }],
  },
  copyMessage: {
    icon: 'copy',
    enabled: 'hasRuns',
    hidden: needsRecord,
    places: [
      { in: 'row', at: 'inline@1' },
      { in: 'row', at: '5_copy@1' },
      { in: 'record', at: '1_copy@1' },
    ],
    keys: [{ in: 'tree', key: 'ctrl+c', mac: 'cmd+c', ofRow: true }],
  },
  copyRecord: {
    icon: 'json',
    enabled: 'hasRuns',
    hidden: needsRecord,
    places: [
      { in: 'row', at: '5_copy@2' },
      { in: 'record', at: '1_copy@2' },
    ],
  },
  copyMarkdown: {
    icon: 'notebook',
    enabled: 'hasRuns',
    hidden: needsRecord,
    places: [{ in: 'record', at: '1_copy@3' }],
  },
  copyRawLine: {
    icon: 'symbol-string',
    enabled: 'hasRuns',
    hidden: needsRecord,
    places: [{ in: 'record', at: '1_copy@4' }],
  },
  copySessionId: { icon: 'key', enabled: 'hasRuns', action: 'copySessionId', places: [{ in: 'row', at: '5_copy@1' }] },
  loadOlder: {
    icon: 'fold-down',
    always: 'its row exists only if there are older ones',
    hidden: 'needs the row of a session',
  },
  startFromTitle: {
    icon: 'play',
    always: 'like start',
    hidden: 'does what Start Agent… does there',
    places: [{ in: 'title', at: 'navigation@1' }],
  },
  setLevelFromTitle: {
    icon: 'dashboard',
    always: 'like setLevel',
    hidden: 'does what Set Log Level… does there',
    places: [{ in: 'title', at: '1_start@4' }],
  },
  showOutputFromTitle: {
    icon: 'output',
    enabled: 'hasRuns',
    hidden: 'does what Show Output does there',
    places: [{ in: 'title', at: '2_show@1' }],
  },
  setLevelFromOutput: {
    icon: 'dashboard',
    always: 'is visible only while one of our channels is open',
    hidden: 'does what Set Log Level… does there',
    places: [{ in: 'output', at: '1_agentLogs@1' }],
  },
} as const satisfies Readonly<Record<string, CommandEntry>>;
