import type { PermissionOption, RequestPermissionOutcome } from '@agentclientprotocol/sdk';
import type { CancellationToken, Disposable } from 'vscode-jsonrpc/node';
import { CancellationTokenSource } from 'vscode-jsonrpc/node';
import type { JsonObject } from '../../text/json';
import { objectOf, textOf } from '../../text/json';
import { permissionQuestion } from '../../protocols/acp/questions';
import type { SessionMap } from '../../protocols/acp/session';
import { nameOf } from '../../protocols/acp/session';
import { boundedSessionId } from '../../protocols/sessionIds';
import { unlessCancelled } from '../../time/waiting';

/** A validated permission request. */
export interface PermissionRequest {
  readonly sessionId: string;
  readonly title: string;
  /** Why the agent needs it, if it says so. */
  readonly description?: string;
  /** Names of the subagent that asks and of its ancestors, innermost first; absent if the main agent asks. */
  readonly subagents?: readonly string[];
  /** The tool's input, or another subject as the agent sent it. */
  readonly input: unknown;
  readonly options: readonly PermissionOption[];
}

/** Asks the user, and resolves with an option's ID or `undefined`. The token is cancelled when the answer is no longer needed. */
export type PermissionAsker = (request: PermissionRequest, token: CancellationToken) => Promise<string | undefined>;

/** Maximum number of pending requests. Further ones are rejected without asking. */
const maxWaiting = 20;

const cancelled: RequestPermissionOutcome = { outcome: 'cancelled' };

/**
 * Answers `session/request_permission` (ACP "Tool Calls: Requesting Permission"). Only the user can allow anything: no answer is a
 * rejection, and after a cancelled turn the answer is `cancelled`, as the protocol requires.
 */
export class Permissions {
  private readonly pending = new Map<string, Set<CancellationTokenSource>>();
  /** Number of running turns per session. */
  private readonly turns = new Map<string, number>();
  private readonly cancelledTurns = new Set<string>();
  private waiting = 0;

  constructor(
    private readonly ask: PermissionAsker,
    private readonly sessions: Pick<SessionMap, 'lineage' | 'get'>,
  ) {}

  /** Starts a turn: permissions are asked for again. */
  turnStarted(sessionId: string): void {
    this.turns.set(sessionId, (this.turns.get(sessionId) ?? 0) + 1);
    this.cancelledTurns.delete(sessionId);
  }

  turnEnded(sessionId: string): void {
    const others = (this.turns.get(sessionId) ?? 1) - 1;
    if (others > 0) return void this.turns.set(sessionId, others);
    this.turns.delete(sessionId);
    this.cancelledTurns.delete(sessionId);
  }

  /** Cancels the session's turn: answers its pending and later requests with `cancelled`. */
  turnCancelled(sessionId: string): void {
    // Without a turn, later requests can't belong to it.
    if (this.turns.has(sessionId)) this.cancelledTurns.add(sessionId);
    for (const [asking, sources] of this.pending) {
      if (!this.sessions.lineage(asking).includes(sessionId)) continue;
      for (const source of sources) source.cancel();
    }
  }

  /** Cancels all pending requests, because nothing will read the answers. */
  cancelAll(): void {
    for (const sources of this.pending.values()) for (const source of sources) source.cancel();
  }

  /** @param token cancelled when the agent withdraws its request (`$/cancel_request`) */
  async answer(params: unknown, token: CancellationToken): Promise<RequestPermissionOutcome> {
    const request = this.withNames(permissionRequest(objectOf(params)));
    const isCancelled = this.sessions.lineage(request.sessionId).some((id) => this.cancelledTurns.has(id));
    if (token.isCancellationRequested || isCancelled) return cancelled;
    if (this.waiting >= maxWaiting) return rejection(request.options);
    this.waiting++;
    const source = new CancellationTokenSource();
    const sources = this.pending.get(request.sessionId) ?? new Set();
    this.pending.set(request.sessionId, sources.add(source));
    let withdrawn: Disposable | undefined;
    try {
      withdrawn = token.onCancellationRequested(() => source.cancel()); // missing if the parameters are positional
      // The request may be queued behind those of other agents; withdrawing it doesn't wait for them.
      const picked = await unlessCancelled(this.ask(request, source.token), source.token);
      return picked === undefined ? rejection(request.options) : { outcome: 'selected', optionId: picked };
    } catch (error) {
      if (source.token.isCancellationRequested) return cancelled;
      throw error;
    } finally {
      this.waiting--;
      withdrawn?.dispose();
      sources.delete(source);
      if (sources.size === 0) this.pending.delete(request.sessionId);
    }
  }

  private withNames(request: PermissionRequest): PermissionRequest {
    const children = this.sessions.lineage(request.sessionId).flatMap((id) => this.sessions.get(id)?.child ?? []);
    return children.length === 0 ? request : { ...request, subagents: children.map(nameOf) };
  }
}

/** The mildest rejection on offer, or `cancelled` if there is none. */
export function rejection(options: readonly PermissionOption[]): RequestPermissionOutcome {
  const no = options.find(({ kind }) => kind === 'reject_once') ?? options.find(({ kind }) => kind === 'reject_always');
  return no ? { outcome: 'selected', optionId: no.optionId } : cancelled;
}

function permissionRequest(params: JsonObject): PermissionRequest {
  const { title, description, input, options } = permissionQuestion(params);
  return {
    sessionId: boundedSessionId(textOf(params['sessionId']) ?? ''),
    title,
    ...(description !== undefined && { description }),
    input,
    options: options.flatMap(permissionOption),
  };
}

function permissionOption(option: JsonObject): PermissionOption[] {
  const optionId = textOf(option['optionId']);
  if (optionId === undefined) return [];
  const kind = (['allow_once', 'allow_always', 'reject_once', 'reject_always'] as const).find(
    (known) => known === option['kind'],
  );
  // Options of an unknown kind can be picked by name, but never count as a rejection.
  return [{ optionId, name: textOf(option['name']) ?? optionId, kind: kind ?? 'allow_once' }];
}
