import { objectOf } from '../../../text/json';
import type { Conversation } from '../../conversation/conversation';

/** Capabilities of MCP servers, by the requests that they have to answer. */
const ofServers: ReadonlyMap<string, string> = new Map([
  ...['tools/list', 'tools/call'].map((method) => [method, 'tools'] as const),
  ...['prompts/list', 'prompts/get'].map((method) => [method, 'prompts'] as const),
  ...['resources/list', 'resources/read'].map((method) => [method, 'resources'] as const),
  ['completion/complete', 'completions'],
]);

/** Whether the agent declares a capability that includes the method. */
export function isPromised(method: string, { protocol, agentCapabilities }: Conversation): boolean {
  switch (protocol) {
    case 'mcp':
      return isDeclared(agentCapabilities[ofServers.get(method) ?? '']);
    case 'acp': {
      const [, name = ''] = /^session\/(\w+)$/.exec(method) ?? [];
      return isDeclared(objectOf(agentCapabilities['sessionCapabilities'])[name]);
    }
    case 'lsp': {
      const [, name = ''] = /^(?:textDocument|workspace)\/(\w+)$/.exec(method) ?? [];
      const title = name.slice(0, 1).toUpperCase() + name.slice(1);
      const fields = [`${name}Provider`, `document${title}Provider`, `workspace${title}Provider`];
      return fields.some((field) => isDeclared(agentCapabilities[field]));
    }
    default:
      return false;
  }
}

function isDeclared(capability: unknown): boolean {
  return capability !== undefined && capability !== null && capability !== false;
}
