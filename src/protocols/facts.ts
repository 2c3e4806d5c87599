import { isActivity } from '../work/activity';
import { boundedActivity } from '../work/boundedActivity';
import type { Fact } from '../work/facts';
import type { Work, WorkEnd } from '../work/work';
import type { InterpreterSink } from './interpreter';

/** The only way of a reader's facts: into the run's work, once, and on to the sink. */
export class Facts {
  constructor(
    private readonly sink: Pick<InterpreterSink, 'fact'>,
    private readonly work: Work,
  ) {}

  /** Reports what a line means. Its texts are bounded here, so that nothing that is made from it needs a limit. Returns what it ended. */
  say(fact: Fact): WorkEnd | undefined {
    const said = isActivity(fact) ? boundedActivity(fact) : fact;
    const ended = this.work.see(said);
    // What the user runs isn't the agent's work.
    if (said.type !== 'tool' || said.isUsers !== true) this.sink.fact?.(said, ended);
    return ended;
  }
}
