import type { InterpreterSink } from '../../src/protocols/interpreter';
import { isEnd } from '../../src/protocols/lifecycle';
import type { RunLog } from '../../src/runLog/runLog';

/** A run's log for an interpreter without diagnosis: its work is followed, so that the log has spans. */
export function workingSink(log: RunLog): InterpreterSink {
  const { work } = log;
  return {
    takesLines: log.takesLines,
    record: (draft) => log.record(draft),
    session: (change) => log.session(change),
    request: (change) => log.request(change),
    fact: (fact) => {
      log.fact(fact);
      if (fact.type === 'process' && isEnd(fact.event)) work.end(fact.event.t);
      else work.see(fact);
    },
  };
}
