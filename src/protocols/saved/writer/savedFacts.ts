import { duration } from '../../../log/text';
import { ownHead } from '../../../log/ownText';
import type { ActivityDraft, SubagentFact } from '../../../work/activity';
import { maxActivityId, maxPrompt, turnEnded } from '../../../work/activity';
import { BoundedMap } from '../../../log/boundedMap';
import type { InterpreterSink } from '../../interpreter';
import type { ToolCall, ToolEnd } from './openTools';
import type { Place, Retry, TurnEnd } from './savedNotes';
import type { UsageSum } from './turnUsage';

/** Maximum length of texts about how something ended, in characters. */
const maxText = 2000;

const maxSubagents = 1000;

/** A subagent's session, and the one that started it. */
interface Subagent {
  readonly parent: string;
  readonly name: string | undefined;
}

type ToolText = Pick<ToolCall, 'key' | 'name' | 'title' | 'command'>;

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

  turnStarted(place: Place, prompt = ''): void {
    const { event, sessionId } = place;
    const { parent, name = prompt } = this.subagents.get(sessionId ?? '') ?? {};
    if (parent !== undefined && sessionId !== undefined) {
      const title = ownHead(name === '' ? 'subagent' : name, maxText);
      const id = ownHead(sessionId, maxActivityId);
      this.fact({ event, sessionId: parent }, { type: 'subagent', change: 'started', id, title });
    }
    this.fact(place, {
      type: 'turn',
      change: 'started',
      startedAt: event.t,
      prompt: ownHead(prompt, maxPrompt),
      isUnprompted: false,
      cancel: undefined,
    });
  }

  turnEnded(place: Place, end: TurnEnd, usage: UsageSum | undefined): void {
    const { outcome, error, stopReason = 'end_turn', took, isCommand = false } = end;
    const words = error === undefined ? undefined : ownHead(error, maxText);
    const isInterrupted = outcome === 'interrupted';
    const fact = turnEnded(place, {
      stopReason: isInterrupted ? 'cancelled' : stopReason,
      failure: outcome === 'failed' ? { type: 'failed', words, saysSuccess: false } : undefined,
      isInterrupted,
      isOfCommand: isCommand,
      took,
      usage: usage && { ...usage, basis: 'turn' },
    });
    this.sink.fact?.(fact);
    this.subagentEnded(place, isInterrupted ? 'cancelled' : outcome === 'ok' ? 'completed' : 'failed');
  }

  /** Called when another turn starts before this one has ended. */
  turnLeft(place: Place): void {
    this.sink.fact?.(turnEnded(place, { isUnanswered: true }));
    this.subagentEnded(place, undefined);
  }

  message(place: Place, speaker: 'user' | 'agent' | 'thought', text: string): void {
    this.fact(place, { type: 'message', speaker, text: ownHead(text, maxText), isPartial: false });
  }

  compacted(place: Place): void {
    this.fact(place, { type: 'compaction', change: 'started', isFailed: false });
    this.fact(place, { type: 'compaction', change: 'ended', isFailed: false });
  }

  toolStarted(place: Place, call: ToolText): void {
    this.fact(place, { type: 'tool', change: 'running', ...textOfCall(call) });
  }

  toolEnded(place: Place, call: ToolText, { outcome, exitCode, ms, output }: ToolEnd): void {
    const isCancelled = outcome === 'cancelled' || outcome === 'refused';
    const text = ownHead(output, maxText);
    this.fact(place, {
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

  asked(place: Place, id: string, title: string): void {
    this.fact(place, { type: 'permission', change: 'asked', ...question(id), title: ownHead(title, maxText) });
  }

  settled(place: Place, id: string, outcome: 'allowed' | 'refused'): void {
    this.fact(place, { type: 'permission', change: 'settled', ...question(id), outcome });
  }

  retried(place: Place, { status, inMs, why }: Retry): void {
    const reason = `${ownHead(why, maxText)}${status === undefined ? '' : ` (status ${status})`}`;
    this.fact(place, {
      type: 'retry',
      change: 'retrying',
      message: `Retrying${inMs === undefined ? '' : ` in ${duration(inMs)}`}: ${reason}`,
      reason,
      isLimit: status === 429 || status === 529 || /\brate[ _-]?limit/i.test(reason),
    });
  }

  private subagentEnded({ event, sessionId = '' }: Place, outcome: SubagentFact['outcome']): void {
    const parent = this.parentOf(sessionId);
    if (parent === undefined) return;
    const id = ownHead(sessionId, maxActivityId);
    this.fact({ event, sessionId: parent }, { type: 'subagent', change: 'ended', id, title: undefined, outcome });
  }

  private fact(place: Place, draft: ActivityDraft): void {
    this.sink.fact?.({ ...draft, ...place });
  }
}

function question(id: string) {
  return { id: ownHead(id, maxActivityId), asking: 'permission', toolId: undefined } as const;
}

function textOfCall({ key, name, title, command }: ToolText) {
  return {
    id: key === undefined ? undefined : ownHead(key, maxActivityId),
    title,
    name,
    ...(command !== undefined && { command: ownHead(command, maxText) }),
  };
}
