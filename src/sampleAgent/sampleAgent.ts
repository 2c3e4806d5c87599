import type {
  AgentContext,
  InitializeRequest,
  InitializeResponse,
  ListSessionsRequest,
  ListSessionsResponse,
  NewSessionRequest,
  NewSessionResponse,
  PromptRequest,
  PromptResponse,
  SessionModeState,
  SetSessionModeRequest,
} from '@agentclientprotocol/sdk';
import { PROTOCOL_VERSION, RequestError } from '@agentclientprotocol/sdk';
import { availableCommands, parsePrompt } from './commands';
import type { Host } from './host';
import type { Level, Threshold } from './logging';
import { setLevelMethod, LogSender, askedLevel, namespace } from './logging';
import { modes, Session } from './session';
import { Turn } from './turn';

/** Maximum number of closed sessions to keep. */
const maxClosed = 20;

/** Handles ACP's requests for the sample agent. */
export class SampleAgent {
  private readonly logs: LogSender;
  private readonly sessions = new Map<string, Session>();
  /** Closed sessions, which can be resumed. */
  private readonly closed = new Map<string, Session>();
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
        loadSession: true,
        sessionCapabilities: { close: {}, list: {}, resume: {} },
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
    const { cwd, mcpServers } = request;
    const link = { client, logs: this.logs, notices: this.notices };
    const session = new Session(this.host.newId(), link, cwd, this.host.clock.now());
    this.sessions.set(session.id, session);
    this.afterAnswer(async () => {
      await session.log('info', 'sample.session', 'Session started', { cwd, mcpServers: mcpServers.length });
      await session.announce(availableCommands());
      if (mcpServers.length > 0) await session.log('warning', 'sample.session', 'MCP servers are ignored');
    });
    return { sessionId: session.id, modes: modesOf(session) };
  }

  /** Lists this process's sessions, newest first. */
  listSessions({ cwd }: ListSessionsRequest): ListSessionsResponse {
    const all = [...this.sessions.values(), ...this.closed.values()].filter((one) => !cwd || one.cwd === cwd);
    const sessions = all
      .sort((one, other) => other.updatedAt.getTime() - one.updatedAt.getTime())
      .map(({ id, cwd: folder, name, updatedAt }) => ({
        sessionId: id,
        cwd: folder,
        updatedAt: updatedAt.toISOString(),
        ...(name !== undefined && { title: name }),
      }));
    return { sessions };
  }

  /** Opens a closed session again. */
  async resumeSession(sessionId: string, replays: boolean): Promise<{ modes: SessionModeState }> {
    const session = this.sessions.get(sessionId) ?? this.closed.get(sessionId);
    if (!session) throw RequestError.sessionNotFound(sessionId);
    this.closed.delete(sessionId);
    this.sessions.set(sessionId, session);
    if (replays) await session.replay();
    this.afterAnswer(() => session.announce(availableCommands()));
    return { modes: modesOf(session) };
  }

  async prompt(request: PromptRequest, requestCancelled: AbortSignal): Promise<PromptResponse> {
    const session = this.session(request.sessionId);
    if (session.busy) throw RequestError.invalidRequest({ sessionId: session.id }, 'a turn is already running');
    const prompt = parsePrompt(request.prompt);
    return await session.run(async (turnCancelled) => {
      const turn = new Turn(session, prompt.input, AbortSignal.any([turnCancelled, requestCancelled]), this.host);
      try {
        for (const content of request.prompt) session.keep({ sessionUpdate: 'user_message_chunk', content });
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
    for (const { children } of this.sessions.values()) children.get(sessionId)?.abort();
    await this.sessions.get(sessionId)?.cancel();
  }

  async close(sessionId: string): Promise<void> {
    const session = this.session(sessionId);
    await session.cancel();
    await session.log('info', 'sample.session', 'Session closed');
    this.sessions.delete(sessionId);
    this.closed.set(sessionId, session);
    const [oldest] = this.closed.keys();
    if (this.closed.size > maxClosed && oldest !== undefined) this.closed.delete(oldest);
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

function modesOf({ modeId }: Session): SessionModeState {
  return { currentModeId: modeId, availableModes: [...modes] };
}
