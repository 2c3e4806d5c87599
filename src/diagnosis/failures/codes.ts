/** JSON-RPC 2.0 section 5.1. */
export const methodNotFound = -32601;
/** ACP "Error codes", which MCP shares in its revision of 2026-07-28. */
export const unsupportedVersion = -32022;
