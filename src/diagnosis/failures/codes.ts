import type { Protocol } from '../../log/protocol';

/** JSON-RPC 2.0 section 5.1. */
export const methodNotFound = -32601;
/** ACP "Error codes", which MCP shares in its revision of 2026-07-28. */
export const unsupportedVersion = -32022;

/** The protocol's code for a request that needs somebody to be logged in. In MCP the same number means other things. */
export function authCodeOf(protocol: Protocol): number | undefined {
  return protocol === 'acp' ? -32000 : undefined;
}
