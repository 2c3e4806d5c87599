/** What agents speak, by the name in settings and journals. `stream-json` is the JSON lines that a command-line agent prints. */
export const protocols = ['acp', 'mcp', 'lsp', 'stream-json'] as const;
export type Protocol = (typeof protocols)[number];

/** The names that people know. */
export const protocolNames: Readonly<Record<Protocol, string>> = {
  acp: 'Agent Client Protocol',
  mcp: 'Model Context Protocol',
  lsp: 'Language Server Protocol',
  'stream-json': 'JSON lines',
};

export function isProtocol(value: unknown): value is Protocol {
  return protocols.some((protocol) => protocol === value);
}
