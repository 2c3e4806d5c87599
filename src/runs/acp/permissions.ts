import type { PermissionOption, RequestPermissionOutcome } from '@agentclientprotocol/sdk';
import type { CancellationToken, Disposable } from 'vscode-jsonrpc/node';
import { CancellationTokenSource } from 'vscode-jsonrpc/node';
import type { JsonObject } from '../../protocols/json';
import { objectOf, textOf } from '../../protocols/json';
import { permissionQuestion } from '../../protocols/acp/exchange';
import type { Subagents } from '../../protocols/acp/subagents/subagents';
import { nameOf } from '../../protocols/acp/subagents/subagents';
import { boundedSessionId } from '../../protocols/sessionId';
import { unlessCancelled } from '../waiting';

/** A permission that an agent asks for, with every field checked. */
export interface PermissionRequest {
  readonly sessionId: string;
  readonly title: string;
  /** Why the agent needs it, if it says so. */
  readonly description?: string;
  /** Names of the subagent that asks and of those above it, the asking one first; absent for a session of its own. */
  readonly subagents?: readonly string[];
  /** What the tool was given, or another subject as the agent sent it. */
  readonly input: unknown;
  readonly options: readonly PermissionOption[];
}

/** Asks the person, who picks an option's id or nothing. The token is cancelled when the answer is no longer wanted. */
export type PermissionAsker = (request: PermissionRequest, token: CancellationToken) => Promise<string | undefined>;

/** More questions than this are not put to a person: they are rejected. */
const maxWaiting = 20;

const cancelled: RequestPermissionOutcome = { outcome: 'cancelled' };

/**
 * Answers `session/request_permission` (ACP "Tool Calls: Requesting Permission"). Nothing is ever allowed but by the person's own pick:
 * no answer is a rejection, and after a cancelled turn the answer is `cancelled`, as the protocol wants it.
 */
export class Permissions {
  private readonly pending = new Map<string, Set<CancellationTokenSource>>();
  /** How many turns each session has under way. */
  private readonly turns = new Map<string, number>();
  private readonly cancelledTurns = new Set<string>();
  private waiting = 0;

  constructor(
    private readonly ask: PermissionAsker,
    private readonly subagents: Pick<Subagents, 'lineage' | 'get'>,
  ) {}

  /** The session's turn begins: permissions are asked for again. */
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

  /** The session's turn was cancelled: what is pending, and what may still come, is answered `cancelled`. */
  turnCancelled(sessionId: string): void {
    // Without a turn there is nothing that later questions could belong to.
    if (this.turns.has(sessionId)) this.cancelledTurns.add(sessionId);
    for (const [asking, sources] of this.pending) {
      if (!this.subagents.lineage(asking).includes(sessionId)) continue;
      for (const source of sources) source.cancel();
    }
  }

  /** Nobody will read the answers any more. */
  cancelAll(): void {
    for (const sources of this.pending.values()) for (const source of sources) source.cancel();
  }

  /** @param token cancelled when the agent takes its request back (`$/cancel_request`) */
  async answer(params: unknown, token: CancellationToken): Promise<RequestPermissionOutcome> {
    const request = this.withNames(permissionRequest(objectOf(params)));
    const isCancelled = this.subagents.lineage(request.sessionId).some((id) => this.cancelledTurns.has(id));
    if (token.isCancellationRequested || isCancelled) return cancelled;
    if (this.waiting >= maxWaiting) return rejection(request.options);
    this.waiting++;
    const source = new CancellationTokenSource();
    const sources = this.pending.get(request.sessionId) ?? new Set();
    this.pending.set(request.sessionId, sources.add(source));
    let withdrawn: Disposable | undefined;
    try {
      withdrawn = token.onCancellationRequested(() => source.cancel()); // none where the parameters are several
      // The question may wait behind those of other agents: whoever withdraws it does not.
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
    const children = this.subagents.lineage(request.sessionId).flatMap((id) => this.subagents.get(id) ?? []);
    return children.length === 0 ? request : { ...request, subagents: children.map(nameOf) };
  }
}

/** The mildest way to say no; where the agent offers none, `cancelled` is all that is left. */
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
  // A kind that nobody knows can be picked by its name, but never counts as a rejection.
  return [{ optionId, name: textOf(option['name']) ?? optionId, kind: kind ?? 'allow_once' }];
}
