import type { Action } from '../../runs/actions';

// Ids that package.json, users' keybindings and other extensions refer to. A test compares package.json with them.

/** Every id begins with this. */
export const prefix = 'agentLogs';

export const viewId = 'agentLogs.sessions';

/** The Log Explorer as a panel, and as an editor of files. */
export const explorerViewType = 'agentLogs.explorer';
export const editorViewType = 'agentLogs.explorerEditor';

/** The review of a run before it is shared. */
export const reviewViewType = 'agentLogs.review';

/** The context keys of the manifest's `when` clauses. */
export const contextKeys = {
  hasAgents: 'agentLogs.hasAgents',
  hasRuns: 'agentLogs.hasRuns',
  hasLiveRuns: 'agentLogs.hasLiveRuns',
  /** Servers that users may log in to. */
  hasServers: 'agentLogs.hasServers',
  hasProblems: 'agentLogs.hasProblems',
  /** As far as the Sessions view or a command has found. */
  hasWatchedServers: 'agentLogs.hasWatchedServers',
} as const;

/** Actions that the Command Palette offers only while some shown run, or a session of one, can do them. */
export const paletteActions = [
  'stop',
  'restart',
  'newSession',
  'resumeSession',
  'closeSession',
  'prompt',
  'cancel',
  'setMode',
  'callTool',
  'openExplorer',
  'showOutput',
  'showTermination',
  'revealJournal',
  'deleteJournal',
  'export',
  'exportTrace',
  'share',
  'replayRun',
  'compare',
  'copyReport',
  'copySessionId',
  'clear',
  'removeRun',
] as const satisfies readonly Action[];

/** The context key of one of them, such as `agentLogs.can.stop`. */
export function canKey(action: (typeof paletteActions)[number]): string {
  return `${prefix}.can.${action}`;
}

export const commandIds = {
  addAgent: 'agentLogs.addAgent',
  start: 'agentLogs.start',
  startSampleAgent: 'agentLogs.startSampleAgent',
  stop: 'agentLogs.stop',
  restart: 'agentLogs.restart',
  logIn: 'agentLogs.logIn',
  logOut: 'agentLogs.logOut',
  newSession: 'agentLogs.newSession',
  resumeSession: 'agentLogs.resumeSession',
  closeSession: 'agentLogs.closeSession',
  prompt: 'agentLogs.prompt',
  cancel: 'agentLogs.cancel',
  /** The same on the row of a request, which may not be a turn. */
  cancelRequest: 'agentLogs.cancelRequest',
  setMode: 'agentLogs.setMode',
  callTool: 'agentLogs.callTool',
  setLevel: 'agentLogs.setLevel',
  showOutput: 'agentLogs.showOutput',
  showTermination: 'agentLogs.showTermination',
  revealJournal: 'agentLogs.revealJournal',
  deleteJournal: 'agentLogs.deleteJournal',
  openFile: 'agentLogs.openFile',
  openSavedSession: 'agentLogs.openSavedSession',
  searchSessions: 'agentLogs.searchSessions',
  filterSessions: 'agentLogs.filterSessions',
  showAllSessions: 'agentLogs.showAllSessions',
  keepCopy: 'agentLogs.keepCopy',
  openPastRun: 'agentLogs.openPastRun',
  copyTapCommand: 'agentLogs.copyTapCommand',
  watchMcpServers: 'agentLogs.watchMcpServers',
  stopWatchingMcpServers: 'agentLogs.stopWatchingMcpServers',
  checkMcpServers: 'agentLogs.checkMcpServers',
  export: 'agentLogs.export',
  exportTrace: 'agentLogs.exportTrace',
  share: 'agentLogs.share',
  replayRun: 'agentLogs.replayRun',
  compare: 'agentLogs.compare',
  nextProblem: 'agentLogs.nextProblem',
  previousProblem: 'agentLogs.previousProblem',
  copyReport: 'agentLogs.copyReport',
  clear: 'agentLogs.clear',
  removeRun: 'agentLogs.removeRun',
  openExplorer: 'agentLogs.openExplorer',
  explorerFind: 'agentLogs.explorer.find',
  openRecord: 'agentLogs.openRecord',
  openAsText: 'agentLogs.openAsText',
  revealInTree: 'agentLogs.revealInTree',
  openJournalLine: 'agentLogs.openJournalLine',
  copyMessage: 'agentLogs.copyMessage',
  copyRecord: 'agentLogs.copyRecord',
  copyMarkdown: 'agentLogs.copyMarkdown',
  copyRawLine: 'agentLogs.copyRawLine',
  copySessionId: 'agentLogs.copySessionId',
  loadOlder: 'agentLogs.loadOlder',
  /** These ignore the focused row, which VS Code passes to the buttons of a view's title. */
  startFromTitle: 'agentLogs.startFromTitle',
  setLevelFromTitle: 'agentLogs.setLevelFromTitle',
  showOutputFromTitle: 'agentLogs.showOutputFromTitle',
  /** In the title of the Output view: for the agent whose channel is open. */
  setLevelFromOutput: 'agentLogs.setLevelFromOutput',
} as const;

export type CommandId = (typeof commandIds)[keyof typeof commandIds];

/** Language model tools. */
export const lmToolNames = {
  listRuns: 'agentLogs_listRuns',
  searchRecords: 'agentLogs_searchRecords',
  listTurns: 'agentLogs_listTurns',
  explainTermination: 'agentLogs_explainTermination',
  checkMcpServers: 'agentLogs_checkMcpServers',
} as const;
