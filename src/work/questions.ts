import { BoundedMap } from '../log/boundedMap';
import type { PermissionFact } from './activity';
import type { OpenSteps } from './openSteps';
import { keyOf } from './step';
import { permissionOutcome } from './stepOutcomes';
import type { ToolCall } from './toolCall';
import type { Tools } from './tools';
import type { Turn } from './turn';

const maxOpen = 1000;

/** The questions to the user. */
export class Questions {
  /** Calls that wait for an answer of the user, by question. */
  private readonly asked = new BoundedMap<string, ToolCall>(maxOpen);

  constructor(
    private readonly steps: OpenSteps,
    private readonly tools: Tools,
  ) {}

  /** @param above ID of the step that contains the session's current work */
  see(fact: PermissionFact, turn: Turn | undefined, above: string | undefined): void {
    const { sessionId = '', event, id, toolId, title, asking, change, outcome } = fact;
    const key = keyOf('permission', sessionId, id);
    if (change === 'asked') {
      const tool = toolId === undefined ? undefined : this.tools.askedAbout(sessionId, toolId, turn);
      if (tool) this.asked.set(key, tool);
      const open = tool?.isStarted === true && tool.endedAt === undefined ? tool : undefined;
      const about = { sessionId, startedAt: event.t, parent: open?.id ?? above };
      this.steps.start(key, { kind: 'permission', title: title ?? open?.title ?? asking, ...about });
      turn?.questions.set(id, asking);
      return;
    }
    turn?.questions.delete(id);
    const tool = this.asked.get(key);
    this.asked.delete(key);
    const isUnwanted = outcome === 'refused' || (outcome === 'cancelled' && fact.isLost !== true);
    if (tool && isUnwanted) tool.unwanted = outcome;
    this.steps.end(key, event.t, permissionOutcome(fact));
  }

  /** Forgets what is open. */
  clear(): void {
    this.asked.clear();
  }
}
