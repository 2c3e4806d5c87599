import type { RecordDraft } from '../../log/record';
import type { ActivityDraft, PermissionFact, Usage } from '../../work/activity';
import { BoundedMap } from '../../log/boundedMap';
import { maxText } from '../boundedData';
import { TextChunks } from '../textChunks';
import { Requests } from '../../work/requests';
import { Interrupts } from './interrupts';
import type { StreamTurns } from './streamTurns';
import type { Work } from '../../work/work';

const maxQuestions = 100;
const maxSessions = 200;

/** State of a stream that later events refer to. */
export class StreamState {
  /** Messages that arrive in chunks. */
  readonly messages: TextChunks;
  /** Agent timestamps of each session's last chunk, in milliseconds since the epoch, if given. */
  readonly pieceTimes = new Map<string, number>();
  /** Open control requests. */
  readonly requests = new Requests();
  /** Open questions to the user, by the ID of the waiting tool call. */
  readonly questions = new BoundedMap<string, ActivityDraft<PermissionFact>>(maxQuestions);
  readonly titled = new Set<string>();
  /** Tracks whether the agent was asked to stop its turn. */
  readonly interrupts = new Interrupts();
  /** The error reported in this turn; the result may not repeat it (Gemini). */
  reportedError: string | undefined;
  /** Usage of the turn's steps so far, for agents that only report it per step (OpenCode). */
  usage: Usage | undefined;
  /** Output tokens of the latest model request, if the agent counts each; 0 for the agent's own texts. */
  answerTokens: number | undefined;
  /** Total cost of each session so far, in US dollars. */
  readonly costs = new BoundedMap<string | undefined, number>(maxSessions);
  /** True if the agent has said something since the last turn ended. */
  hasSpoken = false;
  /** True if a client writes to the agent, so that the session outlasts the turn. */
  hasInput = false;

  /** @param emit receives each message that arrived in chunks */
  constructor(
    readonly turns: StreamTurns,
    readonly work: Work,
    emit: (draft: RecordDraft) => void,
  ) {
    this.messages = new TextChunks(emit, maxText);
  }
}
