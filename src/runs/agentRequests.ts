import type { Protocol } from '../log/protocol';
import type { AgentClient, SessionClient, ToolClient } from './connection/agentClient';
import { HumanError } from './humanError';
import type { LineRedactor } from './reading/redactEvent';
import { redactError } from './reading/redactEvent';
import type { RunState } from './runState';
import { Cancelled } from './waiting';

/** The parts of a run that requests need. */
export interface RequestingRun {
  readonly id: string;
  readonly name: string;
  readonly protocol: Protocol;
  readonly state: RunState;
  readonly isPublished: boolean;
  readonly isStopping: boolean;
  readonly client: AgentClient | undefined;
}

/** Sends requests to the agent of a run. Fails with a `HumanError` if it can't take them. */
export class AgentRequests {
  constructor(
    private readonly run: RequestingRun,
    private readonly redactor: LineRedactor | undefined,
  ) {}

  sessions<T>(request: (sessions: SessionClient) => Promise<T>): Promise<T> {
    return this.send(({ sessions }) => {
      if (sessions) return request(sessions);
      throw noSessions(this.run.name, this.run.protocol);
    });
  }

  tools<T>(request: (tools: ToolClient) => Promise<T>): Promise<T> {
    return this.send(({ tools }) => {
      if (tools) return request(tools);
      throw noTools(this.run.name, this.run.protocol);
    });
  }

  async send<T>(request: (client: AgentClient) => Promise<T>): Promise<T> {
    const { id, name, state, client, isPublished } = this.run;
    if (state.type === 'starting') throw new HumanError(`${name} is still starting. Wait until it runs, or stop it.`);
    if (state.type !== 'running' || !client) throw new HumanError(`${name} is not running. Start it first.`);
    if (isPublished) throw new HumanError(`${name} is run by another extension: it is read here, not spoken to.`);
    try {
      return await request(client);
    } catch (error) {
      if (this.run.isStopping) throw new Cancelled();
      if (error instanceof HumanError) redactError(error, this.redactor).runId = id;
      throw error;
    }
  }
}

/** The error for an agent without sessions, with what it offers instead. */
function noSessions(name: string, protocol: Protocol): HumanError {
  switch (protocol) {
    case 'mcp':
      return new HumanError(`${name} is an MCP server: it has no sessions. What it offers are tools.`);
    case 'lsp':
      return new HumanError(`${name} is a language server: it has no sessions, and nothing to prompt.`);
    default:
      return new HumanError(`${name} has no sessions of ours: it is read, not spoken to.`);
  }
}

/** The error for an agent without tools, with what it offers instead. */
function noTools(name: string, protocol: Protocol): HumanError {
  const instead = protocol === 'acp' ? ' Prompt it in a session.' : '';
  return new HumanError(`${name} is no MCP server: it has no tools to call.${instead}`);
}
