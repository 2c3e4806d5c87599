import type { Protocol } from '../../wire/protocol';
import { arrayOf, isObject, objectOf, textOf } from '../../text/json';
import { recogniseStream } from '../agents';

/** Method prefixes that only one protocol uses. */
const beginnings: readonly (readonly [string, Protocol])[] = [
  ['session/', 'acp'],
  ['_session/', 'acp'],
  ['terminal/', 'acp'],
  ['fs/', 'acp'],
  ['elicitation/complete', 'acp'],
  ['notifications/', 'mcp'],
  ['tools/', 'mcp'],
  ['resources/', 'mcp'],
  ['prompts/', 'mcp'],
  ['sampling/', 'mcp'],
  ['roots/', 'mcp'],
  ['completion/', 'mcp'],
  ['server/discover', 'mcp'],
  ['textDocument/', 'lsp'],
  ['workspace/', 'lsp'],
  ['window/', 'lsp'],
  ['client/', 'lsp'],
  ['telemetry/', 'lsp'],
  ['$/setTrace', 'lsp'],
  ['$/logTrace', 'lsp'],
  ['$/progress', 'lsp'],
  ['initialized', 'lsp'],
];

/** Detects the protocol of messages, by `initialize` if present, otherwise by their methods. Lines that aren't JSON are strings. */
export function spokenProtocol(messages: readonly unknown[]): Protocol | undefined {
  const all = messages.flatMap((message) => (Array.isArray(message) ? arrayOf(message) : [message]));
  return firstOf(all, byInitialize) ?? firstOf(all, byMethod) ?? firstOf(all, byForm);
}

/** ACP's version is a number, MCP's a date. LSP has none, but requires the parent process ID. */
function byInitialize(message: unknown): Protocol | undefined {
  const { method, params } = objectOf(message);
  if (method !== 'initialize' || !isObject(params)) return undefined;
  if (typeof params['protocolVersion'] === 'number') return 'acp';
  if (typeof params['protocolVersion'] === 'string') return 'mcp';
  return 'processId' in params || 'rootUri' in params ? 'lsp' : undefined;
}

function byMethod(message: unknown): Protocol | undefined {
  const method = textOf(objectOf(message)['method']);
  if (method === undefined) return undefined;
  return beginnings.find(([beginning]) => method.startsWith(beginning))?.[1];
}

function byForm(message: unknown): Protocol | undefined {
  // Only LSP messages have headers.
  if (typeof message === 'string') return /^Content-Length: \d/i.test(message) ? 'lsp' : undefined;
  return isObject(message) && recogniseStream(message) ? 'stream-json' : undefined;
}

function firstOf<T>(messages: readonly unknown[], read: (message: unknown) => T | undefined): T | undefined {
  for (const message of messages) {
    const found = read(message);
    if (found !== undefined) return found;
  }
  return undefined;
}
