import type { Words } from '../../text/translator';
import { inEnglish, t, verbatim } from '../../text/translator';
import type { ProcessFact } from '../../work/facts';
import { isBeginning } from '../../protocols/lifecycle';
import type { Conversation } from '../conversation/conversation';
import type { Findings, Found, Rule } from '../rule';
import { peer, peerFirst } from '../../protocols/terms';

interface Asked {
  readonly at: number;
  readonly how: Words;
  /** Whether it was asked by SIGTERM, and not only by closing stdin or by SIGINT. */
  readonly isTerm: boolean;
}

/** An agent should exit within this time after it is asked to, in milliseconds. */
const maxWait = 1000;
/** An agent that runs for longer after it was asked to exit is reported before its end. Clients mostly wait for 5 s before the next step. */
const maxPending = 5500;

/** Agents that don't exit when asked to. However often that was, it is one problem. */
export class SlowEnds implements Rule {
  private asked: Asked | undefined;
  /** That it didn't exit when stdin was closed, until it is clear whether SIGTERM ends it. */
  private late: Found | undefined;

  process({ event }: ProcessFact, { oversized }: Conversation): Findings {
    if (isBeginning(event)) this.asked = this.late = undefined;
    // It still writes what nobody reads.
    if (oversized) return undefined;
    switch (event.ev) {
      case 'stdin-close':
        this.asked ??= { at: event.t, how: t('stdin closed'), isTerm: false };
        return undefined;
      case 'signal':
        if (event.signal === 'SIGKILL') return this.end(event.t, true);
        this.ask(event.signal, event.t);
        return undefined;
      case 'exit':
        return this.end(event.t, event.signal === 'SIGKILL');
      default:
        return undefined;
    }
  }

  passed(now: number, { askedToEnd, silentSince }: Conversation): Findings {
    if (!askedToEnd) this.asked = this.late = undefined;
    const { asked } = this;
    if (!asked || now - asked.at <= maxPending) return undefined;
    // It may begin its work only now.
    if (silentSince !== undefined && !asked.isTerm) return undefined;
    this.asked = this.late = undefined;
    return judge(asked, now, false);
  }

  finished(): Findings {
    const { late } = this;
    this.asked = this.late = undefined;
    return late;
  }

  private ask(signal: string, at: number): void {
    if (this.asked?.isTerm === true) return;
    this.late ??= this.asked && judge(this.asked, at, false);
    this.asked = { at, how: verbatim(signal), isTerm: signal === 'SIGTERM' };
  }

  private end(at: number, isKilled: boolean): Findings {
    const { asked, late } = this;
    this.asked = this.late = undefined;
    return (asked && isKilled ? judge(asked, at, true) : undefined) ?? late;
  }
}

function judge({ at, how, isTerm }: Asked, now: number, isKilled: boolean): Found | undefined {
  if (now - at < maxWait) return undefined;
  const waited = { ms: now - at };
  return {
    code: 'slow-to-end',
    level: isTerm ? 'warning' : 'notice',
    what: isKilled
      ? t('The {2} was still running {0} after {1}, and was killed', waited, how, peer)
      : t('The {2} was still running {0} after {1}', waited, how, peer),
    advice: t('{0}s should exit on end of stdin and on SIGTERM, and stop their child processes.', peerFirst),
    key: inEnglish(how),
  };
}
