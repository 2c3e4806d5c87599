import { t } from '../../text/translator';
import type { JunkFact, NotificationFact, ProcessFact, RequestFact, ResponseFact } from '../../work/facts';
import { causes } from '../causes';
import type { Conversation } from '../conversation/conversation';
import { oversizedIn, sendLess } from '../failures/clientLimits';
import type { Findings, Rule } from '../rule';
import { peer } from '../../protocols/terms';

/** A client that hangs up does so within this time, in milliseconds. It may take long to read so much. */
const maxReading = 60_000;

/** Messages that are longer than what the official client of a protocol reads. */
export const messageSizes: Rule = {
  request: judge,
  response: judge,
  notification: judge,
  junk: judge,

  /** The client ends the agent without another word. */
  process({ event }: ProcessFact, { oversized }: Conversation): Findings {
    const isEnd = event.ev === 'stdin-close' || event.ev === 'signal';
    if (!isEnd || !oversized || event.t - oversized.at > maxReading) return undefined;
    const what = t(
      'The client hung up at a message of {0}: official clients read at most {1} MiB',
      { bytes: oversized.bytes },
      oversized.limit,
    );
    return { code: 'oversize-message', level: 'error', what, cause: causes.clientHungUp, advice: sendLess, key: 'end' };
  },
};

function judge(fact: RequestFact | ResponseFact | NotificationFact | JunkFact, { protocol }: Conversation): Findings {
  const found = oversizedIn(fact, protocol);
  return (
    found && {
      code: 'oversize-message',
      level: 'warning',
      what: t(
        'Message of {0}: official clients read at most {1} MiB, then close the connection and end the {2}',
        { bytes: found.bytes },
        found.limit,
        peer,
      ),
      advice: sendLess,
      key: 'limit',
    }
  );
}
