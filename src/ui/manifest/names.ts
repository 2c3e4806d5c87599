// Ids that users' settings and keybindings and other extensions refer to.

/** Every id begins with this. */
export const prefix = 'agentLogs';

export const viewId = 'agentLogs.sessions';

/** The provider of our MCP server. */
export const agentServerProvider = 'agentLogs.mcp';

/** The Log Explorer as a panel, and as an editor of files. */
export const explorerViewType = 'agentLogs.explorer';
export const editorViewType = 'agentLogs.explorerEditor';

/** The review of a run before it is shared. */
export const reviewViewType = 'agentLogs.review';
