import { oneLine } from '../log/text';
import type { RpcError } from '../protocols/jsonrpc/rpcError';

/** `"Authentication required" (-32000)`. */
export function errorText({ code, message }: RpcError): string {
  return `"${oneLine(message, 300)}"${code === undefined ? '' : ` (${code})`}`;
}
