import type {
  AgentContext,
  InitializeRequest,
  InitializeResponse,
  NewSessionRequest,
  NewSessionResponse,
  PromptRequest,
  PromptResponse,
  SetSessionModeRequest,
} from '@agentclientprotocol/sdk';
import { PROTOCOL_VERSION, RequestError } from '@agentclientprotocol/sdk';
import { availableCommands } from './commands';
import type { Host } from './host';
import type { Level, Threshold } from './level';
import { setLevelMethod } from './level';
import { askedLevel, namespace } from './loggingCapability';
import { LogSender } from './logSender';
import { parsePrompt } from './prompt';
import { modes, Session } from './session';
import { Turn } from './turn';

/** Handles ACP's requests for the sample agent. */
export class SampleAgent {
  private readonly logs: LogSender;
  private readonly sessions = new Map<string, Session>();
  private notices = false;

  constructor(
    private readonly host: Host,
    private readonly version: string,
  ) {
    this.logs = new LogSender(() => host.clock.now());
  }

  get sessionCount(): number {
    return this.sessions.size;
  }

  /** Logs a message for the connection. */
  async log(client: AgentContext, level: Level, logger: string, message: string, data?: unknown): Promise<void> {
    await this.logs.send(client, { level, logger, message, data });
  }

  initialize(request: InitializeRequest, client: AgentContext): InitializeResponse {
    const { clientCapabilities, clientInfo } = request;
    const asked = askedLevel(clientCapabilities);
    this.logs.threshold = asked.threshold;
    this.notices = Boolean(clientCapabilities?.session?.notices);
    this.afterAnswer(async () => {
      const name = clientInfo?.title ?? clientInfo?.name ?? 'a client without a name';
      const { threshold } = asked;
      await this.log(client, 'info', 'sample.connection', `Connected to ${name}`, { clientInfo, level: threshold });
      const { pid, version: node, platform } = process;
      await this.log(client, 'debug', 'sample.connection', 'Agent process', { pid, node, platform });
      if (!('unknown' in asked)) return;
      await this.log(client, 'warning', 'sample.logging', `Unknown level, using ${threshold}`, {
        asked: asked.unknown,
      });
    });
    return {
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name: 'agent-logs-sample', title: 'Sample Agent', version: this.version },
      agentCapabilities: {
        sessionCapabilities: { close: {} },
        _meta: { [namespace]: { logging: { methods: ['log', setLevelMethod] } } },
      },
      authMethods: [],
    };
  }

  setLevel(threshold: Threshold, client: AgentContext): Record<string, never> {
    const before = this.logs.threshold;
    this.logs.threshold = threshold;
    this.afterAnswer(() =>
      this.log(client, 'notice', 'sample.logging', `Level is now ${threshold}`, { from: before, to: threshold }),
    );
    return {};
  }

  newSession(request: NewSessionRequest, client: AgentContext): NewSessionResponse {
    const session = new Session(this.host.newId(), { client, logs: this.logs, notices: this.notices });
    this.sessions.set(session.id, session);
    const { cwd, mcpServers } = request;
    this.afterAnswer(async () => {
      await session.log('info', 'sample.session', 'Session started', { cwd, mcpServers: mcpServers.length });
      await session.announce(availableCommands());
      if (mcpServers.length > 0) await session.log('warning', 'sample.session', 'MCP servers are ignored');
    });
    return { sessionId: session.id, modes: { currentModeId: session.modeId, availableModes: [...modes] } };
  }

  async prompt(request: PromptRequest, requestCancelled: AbortSignal): Promise<PromptResponse> {
    const session = this.session(request.sessionId);
    if (session.busy) throw RequestError.invalidRequest({ sessionId: session.id }, 'a turn is already running');
    const prompt = parsePrompt(request.prompt);
    return await session.run(async (turnCancelled) => {
      const turn = new Turn(session, prompt.input, AbortSignal.any([turnCancelled, requestCancelled]), this.host);
      try {
        await session.title(prompt.text, this.host.clock.now());
        await prompt.run(turn);
        return { stopReason: 'end_turn' };
      } catch (error) {
        if (!turn.signal.aborted) throw error;
        await session.log('notice', 'sample.session', 'Turn cancelled');
        // Either the turn was cancelled or the request (`$/cancel_request`); the answers differ.
        if (turnCancelled.aborted) return { stopReason: 'cancelled' };
        throw RequestError.requestCancelled();
      }
    });
  }

  async cancel(sessionId: string): Promise<void> {
    await this.sessions.get(sessionId)?.cancel();
  }

  async close(sessionId: string): Promise<void> {
    const session = this.session(sessionId);
    await session.cancel();
    await session.log('info', 'sample.session', 'Session closed');
    this.sessions.delete(sessionId);
  }

  setMode({ sessionId, modeId }: SetSessionModeRequest): void {
    const session = this.session(sessionId);
    if (!modes.some(({ id }) => id === modeId)) {
      throw RequestError.invalidParams({ modeId }, `modeId must be one of ${modes.map(({ id }) => id).join(', ')}`);
    }
    const before = session.modeId;
    session.modeId = modeId;
    this.afterAnswer(async () => {
      await session.update({ sessionUpdate: 'current_mode_update', currentModeId: modeId });
      await session.log('notice', 'sample.session', `Mode is now ${modeId}`, { from: before, to: modeId });
    });
  }

  private session(id: string): Session {
    const session = this.sessions.get(id);
    if (!session) throw RequestError.sessionNotFound(id);
    return session;
  }

  /** Runs a task after the current answer is sent: a client doesn't know a session until `session/new` is answered. */
  private afterAnswer(task: () => Promise<void>): void {
    void this.host.clock
      .yield()
      .then(task)
      // The connection is closed.
      .catch(() => undefined);
  }
}
