/** Protocols by their names in settings and journals. `stream-json` stands for the JSON lines of command-line agents. */
export const protocols = ['acp', 'mcp', 'lsp', 'stream-json'] as const;
export type Protocol = (typeof protocols)[number];

/** Display names. */
export const protocolNames: Readonly<Record<Protocol, string>> = {
  acp: 'Agent Client Protocol',
  mcp: 'Model Context Protocol',
  lsp: 'Language Server Protocol',
  'stream-json': 'JSON lines',
};

/** What a run is read as: besides protocols, what only files have. `log` is any program's, `trace` are spans. */
const runProtocols = [...protocols, 'saved', 'agent-host', 'log', 'trace'] as const;
export type RunProtocol = (typeof runProtocols)[number];

/** Whether records without a session are those of a connection. */
export function hasConnection(protocol: RunProtocol): boolean {
  return protocol !== 'log' && protocol !== 'trace';
}

export function isRunProtocol(value: unknown): value is RunProtocol {
  return runProtocols.some((protocol) => protocol === value);
}

export function isProtocol(value: unknown): value is Protocol {
  return protocols.some((protocol) => protocol === value);
}
