// What we use of the official MCP client library. It is large: it is bundled into a file of its own, and loaded when first used.
export type { FetchLike, JSONRPCMessage, RequestOptions, Transport } from '@modelcontextprotocol/client';
export {
  Client,
  ProtocolError,
  SdkHttpError,
  // Servers that have nothing else are still about.
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  SSEClientTransport,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
