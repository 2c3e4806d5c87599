import { objectOf } from '../../../text/json';
import { serverCapabilities } from '../../../protocols/mcp/methods';
import type { Conversation } from '../../conversation/conversation';

/** Whether the agent declares a capability that includes the method. */
export function isPromised(method: string, { protocol, agentCapabilities }: Conversation): boolean {
  switch (protocol) {
    case 'mcp':
      return isDeclared(agentCapabilities[serverCapabilities.get(method) ?? '']);
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
