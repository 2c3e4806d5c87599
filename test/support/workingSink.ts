import type { Protocol } from '../../src/log/protocol';
import type { InterpreterSink } from '../../src/protocols/interpreter';
import { isEnd } from '../../src/protocols/lifecycle';
import type { RunLog } from '../../src/runs/runLog';
import { Work } from '../../src/work/work';

/** A run's log for an interpreter without diagnosis: its work is followed, so that the log has spans. */
export function workingSink(log: RunLog, protocol: Protocol): InterpreterSink {
  const work = new Work(protocol, log.steps);
  return {
    takesLines: log.takesLines,
    record: (draft) => log.record(draft),
    session: (change) => log.session(change),
    request: (change) => log.request(change),
    get lastSeq() {
      return log.lastSeq;
    },
    fact: (fact) => {
      log.fact(fact);
      if (fact.type === 'process' && isEnd(fact.event)) work.end(fact.event);
      else work.see(fact);
    },
  };
}
