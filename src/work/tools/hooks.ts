import { BoundedMap } from '../../text/boundedMap';
import { oneLine } from '../../text/text';
import type { HookFact } from './toolFacts';
import type { OpenSteps } from '../openSteps';
import { keyOf, maxName, maxTitle } from '../step';
import type { Turn } from '../turn';
import type { HookBlock } from './hookBlock';
import { hookBlock } from './hookBlock';
import type { ToolCall } from './toolCall';

const maxSessions = 1000;
/** How many blocks of a session are kept until it is known what they are about. */
const maxLoose = 20;
/** Events after which nothing can be kept from happening any more, and those of prompts. */
const [afterTools, ofPrompts] = [/^(?:post|after)tool/i, /prompt|^beforeagent/i];

/** What a hook is about, and the ID of the step that it is part of. */
interface Place {
  readonly turn: Turn | undefined;
  readonly tool: ToolCall | undefined;
  readonly parent: string | undefined;
}

/** The hooks that the agent ran, and what they blocked. */
export class Hooks {
  /** What hooks blocked of which the agent will say later what it was, by session: a prompt or a call. */
  private readonly loose = new BoundedMap<string, readonly HookBlock[]>(maxSessions);

  constructor(private readonly steps: OpenSteps) {}

  see(fact: HookFact, { turn, tool, parent }: Place): void {
    const { sessionId = '', event, change, id, took = 0, outcome = 'ok', exitCode, output = '' } = fact;
    const key = keyOf('hook', sessionId, id);
    const name = oneLine(fact.name, maxName);
    const about = { kind: 'hook', sessionId, title: name, parent: tool?.id ?? parent } as const;
    if (!this.steps.get(key)) this.steps.start(key, { ...about, startedAt: event.t - took });
    if (change === 'started') return;
    this.steps.end(key, event.t, { outcome, exitCode, detail: outcome === 'ok' ? undefined : short(output) });
    if (outcome !== 'refused' || afterTools.test(name)) return;
    const block = { name, reason: output };
    if (turn) turn.hook ??= block;
    if (tool) tool.hook ??= block;
    else if (!turn || !ofPrompts.test(name)) {
      this.loose.set(sessionId, [...(this.loose.get(sessionId) ?? []), block].slice(-maxLoose));
    }
  }

  /** What blocked the prompt of the turn that starts now. */
  take(sessionId: string): HookBlock | undefined {
    const block = this.loose.get(sessionId)?.findLast(({ name }) => ofPrompts.test(name));
    this.loose.delete(sessionId);
    return block;
  }

  /** A call ended. Agents often tell of the hook that blocked it only there. */
  ended(tool: ToolCall, t: number): void {
    if (tool.hook || tool.outcome === 'ok' || tool.exitCode !== undefined) return;
    tool.hook = hookBlock(tool.error ?? tool.output);
    if (!tool.hook || tool.id === '' || this.isTold(tool.sessionId, tool.hook)) return;
    const { sessionId, id: parent, hook } = tool;
    const key = keyOf('hook', sessionId, `of ${parent}`);
    this.steps.start(key, { kind: 'hook', sessionId, title: hook.name, startedAt: t, parent });
    this.steps.end(key, t, { outcome: 'refused', detail: short(hook.reason) });
  }

  /** Whether the agent has told of the hook itself, for a call that it didn't name. */
  private isTold(sessionId: string, { name, reason }: HookBlock): boolean {
    const loose = this.loose.get(sessionId) ?? [];
    const at = loose.findIndex((block) => block.name === name || (reason !== '' && block.reason === reason));
    if (at >= 0) this.loose.set(sessionId, loose.toSpliced(at, 1));
    return at >= 0;
  }
}

function short(text: string): string | undefined {
  return text === '' ? undefined : oneLine(text, maxTitle);
}
