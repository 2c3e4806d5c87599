import type { CommandEntry } from './commandEntry';
import { contextKeys } from './contextKeys';

const ofTree = 'only changes the tree, which has it beside On This Machine and in its menu';
const readsSaved = 'isWorkspaceTrusted && config.agentLogs.savedSessions.show';

/** Commands for agents, their sessions and servers, and for what can be opened. */
export const agentEntries = {
  addAgent: { icon: 'add', always: 'is the first step', places: [{ in: 'title', at: '1_start@2' }] },
  start: {
    icon: 'play',
    always: 'there is always the sample agent',
    places: [
      { in: 'row', at: 'inline@1', of: '^agent .*' },
      { in: 'row', at: '1_run@1' },
    ],
  },
  startSampleAgent: { icon: 'beaker', always: 'needs nothing', places: [{ in: 'title', at: '1_start@3' }] },
  stop: {
    icon: 'debug-stop',
    enabled: 'hasLiveRuns',
    action: 'stop',
    places: [
      { in: 'row', at: 'inline@2', of: '^agent .*' },
      { in: 'row', at: '1_run@1' },
    ],
  },
  restart: {
    icon: 'debug-restart',
    enabled: 'hasRuns',
    action: 'restart',
    places: [
      { in: 'row', at: 'inline@1', of: '^agent (?!.*\\b(newSession|callTool)\\b).*' },
      { in: 'row', at: '1_run@2' },
    ],
  },
  logIn: {
    icon: 'sign-in',
    enabled: 'hasAgents',
    palette: contextKeys.hasServers,
    places: [
      { in: 'row', at: 'inline@0' },
      { in: 'row', at: '1_run@0' },
    ],
  },
  logOut: {
    icon: 'sign-out',
    enabled: 'hasAgents',
    palette: contextKeys.hasServers,
    places: [{ in: 'row', at: '1_run@9' }],
  },
  newSession: {
    icon: 'comment-discussion',
    enabled: 'hasLiveRuns',
    action: 'newSession',
    places: [
      { in: 'row', at: 'inline@1' },
      { in: 'row', at: '0_session@1' },
    ],
  },
  resumeSession: {
    icon: 'debug-continue',
    enabled: 'hasLiveRuns',
    action: 'resumeSession',
    places: [{ in: 'row', at: '0_session@3' }],
  },
  closeSession: {
    icon: 'close',
    enabled: 'hasLiveRuns',
    action: 'closeSession',
    places: [{ in: 'row', at: '0_session@5' }],
  },
  prompt: {
    icon: 'send',
    enabled: 'hasLiveRuns',
    action: 'prompt',
    places: [
      { in: 'row', at: 'inline@2', of: '^run .*' },
      { in: 'row', at: '0_session@2' },
      { in: 'row', at: 'inline@1', of: '^session .*' },
    ],
  },
  cancel: {
    icon: 'stop-circle',
    enabled: 'hasLiveRuns',
    action: 'cancel',
    places: [
      { in: 'row', at: 'inline@2', word: 'busy' },
      { in: 'row', at: '0_session@3' },
    ],
  },
  cancelRequest: {
    icon: 'circle-slash',
    enabled: 'hasLiveRuns',
    hidden: 'needs the row of a request',
    places: [
      { in: 'row', at: 'inline@1' },
      { in: 'row', at: '0_session@1' },
    ],
  },
  setMode: {
    icon: 'symbol-enum',
    enabled: 'hasLiveRuns',
    action: 'setMode',
    places: [{ in: 'row', at: '0_session@4' }],
  },
  callTool: {
    icon: 'tools',
    enabled: 'hasLiveRuns',
    action: 'callTool',
    places: [
      { in: 'row', at: 'inline@1' },
      { in: 'row', at: '0_session@1' },
    ],
  },
  setLevel: {
    icon: 'dashboard',
    always: 'an agent has a level before it runs',
    places: [{ in: 'row', at: '2_level@1' }],
  },
  showOutput: { icon: 'output', enabled: 'hasRuns', action: 'showOutput', places: [{ in: 'row', at: '3_show@2' }] },
  showTermination: {
    icon: 'note',
    enabled: 'hasRuns',
    action: 'showTermination',
    places: [{ in: 'row', at: '3_show@3' }],
  },
  revealJournal: {
    icon: 'file-symlink-directory',
    enabled: 'hasRuns',
    action: 'revealJournal',
    places: [{ in: 'row', at: '3_show@4' }],
  },
  deleteJournal: {
    icon: 'trash',
    enabled: 'hasRuns',
    action: 'deleteJournal',
    places: [{ in: 'row', at: '4_remove@3' }],
  },
  openFile: {
    icon: 'folder-opened',
    always: 'needs nothing but a file',
    places: [
      { in: 'title', at: '2_show@3' },
      { in: 'tab', at: '6_agentLogs' },
      { in: 'file', at: 'navigation@90' },
    ],
  },
  openSavedSession: {
    icon: 'vm',
    always: 'looks for saved sessions itself',
    palette: readsSaved,
    places: [
      { in: 'title', at: '2_show@4' },
      { in: 'row', at: '3_show@1' },
    ],
  },
  searchSessions: {
    icon: 'search-fuzzy',
    always: 'searches whatever there is',
    places: [
      { in: 'title', at: '2_show@5' },
      { in: 'row', at: 'inline@1' },
    ],
  },
  filterSessions: {
    icon: 'filter',
    always: 'a filter may come before the sessions',
    hidden: ofTree,
    places: [
      { in: 'title', at: '2_show@6' },
      { in: 'row', at: 'inline@2' },
    ],
  },
  showAllSessions: {
    icon: 'filter-filled',
    always: 'is visible only while there is a filter',
    hidden: ofTree,
    places: [{ in: 'row', at: 'inline@2' }],
  },
  showUsage: {
    icon: 'pie-chart',
    always: 'looks for saved sessions itself',
    palette: readsSaved,
    places: [
      { in: 'title', at: '2_show@7' },
      { in: 'row', at: '3_show@2' },
    ],
  },
  keepCopy: {
    icon: 'save-as',
    always: 'looks for saved sessions itself',
    palette: readsSaved,
    places: [{ in: 'row', at: '3_show@6' }],
  },
  deleteCopy: {
    icon: 'diff-removed',
    always: 'its row says that there is a copy',
    hidden: 'needs a session that has a copy',
    places: [{ in: 'row', at: '4_remove@4' }],
  },
  openPastRun: {
    icon: 'history',
    always: 'looks for past runs itself',
    places: [
      { in: 'title', at: '2_show@2' },
      { in: 'row', at: '3_show@1' },
    ],
  },
  copyTapCommand: {
    icon: 'terminal',
    always: 'there is always the sample agent',
    places: [{ in: 'row', at: '5_copy@1' }],
  },
  watchMcpServers: {
    icon: 'eye',
    always: 'looks for servers itself',
    palette: 'isWorkspaceTrusted',
    places: [{ in: 'title', at: '1_start@5', when: 'isWorkspaceTrusted' }],
  },
  addToAgent: {
    icon: 'mcp',
    always: 'looks for agents itself',
    palette: 'isWorkspaceTrusted',
    places: [{ in: 'title', at: '1_start@7', when: 'isWorkspaceTrusted' }],
  },
  checkMcpServers: {
    icon: 'checklist',
    always: 'looks for servers itself',
    palette: 'isWorkspaceTrusted',
    places: [{ in: 'title', at: '1_start@6', when: 'isWorkspaceTrusted' }],
  },
  stopWatchingMcpServers: {
    icon: 'eye-closed',
    always: 'looks for servers itself',
    palette: `isWorkspaceTrusted && ${contextKeys.hasWatchedServers}`,
    places: [{ in: 'row', at: 'inline@0' }],
  },
} as const satisfies Readonly<Record<string, CommandEntry>>;
