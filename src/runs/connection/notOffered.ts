import type { Protocol } from '../../log/protocol';
import { HumanError } from '../humanError';

/** Why an agent that another extension runs is not asked for anything. */
export function notOurs(name: string): HumanError {
  return new HumanError(`${name} is run by another extension: it is read here, not spoken to.`);
}

/** Why an agent has no sessions, and what it has instead. */
export function noSessions(name: string, protocol: Protocol): HumanError {
  switch (protocol) {
    case 'mcp':
      return new HumanError(`${name} is an MCP server: it has no sessions. What it offers are tools.`);
    case 'lsp':
      return new HumanError(`${name} is a language server: it has no sessions, and nothing to prompt.`);
    default:
      return new HumanError(`${name} has no sessions of ours: it is read, not spoken to.`);
  }
}

/** Why an agent has no tools to call, and what it has instead. */
export function noTools(name: string, protocol: Protocol): HumanError {
  const instead = protocol === 'acp' ? ' Prompt it in a session.' : '';
  return new HumanError(`${name} is no MCP server: it has no tools to call.${instead}`);
}
