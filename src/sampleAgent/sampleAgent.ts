import type {
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
import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { availableCommands, parsePrompt } from './commands';
import type { Connection, Greeting, Threshold } from './connection';
import { namespace, setLevelMethod } from './connection';
import { modes, Session } from './session';
import { Turn } from './turn';

/** Maximum number of closed sessions to keep. */
const maxClosed = 20;

/** Handles ACP's requests for the sample agent. */
export class SampleAgent {
  /** Closed ones can be resumed. */
  private readonly sessions = new Map<string, Session>();
  private isGreeted = false;
  private beats = 0;

  constructor(private readonly connection: Connection) {}

  /** Answers in version 1. A client that offers a later one may initialize again in that version. */
  initialize({ clientInfo, notices, threshold, ...asked }: Greeting): InitializeResponse {
    const { connection } = this;
    connection.threshold = threshold;
    connection.notices = notices;
    if (!this.isGreeted) {
      this.afterAnswer(async () => {
        const name = clientInfo.title ?? clientInfo.name ?? 'a client without a name';
        await connection.log('info', 'sample.connection', `Connected to ${name}`, { clientInfo, level: threshold });
        const { pid, version: node, platform } = process;
        await connection.log('debug', 'sample.connection', 'Agent process', { pid, node, platform });
        if (!('unknownLevel' in asked)) return;
        const data = { asked: asked.unknownLevel };
        await connection.log('warning', 'sample.logging', `Unknown level, using ${threshold}`, data);
      });
    }
    this.isGreeted = true;
    return {
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name: 'agent-logs-sample', title: 'Sample Agent', version: '1.0.0' },
      agentCapabilities: {
        loadSession: true,
        sessionCapabilities: { close: {}, list: {}, resume: {} },
        _meta: { [namespace]: { logging: { methods: ['log', setLevelMethod] } } },
      },
      authMethods: [],
    };
  }

  /** Logs that the connection is alive. */
  beat(): void {
    const sessions = [...this.sessions.values()].filter(({ isClosed }) => !isClosed).length;
    const data = { count: ++this.beats, uptimeSeconds: Math.round(performance.now() / 1000), sessions };
    // Fails only if the connection is closed.
    this.connection.log('debug', 'sample.heartbeat', 'Still here', data).catch(() => undefined);
  }

  setLevel(threshold: Threshold): Record<string, never> {
    const { connection } = this;
    const from = connection.threshold;
    connection.threshold = threshold;
    this.afterAnswer(() =>
      connection.log('notice', 'sample.logging', `Level is now ${threshold}`, { from, to: threshold }),
    );
    return {};
  }

  newSession({ cwd, mcpServers }: NewSessionRequest): NewSessionResponse {
    const session = new Session(randomUUID(), this.connection, cwd);
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
    const sessions = [...this.sessions.values()]
      .filter((session) => !cwd || session.cwd === cwd)
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
    const session = this.sessions.get(sessionId);
    if (!session) throw RequestError.sessionNotFound(sessionId);
    session.isClosed = false;
    if (replays) await session.replay();
    this.afterAnswer(() => session.announce(availableCommands()));
    return { modes: modesOf(session) };
  }

  async prompt({ sessionId, prompt }: PromptRequest, requestCancelled: AbortSignal): Promise<PromptResponse> {
    const session = this.session(sessionId);
    const { text, input, run } = parsePrompt(prompt);
    return await session.run(async (turnCancelled) => {
      const turn = new Turn(session, input, AbortSignal.any([turnCancelled, requestCancelled]));
      try {
        turn.signal.throwIfAborted();
        for (const content of prompt) session.keep({ sessionUpdate: 'user_message_chunk', content });
        await session.title(text);
        await run(turn);
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
    session.isClosed = true;
    const [oldest, ...others] = [...this.sessions.values()].filter(({ isClosed }) => isClosed);
    if (oldest && others.length >= maxClosed) this.sessions.delete(oldest.id);
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
    if (!session || session.isClosed) throw RequestError.sessionNotFound(id);
    return session;
  }

  /** Runs a task after the current answer is sent: a client doesn't know a session until `session/new` is answered. */
  private afterAnswer(task: () => Promise<unknown>): void {
    void setImmediate()
      .then(task)
      // The connection is closed.
      .catch(() => undefined);
  }
}

function modesOf({ modeId }: Session): SessionModeState {
  return { currentModeId: modeId, availableModes: [...modes] };
}
