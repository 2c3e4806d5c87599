import { t } from '../../text/translator';
import type { NotificationFact, RequestFact, ResponseFact } from '../../work/facts';
import type { Findings, Rule } from '../rule';

type Message = NotificationFact | RequestFact | ResponseFact;

const mebibyte = 1024 * 1024;

/** Messages that are longer than what the official client of a protocol reads: it closes the connection and ends the agent. */
export class MessageSizes implements Rule {
  /** @param most MiB that the official client reads */
  constructor(private readonly most: number) {}

  request(fact: RequestFact): Findings {
    return this.judge(fact);
  }

  response(fact: ResponseFact): Findings {
    return this.judge(fact);
  }

  notification(fact: NotificationFact): Findings {
    return this.judge(fact);
  }

  private judge({ dir, event }: Message): Findings {
    const bytes = event.bytes ?? event.line.length;
    if (dir !== 'a2c' || bytes <= this.most * mebibyte) return undefined;
    return {
      code: 'oversize-message',
      level: 'warning',
      what: t(
        'Message of {0}: official clients read at most {1} MiB, then close the connection and end the agent',
        { bytes },
        this.most,
      ),
      advice: t('Send less at once: return a link, a smaller picture, or a part of the content.'),
      key: 'limit',
    };
  }
}
