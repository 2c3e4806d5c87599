/** What agents speak: the Agent Client Protocol, the Model Context Protocol, the Language Server Protocol, or the JSON lines of a command-line agent. */
export type Protocol = 'acp' | 'mcp' | 'lsp' | 'stream-json';

/** The protocol's name as a person knows it. */
export const protocolNames: Readonly<Record<Protocol, string>> = {
  acp: 'Agent Client Protocol',
  mcp: 'Model Context Protocol',
  lsp: 'Language Server Protocol',
  'stream-json': 'JSON lines',
};

export function isProtocol(value: unknown): value is Protocol {
  return typeof value === 'string' && Object.hasOwn(protocolNames, value);
}
