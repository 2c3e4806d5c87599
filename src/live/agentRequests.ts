import { t } from '../text/translator';
import type { Protocol } from '../wire/protocol';
import type { AgentClient, SessionClient, ToolClient } from './connection/agentClient';
import { HumanError } from '../text/humanError';
import type { LineRedactor } from '../runLog/reading/redactEvent';
import { redactError } from '../runLog/reading/redactEvent';
import type { RunState } from '../runLog/runState';
import { Cancelled } from '../time/waiting';

/** The parts of a run that requests need. */
interface RequestingRun {
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
    if (state.type === 'starting') {
      throw new HumanError(t('{0} is still starting. Wait until it runs, or stop it.', name));
    }
    if (state.type !== 'running' || !client) throw notRunning(name);
    if (isPublished) {
      throw new HumanError(t('{0} is run by another extension, which alone can send requests to it.', name));
    }
    try {
      return await request(client);
    } catch (error) {
      if (this.run.isStopping) throw new Cancelled();
      if (error instanceof Error) redactError(error, this.redactor);
      if (error instanceof HumanError) error.runId = id;
      throw error;
    }
  }
}

function noSessions(name: string, protocol: Protocol): HumanError {
  switch (protocol) {
    case 'mcp':
      return new HumanError(t('{0} is an MCP server. It has tools, but no sessions.', name));
    case 'lsp':
      return new HumanError(t('{0} is a language server. It has no sessions and takes no prompts.', name));
    default:
      return new HumanError(t('{0} prints JSON lines and takes no requests.', name));
  }
}

function noTools(name: string, protocol: Protocol): HumanError {
  return new HumanError(
    protocol === 'acp'
      ? t("{0} isn't an MCP server, so it has no tools to call. Send it a prompt instead.", name)
      : t("{0} isn't an MCP server, so it has no tools to call.", name),
  );
}

export function notRunning(name: string): HumanError {
  return new HumanError(t("{0} isn't running. Start it first.", name));
}
