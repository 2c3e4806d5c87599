import { duration } from '../../../log/text';
import { ownHead } from '../../../log/ownText';
import type { ActivityDraft, ActivityFact, SubagentFact, ToolFact } from '../../../work/activity';
import { maxPrompt, turnEnded } from '../../../work/activity';
import { boundedActivity } from '../../../work/boundedActivity';
import { noSteps } from '../../../work/step';
import { isWorded } from '../../../work/toolWords';
import { Work } from '../../../work/work';
import { BoundedMap } from '../../../log/boundedMap';
import type { InterpreterSink } from '../../interpreter';
import type { Place, Retry, TurnEnd } from './savedNotes';
import type { UsageSum } from './turnUsage';

const maxSubagents = 1000;

/** A subagent's session, and the one that started it. */
interface Subagent {
  readonly parent: string;
  readonly name: string | undefined;
}

/** Reports the meaning of a saved session's lines to the diagnosis and the timeline. */
export class SavedFacts {
  readonly work = new Work(noSteps);
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
      const title = name === '' ? 'subagent' : name;
      this.fact({ event, sessionId: parent, type: 'subagent', change: 'started', id: sessionId, title });
    }
    this.fact({
      ...place,
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
    const isInterrupted = outcome === 'interrupted';
    const fact = turnEnded(place, {
      stopReason: isInterrupted ? 'cancelled' : stopReason,
      failure: outcome === 'failed' ? { type: 'failed', words: error, saysSuccess: false } : undefined,
      isInterrupted,
      isOfCommand: isCommand,
      took,
      usage: usage && { ...usage, basis: 'turn' },
    });
    this.fact(fact);
    this.subagentEnded(place, isInterrupted ? 'cancelled' : outcome === 'ok' ? 'completed' : 'failed');
  }

  /** Called when another turn starts before this one has ended. */
  turnLeft(place: Place): void {
    this.fact(turnEnded(place, { isUnanswered: true }));
    this.subagentEnded(place, undefined);
  }

  message(place: Place, speaker: 'user' | 'agent' | 'thought', text: string): void {
    this.fact({ ...place, type: 'message', speaker, text, isPartial: false });
  }

  compacted(place: Place): void {
    this.fact({ ...place, type: 'compaction', change: 'started', isFailed: false });
    this.fact({ ...place, type: 'compaction', change: 'ended', isFailed: false });
  }

  tool(place: Place, about: Omit<ActivityDraft<ToolFact>, 'type' | 'time'>): void {
    this.fact({ ...place, type: 'tool', time: place.event.t, ...about });
  }

  asked(place: Place, id: string, title: string): void {
    this.fact({ ...place, type: 'permission', change: 'asked', ...question(id), title });
  }

  settled(place: Place, id: string, outcome: 'allowed' | 'refused'): void {
    this.fact({ ...place, type: 'permission', change: 'settled', ...question(id), outcome });
  }

  retried(place: Place, { status, inMs, why }: Retry): void {
    const reason = `${why}${status === undefined ? '' : ` (status ${status})`}`;
    this.fact({
      ...place,
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
    const about = { event, sessionId: parent, id: sessionId, title: undefined } as const;
    this.fact({ ...about, type: 'subagent', change: 'ended', outcome });
  }

  private fact(fact: ActivityFact): void {
    const bounded = boundedActivity(fact);
    if (isWorded(bounded)) this.work.see(bounded);
    if (bounded.type === 'tool' && bounded.isUsers === true) return;
    this.sink.fact?.(bounded);
  }
}

function question(id: string) {
  return { id, asking: 'permission', toolId: undefined } as const;
}
