import { BoundedMap } from '../../../text/boundedMap';
import { ownKey } from '../../../text/ownText';
import type { PermissionFact } from '../../../work/activity';
import { maxActivityId } from '../../../work/activity';
import { Interrupts } from './interrupts';

type Question = Pick<PermissionFact, 'id' | 'asking' | 'toolId'>;

const maxQuestions = 100;
const maxSessions = 200;

/** What later events of a stream refer to. */
export class ClaudeState {
  /** Tracks whether the agent was asked to stop its turn. */
  readonly interrupts = new Interrupts();
  /** Output tokens of the latest model request, if the agent counts each; 0 for the agent's own texts. */
  answerTokens: number | undefined;
  /** The model of the latest answer. */
  model: string | undefined;
  /** Total cost of each session so far, in US dollars. */
  readonly costs = new BoundedMap<string | undefined, number>(maxSessions);
  /** True if the agent has said something since the last turn ended. */
  hasSpoken = false;
  /** True if a client writes to the agent, so that the session outlasts the turn. */
  hasInput = false;
  /** Open questions to the user, by the ID of the waiting tool call. */
  private readonly questions = new BoundedMap<string, Question>(maxQuestions);

  /** @param toolId the call that waits, which may end without an answer */
  asked(toolId: string, question: Question): void {
    this.questions.set(ownKey(toolId, maxActivityId), question);
  }

  /** The question of a tool call has an answer, or none will come. */
  settled(toolId: string | undefined): Question | undefined {
    const key = ownKey(toolId ?? '', maxActivityId);
    const question = this.questions.get(key);
    this.questions.delete(key);
    return question;
  }
}
