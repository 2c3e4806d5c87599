/** How sure it is that an agent's name means a server's tool: it names the server, too; it was cut or hashed; or it is only the tool's. */
export type NameMatch = 'server' | 'cut' | 'tool';

/** What of a name must be left before a hash or an ellipsis, in characters. */
const minHead = 20;
const minCut = 40;
const minServer = 8;
/** What agents put in front: Claude Code's plugins add their own name. */
const prefix = /^(?:mcp|tool)(?:_|$)/;

/**
 * Whether an agent's name of a tool, or the title of its call, means the tool of a server. Agents rename tools: `mcp__S__T`, `mcp_S_T`, `S_T`, `S-T`,
 * `S.T`, `Tool: S/T`, `T (S MCP Server)`; they replace characters, cut long names, and put a hash behind them.
 */
export function matchName(name: string, server: string, tool: string): NameMatch | undefined {
  const given = plain(name);
  const [ofServer, ofTool] = [plain(server), plain(tool)];
  if (ofTool === '') return undefined;
  const both = `${ofServer}_${ofTool}`;
  if (given === both || given === `${ofTool}_${ofServer}_mcp_server`) return 'server';
  if (prefix.test(given) && given.endsWith(`_${both}`)) return 'server';
  if (given === ofTool) return 'tool';
  const isShort = isShortServer(given, ofServer, ofTool);
  return isShort || [both, `mcp_${both}`].some((full) => isCut(name, given, full)) ? 'cut' : undefined;
}

function isCut(name: string, given: string, full: string): boolean {
  const ellipsis = name.search(/\.{3}|…/);
  if (ellipsis > 0) {
    const [head, tail] = [plain(name.slice(0, ellipsis)), plain(name.slice(ellipsis).replace(/^[.…]+/, ''))];
    return head.length + tail.length >= minCut && full.startsWith(head) && full.endsWith(tail);
  }
  if (given.length < minCut) return false;
  if (full.startsWith(given)) return true;
  const same = commonStart(given, full);
  return same >= minHead && /^_?[0-9a-f]{4,40}$/.test(given.slice(wordStart(given, same)));
}

/** VS Code cuts the server's name: `mcp_my-long-serv_T`. */
function isShortServer(given: string, server: string, tool: string): boolean {
  if (!given.startsWith('mcp_') || !given.endsWith(`_${tool}`)) return false;
  const head = given.slice('mcp_'.length, given.length - tool.length - 1);
  return head.length >= minServer && server.startsWith(head);
}

/** The hash may begin with letters that the name goes on with. */
function wordStart(given: string, same: number): number {
  const hash = /[0-9a-f]{4,40}$/.exec(given);
  return hash && hash.index <= same ? hash.index : same;
}

function commonStart(a: string, b: string): number {
  let same = 0;
  while (same < a.length && a[same] === b[same]) same++;
  return same;
}

/** Characters that some agents replace are alike. */
function plain(name: string): string {
  return name
    .slice(0, 300)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');
}
