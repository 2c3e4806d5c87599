import { BoundedMap } from '../../../text/boundedMap';
import { shownLine } from '../../../text/text';
import type { Words } from '../../../text/translator';
import { t } from '../../../text/translator';
import type { CompactionFact, UsageFact } from '../../../work/activity';
import type { TurnEnd } from '../../../work/turn';
import type { Work } from '../../../work/work';
import type { Conversation } from '../../conversation/conversation';
import { adviceFor } from '../../failures/failureAdvice';
import { standing } from '../../diagnosis';
import type { Findings, Found, Rule, ToolEnded } from '../../rule';

const maxSessions = 500;
const maxTools = 50;
/** Percentages of the model's context from which it is mentioned, and from which it is a problem; and below which it no longer is. */
const stages = [
  { level: 'notice', from: 85, until: 85 },
  { level: 'warning', from: 95, until: 90 },
] as const;
/** A context that is fuller than this, in percent, has another size than was said. */
const maxPercent = 130;
/** Characters per token, on average. */
const perToken = 4;
/** The least part of the context that a tool's output takes to be named. */
const leastShare = 0.25;

interface Session {
  /** How many of the stages are reported. */
  reported: number;
  /** Sizes of the results of tools since the last compaction, in characters. */
  readonly outputs: Map<string, number>;
}

/** Contexts that are nearly full: the agent will compact or fail soon. Reported once for each threshold that is crossed. */
export class FullContexts implements Rule {
  private readonly sessions = new BoundedMap<string, Session>(maxSessions);

  usage({ sessionId = '' }: UsageFact, { work }: Conversation): Findings {
    return this.look(sessionId, work);
  }

  turnEnded({ turn: { sessionId } }: TurnEnd, { work }: Conversation): Findings {
    return this.look(sessionId, work);
  }

  compaction({ sessionId = '', change, isFailed, isCancelled }: CompactionFact, { work }: Conversation): Findings {
    if (change === 'ended' && !isFailed && isCancelled !== true) this.sessions.get(sessionId)?.outputs.clear();
    return change === 'ended' ? this.look(sessionId, work) : undefined;
  }

  toolEnded({ tool, event }: ToolEnded): undefined {
    const name = tool.toolName ?? shownLine(tool.title, 60);
    if (tool.isUsers || event.dir === 'ev' || name === '') return;
    const { outputs } = this.sessionOf(tool.sessionId);
    if (outputs.has(name) || outputs.size < maxTools) {
      outputs.set(name, (outputs.get(name) ?? 0) + (event.bytes ?? event.line.length));
    }
  }

  private look(sessionId: string, work: Work): Findings {
    const { tokens, window = 0 } = work.models.contextOf(sessionId) ?? {};
    if (tokens === undefined || window <= 0) return undefined;
    const percent = (tokens / window) * 100;
    if (percent > maxPercent) return undefined;
    const session = this.sessionOf(sessionId);
    const { reported } = session;
    const crossed = stages.filter(({ from }) => percent >= from).length;
    const left = stages.filter(({ until }) => percent >= until).length;
    const full = t('The context is {0} % full ({1} of {2} tokens)', Math.floor(percent), tokens, window);
    session.reported = Math.max(crossed, Math.min(reported, left));
    const about = { code: 'context-nearly-full', sessionId: sessionId === '' ? undefined : sessionId } as const;
    if (reported > 0 && session.reported === 0) {
      return { ...about, level: 'notice', what: full, delivery: { type: 'settled', subject: subjectOf(sessionId) } };
    }
    const stage = stages[session.reported - 1];
    if (session.reported <= reported || !stage) return undefined;
    const found: Found = {
      ...about,
      level: stage.level,
      what: withFilling(full, session.outputs, tokens),
      cause: t('context {0} % full', Math.floor(percent)),
      advice: adviceFor('context-length'),
      key: sessionId,
      delivery: standing(subjectOf(sessionId)),
    };
    return found;
  }

  private sessionOf(sessionId: string): Session {
    const session = this.sessions.get(sessionId) ?? { reported: 0, outputs: new Map<string, number>() };
    this.sessions.set(sessionId, session);
    return session;
  }
}

/** Adds what fills the context, if one tool's output takes much of it. */
function withFilling(full: Words, outputs: ReadonlyMap<string, number>, tokens: number): Words {
  const [name, size = 0] = [...outputs].reduce<readonly [string?, number?]>(
    (most, other) => (other[1] > (most[1] ?? 0) ? other : most),
    [],
  );
  const share = size / perToken / tokens;
  if (name === undefined || share < leastShare) return full;
  return t('{0}, about {1} % of it output of `{2}`', full, Math.min(99, Math.round(share * 100)), name);
}

function subjectOf(sessionId: string): string {
  return `context ${sessionId}`;
}
