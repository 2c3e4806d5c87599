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

export function isProtocol(value: unknown): value is Protocol {
  return protocols.some((protocol) => protocol === value);
}
