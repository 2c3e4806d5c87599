import { BoundedMap } from '../../../text/boundedMap';
import type { RequestId } from '../../../text/json';
import { oneLine } from '../../../text/text';
import { t } from '../../../text/translator';
import type { ModelFact, NoticeFact } from '../../../work/activity';
import type { ObjectFact, RequestFact, ResponseFact } from '../../../work/facts';
import { isOtherModel } from '../../../work/usage/modelNames';
import { tellsOfFallback } from '../../../work/troubleText';
import type { TurnEnd } from '../../../work/turn';
import { causes } from '../../causes';
import type { ChosenModel } from '../../conversation/chosenModel';
import { modelChosenBy, modelChosenIn } from '../../conversation/chosenModel';
import type { Conversation } from '../../conversation/conversation';
import type { Findings, Found, Rule } from '../../rule';

const maxSessions = 500;
const maxName = 100;

interface Session {
  /** The model that was chosen or announced. */
  chosen: string | undefined;
  /** The one before, until the request that chose another is answered: it may be refused. */
  before: { readonly id: RequestId; readonly chosen: string | undefined } | undefined;
  /** When the user last chose one, in milliseconds since the epoch. */
  chosenAt: number;
  /** The model of the latest answer in the running turn. */
  answered: string | undefined;
  /** Whether the agent said in this turn that it uses another model. */
  isTold: boolean;
  /** The model of its turns so far, and the one before it was resumed, until a turn shows what it goes on with. */
  used: string | undefined;
  usedBefore: { readonly model: string; readonly at: number } | undefined;
  /** The change that was reported last. */
  reported: string | undefined;
}

/** Answers of another model than the one that was chosen or announced, without a word from the agent. */
export class OtherModels implements Rule {
  private readonly sessions = new BoundedMap<string, Session>(maxSessions);

  model({ sessionId = '', to, isFallback, isAnswer }: ModelFact): undefined {
    const session = this.sessionOf(sessionId);
    if (isFallback) session.isTold = true;
    if (isAnswer === true) session.answered = to?.slice(0, maxName);
    else session.chosen = to?.slice(0, maxName);
  }

  /** The user chooses another model. */
  request(fact: RequestFact): undefined {
    if (fact.dir === 'c2a' && fact.request.role === 'reopen') this.reopened(fact);
    const chosen = fact.dir === 'c2a' ? modelChosenBy(fact) : undefined;
    if (!chosen) return;
    const session = this.sessionOf(fact.request.sessionId ?? '');
    session.before = { id: fact.request.id, chosen: session.chosen };
    choose(session, chosen, fact.event.t);
  }

  private reopened({ request, event }: RequestFact): void {
    const session = this.sessions.get(request.sessionId ?? '');
    if (session?.used !== undefined) session.usedBefore = { model: session.used, at: event.t };
  }

  response({ request, error }: ResponseFact): undefined {
    const session = request && this.sessions.get(request.sessionId ?? '');
    if (!session?.before || session.before.id !== request?.id) return;
    if (error) session.chosen = session.before.chosen;
    session.before = undefined;
  }

  /** The client's lines to a stream name no session. */
  object({ dir, msg, event }: ObjectFact): undefined {
    const chosen = dir === 'c2a' ? modelChosenIn(msg) : undefined;
    if (chosen) for (const session of this.sessions.values()) choose(session, chosen, event.t);
  }

  notice({ sessionId = '', text }: NoticeFact): undefined {
    if (tellsOfFallback(text)) this.sessionOf(sessionId).isTold = true;
  }

  stderr(_fact: unknown, { troubles }: Conversation): undefined {
    if (!troubles.some(({ type }) => type === 'fallback')) return;
    for (const session of this.sessions.values()) session.isTold = true;
  }

  turnEnded({ turn: { sessionId, startedAt } }: TurnEnd): Findings {
    const session = this.sessions.get(sessionId);
    if (!session) return undefined;
    const { chosen, chosenAt, answered, isTold, reported } = session;
    session.answered = undefined;
    session.isTold = false;
    const model = answered ?? chosen;
    const before = session.usedBefore;
    session.usedBefore = undefined;
    session.used = model;
    if (before && model !== undefined && !isTold && chosenAt < before.at && isOtherModel(before.model, model)) {
      return resumedWith(model, before.model);
    }
    if (chosen === undefined || answered === undefined || !isOtherModel(chosen, answered)) return undefined;
    const change = `${chosen} ${answered}`;
    // A choice during a turn holds from the next one on.
    if (isTold || chosenAt > startedAt) return undefined;
    if (reported === change) return undefined;
    session.reported = change;
    return {
      code: 'model-fallback',
      level: 'warning',
      what: t('`{0}` answered instead of `{1}`', oneLine(answered, maxName), oneLine(chosen, maxName)),
      cause: causes.otherModel,
      key: change,
      advice: t('The agent or its provider may have replaced the model: check its settings, limits and proxy.'),
    };
  }

  private sessionOf(sessionId: string): Session {
    return this.sessions.ensure(sessionId, () => ({
      chosen: undefined,
      before: undefined,
      chosenAt: 0,
      answered: undefined,
      isTold: false,
      used: undefined,
      usedBefore: undefined,
      reported: undefined,
    }));
  }
}

function resumedWith(model: string, before: string): Found {
  return {
    code: 'model-fallback',
    level: 'warning',
    what: t(
      'The resumed session goes on with `{0}` instead of `{1}`',
      oneLine(model, maxName),
      oneLine(before, maxName),
    ),
    cause: causes.otherModel,
    key: `resumed ${before} ${model}`,
    advice: t('Choose the model again: the agent may have resumed with its default.'),
  };
}

function choose(session: Session, { name }: ChosenModel, at: number): void {
  session.chosen = name?.slice(0, maxName);
  session.chosenAt = at;
}
