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

/** What a file is read as that no agent has spoken: any program's log, and spans. */
const unspoken = new Set(['log', 'trace']);

/** Whether records without a session are those of a connection. */
export function hasConnection(protocol: string): boolean {
  return !unspoken.has(protocol);
}

export function isProtocol(value: unknown): value is Protocol {
  return protocols.some((protocol) => protocol === value);
}
