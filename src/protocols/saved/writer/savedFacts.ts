import { duration } from '../../../log/text';
import { ownHead } from '../../../log/ownText';
import type { WireMessage } from '../../../wire/wireEvent';
import type { ActivityDraft, SubagentFact } from '../../activity/activity';
import { maxActivityId, maxPrompt, turnEnded } from '../../activity/activity';
import { BoundedMap } from '../../boundedMap';
import type { InterpreterSink } from '../../interpreter';
import type { ToolEnd } from './openTools';
import type { Retry } from './savedNotes';
import type { TurnEnd } from './turnText';
import type { Usage } from './turnUsage';

/** Maximum length of texts about how something ended, in characters. */
const maxText = 2000;

const maxSubagents = 1000;

/** A subagent's session, and the one that started it. */
interface Subagent {
  readonly parent: string;
  readonly name: string | undefined;
}

/** A tool call, as far as its input describes it. */
export interface ToolCallText {
  readonly key: string | undefined;
  readonly name: string | undefined;
  readonly title: string;
  readonly command: string | undefined;
}

/** Reports the meaning of a saved session's lines to the diagnosis and the timeline. */
export class SavedFacts {
  private readonly subagents = new BoundedMap<string, Subagent>(maxSubagents);

  constructor(private readonly sink: InterpreterSink) {}

  subagent(sessionId: string, subagent: Subagent): void {
    this.subagents.set(sessionId, subagent);
  }

  /** The session that started this one, if it is a subagent's. */
  parentOf(sessionId: string): string | undefined {
    return this.subagents.get(sessionId)?.parent;
  }

  turnStarted(event: WireMessage, sessionId: string, prompt = ''): void {
    const { parent, name = prompt } = this.subagents.get(sessionId) ?? {};
    if (parent !== undefined) {
      const title = ownHead(name === '' ? 'subagent' : name, maxText);
      this.fact(event, parent, { type: 'subagent', change: 'started', id: ownHead(sessionId, maxActivityId), title });
    }
    this.fact(event, sessionId, {
      type: 'turn',
      change: 'started',
      startedAt: event.t,
      prompt: ownHead(prompt, maxPrompt),
      isUnprompted: false,
      cancel: undefined,
    });
  }

  turnEnded(event: WireMessage, sessionId: string | undefined, end: TurnEnd, usage: Usage | undefined): void {
    const { outcome, error, stopReason = 'end_turn', took, isCommand = false } = end;
    const words = error === undefined ? undefined : ownHead(error, maxText);
    const isInterrupted = outcome === 'interrupted';
    const fact = turnEnded(
      { event, sessionId },
      {
        stopReason: isInterrupted ? 'cancelled' : stopReason,
        failure: outcome === 'failed' ? { type: 'failed', words, saysSuccess: false } : undefined,
        isInterrupted,
        isOfCommand: isCommand,
        took,
        usage: usage && { ...defined(usage), basis: 'turn' },
      },
    );
    this.sink.fact?.(fact);
    this.subagentEnded(event, sessionId, isInterrupted ? 'cancelled' : outcome === 'ok' ? 'completed' : 'failed');
  }

  /** Called when another turn starts before this one has ended. */
  turnLeft(event: WireMessage, sessionId: string): void {
    this.sink.fact?.(turnEnded({ event, sessionId }, { isUnanswered: true }));
    this.subagentEnded(event, sessionId, undefined);
  }

  message(
    event: WireMessage,
    sessionId: string | undefined,
    speaker: 'user' | 'agent' | 'thought',
    text: string,
  ): void {
    this.fact(event, sessionId, { type: 'message', speaker, text: ownHead(text, maxText), isPartial: false });
  }

  compacted(event: WireMessage, sessionId: string | undefined): void {
    this.fact(event, sessionId, { type: 'compaction', change: 'started', isFailed: false });
    this.fact(event, sessionId, { type: 'compaction', change: 'ended', isFailed: false });
  }

  toolStarted(event: WireMessage, sessionId: string | undefined, call: ToolCallText): void {
    this.fact(event, sessionId, { type: 'tool', change: 'running', ...textOfCall(call) });
  }

  toolEnded(event: WireMessage, sessionId: string | undefined, call: ToolCallText, end: ToolEnd): void {
    const { outcome, exitCode, ms, output } = end;
    const isCancelled = outcome === 'cancelled' || outcome === 'refused';
    const text = ownHead(output, maxText);
    this.fact(event, sessionId, {
      type: 'tool',
      change: 'ended',
      ...textOfCall(call),
      outcome: isCancelled ? 'cancelled' : outcome === 'failed' ? 'failed' : 'completed',
      exitCode,
      ...(outcome === 'failed' && exitCode === undefined && { error: text }),
      output: text,
      isInterrupted: outcome === 'cancelled',
      took: ms,
    });
  }

  asked(event: WireMessage, sessionId: string | undefined, id: string, title: string): void {
    const question = { id: ownHead(id, maxActivityId), asking: 'permission', toolId: undefined } as const;
    this.fact(event, sessionId, { type: 'permission', change: 'asked', ...question, title: ownHead(title, maxText) });
  }

  settled(event: WireMessage, sessionId: string | undefined, id: string, outcome: 'allowed' | 'refused'): void {
    const question = { id: ownHead(id, maxActivityId), asking: 'permission', toolId: undefined } as const;
    this.fact(event, sessionId, { type: 'permission', change: 'settled', ...question, outcome });
  }

  retried(event: WireMessage, sessionId: string | undefined, { status, inMs, why }: Retry): void {
    const reason = `${ownHead(why, maxText)}${status === undefined ? '' : ` (status ${status})`}`;
    this.fact(event, sessionId, {
      type: 'retry',
      change: 'retrying',
      message: `Retrying${inMs === undefined ? '' : ` in ${duration(inMs)}`}: ${reason}`,
      reason,
      isLimit: status === 429 || status === 529 || /\brate[ _-]?limit/i.test(reason),
    });
  }

  private subagentEnded(event: WireMessage, sessionId: string | undefined, outcome: SubagentFact['outcome']): void {
    const parent = sessionId === undefined ? undefined : this.parentOf(sessionId);
    if (parent === undefined || sessionId === undefined) return;
    const id = ownHead(sessionId, maxActivityId);
    this.fact(event, parent, { type: 'subagent', change: 'ended', id, title: undefined, outcome });
  }

  private fact(event: WireMessage, sessionId: string | undefined, draft: ActivityDraft): void {
    this.sink.fact?.({ ...draft, event, sessionId });
  }
}

function textOfCall({ key, name, title, command }: ToolCallText) {
  return {
    id: key === undefined ? undefined : ownHead(key, maxActivityId),
    title,
    ...(name !== undefined && { name }),
    ...(command !== undefined && { command: ownHead(command, maxText) }),
  };
}

function defined({ inputTokens, outputTokens, cachedTokens, costUsd }: Usage) {
  return {
    ...(inputTokens !== undefined && { inputTokens }),
    ...(outputTokens !== undefined && { outputTokens }),
    ...(cachedTokens !== undefined && { cachedTokens }),
    ...(costUsd !== undefined && { costUsd }),
  };
}
