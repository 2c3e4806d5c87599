/** JSON-RPC 2.0 section 5.1. */
export const methodNotFound = -32601;
export const invalidParams = -32602;
/** LSP's code for a request that was cancelled, which ACP shares. */
export const requestCancelled = -32800;
/** ACP "Error codes". MCP has the second, too, since 2026-07-28. */
export const loginRequired = -32000;
export const resourceNotFound = -32002;
export const unsupportedVersion = -32022;
/** The client doesn't declare what the server needs (MCP 2026-07-28). */
export const missingClientCapability = -32021;
