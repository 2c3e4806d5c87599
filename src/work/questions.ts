import { BoundedMap } from '../text/boundedMap';
import type { PermissionFact } from './activity';
import type { OpenSteps } from './openSteps';
import { keyOf } from './step';
import { permissionOutcome } from './stepOutcomes';
import type { ToolCall } from './tools/toolCall';
import type { Tools } from './tools/tools';
import type { Question, Turn } from './turn';

const maxOpen = 1000;

/** The questions of a run to the user: pairs them with their answers. */
export class Questions {
  /** By key, with the calls that wait for their answers. */
  private readonly asked = new BoundedMap<string, { readonly question: Question; readonly tool: ToolCall | undefined }>(
    maxOpen,
  );

  constructor(
    private readonly steps: OpenSteps,
    private readonly tools: Tools,
  ) {}

  /** Those that wait for an answer, oldest first. A turn takes its questions with it. */
  get open(): readonly Question[] {
    if (this.asked.size === 0) return [];
    return this.asked.values().flatMap(({ question }) => (question.step.endedAt === undefined ? question : []));
  }

  /**
   * @param turn the session's turn
   * @param above the ID of the step that contains the session's current work
   */
  see(fact: PermissionFact, turn: Turn | undefined, above: string | undefined): void {
    const { sessionId = '', event, id, toolId, title, asking, change, outcome } = fact;
    const key = keyOf('permission', sessionId, id);
    if (change === 'asked') {
      const tool = toolId === undefined ? undefined : this.tools.askedAbout(sessionId, toolId, turn);
      const open = tool?.isStarted === true && tool.endedAt === undefined ? tool : undefined;
      const about = { sessionId, startedAt: event.t, parent: open?.id ?? above };
      const subject = title ?? open?.title;
      const step = this.steps.start(key, { kind: 'permission', title: subject ?? asking, ...about });
      const question = { key, asking, subject, step };
      this.asked.set(key, { question, tool });
      turn?.questions.set(id, question);
      return;
    }
    turn?.questions.delete(id);
    const tool = this.asked.get(key)?.tool;
    this.asked.delete(key);
    const isUnwanted = outcome === 'refused' || (outcome === 'cancelled' && fact.isLost !== true);
    if (tool && isUnwanted) tool.unwanted = outcome;
    this.steps.end(key, event.t, permissionOutcome(fact));
  }

  clear(): void {
    this.asked.clear();
  }
}
