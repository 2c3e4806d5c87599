import type { SaverId } from '../../../agents/agents';
import { formOf } from '../../../agents/agents';
import { SavedInterpreter } from '../../../agents/reading/saved/savedInterpreter';
import { isBranchOf } from '../../../agents/reading/saved/branchWriter';
import { SavedClock } from '../../../agents/reading/saved/savedTime';
import { isGoingOn } from '../../../diagnosis/sessionSummary';
import { activityOf } from '../../../diagnosis/summaries';
import type { WriterSink } from '../../../protocols/agentWriter/verbs';
import type { LineRedactor } from '../../../runLog/reading/redactEvent';
import { redactedLine } from '../../../runLog/reading/redactEvent';
import { textOf } from '../../../text/json';
import { parsedJson } from '../../../text/jsonText';
import { oneLine } from '../../../text/text';
import { noSteps } from '../../../work/step';
import type { ToolCall } from '../../../work/tools/toolCall';
import { Work } from '../../../work/work';
import type { Ongoing } from '../../../diagnosis/sessionSummary';

const maxSubject = 200;
/** The text of a question, in the arguments of a tool that asks it. */
const question = /"(?:question|prompt|message)":("(?:[^"\\]|\\.){1,1000}")/;

/** Nobody looks at records here. */
const silent: WriterSink = { record: ignore, session: ignore, fact: ignore };

/** Reads what the newest turn of a session does. */
export class TurnReader {
  private readonly work = new Work(noSteps);
  private readonly interpreter = new SavedInterpreter({ sink: silent, work: this.work });
  private readonly clock = new SavedClock([]);

  constructor(
    private readonly agent: SaverId,
    private readonly redactor: LineRedactor | undefined,
  ) {}

  /** @param lines parsed, in order; those between the first and the last may be missing */
  read(lines: readonly unknown[]): void {
    for (const msg of lines) {
      this.interpreter.accept({ t: this.clock.timeOf(msg) ?? 0, dir: 'a2c', line: '{}', msg });
    }
  }

  /**
   * What the session does, if its turn is open. Redacted.
   * @param lastAt when it was written last, in milliseconds since the epoch
   */
  doing(sessionId: string, lastAt: number): Ongoing | undefined {
    // Some turns end with their last answer.
    this.interpreter.quiet(lastAt);
    const turn = this.work.turns.findLast((one) => isBranchOf(one.sessionId, sessionId));
    if (!turn) return undefined;
    const { waits } = formOf(this.agent);
    const asks = ({ turn: of, toolName = '' }: ToolCall): boolean =>
      of === turn && Object.hasOwn(waits.tools, toolName);
    const asking = this.work.tools.open.findLast(asks);
    const kind = asking && waits.tools[asking.toolName ?? ''];
    if (kind) {
      const subject = kind === 'answer' ? questionIn(asking) : undefined;
      return this.redacted({
        type: 'waiting-for-person',
        since: asking.since,
        asking: kind,
        ...(subject !== undefined && { subject }),
      });
    }
    const [asked] = turn.questions.values();
    const doing = activityOf(turn, asked?.step.startedAt ?? lastAt);
    return isGoingOn(doing) ? this.redacted(doing) : undefined;
  }

  private redacted(doing: Ongoing): Ongoing {
    if (doing.type === 'running-tool') return { ...doing, title: redactedLine(doing.title, this.redactor) };
    if (doing.type !== 'waiting-for-person' || doing.subject === undefined) return doing;
    return { ...doing, subject: redactedLine(doing.subject, this.redactor) };
  }
}

function questionIn({ args }: ToolCall): string | undefined {
  const text = textOf(parsedJson(question.exec(args?.text ?? '')?.[1] ?? ''));
  return text && oneLine(text, maxSubject);
}

function ignore(): void {
  // Only what is open counts.
}
