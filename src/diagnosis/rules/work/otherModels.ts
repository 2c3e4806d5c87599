import { BoundedMap } from '../../../log/boundedMap';
import { objectOf, textOf } from '../../../log/json';
import { oneLine } from '../../../log/text';
import { t } from '../../../log/translator';
import type { ModelFact, NoticeFact } from '../../../work/activity';
import type { ObjectFact, RequestFact } from '../../../work/facts';
import { isOtherModel } from '../../../work/modelNames';
import { contentTextOf } from '../../../work/toolOutput';
import { tellsOfFallback } from '../../../work/troubleText';
import type { TurnEnd } from '../../../work/turn';
import { causes } from '../../causes';
import type { Conversation } from '../../conversation/conversation';
import type { Findings, Rule } from '../../rule';

const maxSessions = 500;
const maxName = 100;
const command = /^\s*\/model\b/;

interface Session {
  /** The model that was chosen or announced. */
  chosen: string | undefined;
  /** When the user last chose one, in milliseconds since the epoch. */
  chosenAt: number;
  /** The model of the latest answer in the running turn. */
  answered: string | undefined;
  /** Whether the agent said in this turn that it uses another model. */
  isTold: boolean;
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
  request({ dir, request, params, event }: RequestFact): undefined {
    const { method, sessionId = '' } = request;
    if (dir !== 'c2a') return;
    if (method === 'session/set_model') choose(this.sessionOf(sessionId), textOf(params['modelId']), event.t);
    const isModel = method === 'session/set_config_option' && /model/i.test(textOf(params['configId']) ?? '');
    if (isModel) choose(this.sessionOf(sessionId), textOf(params['value']), event.t);
    const isCommand = method === 'session/prompt' && command.test(contentTextOf(params['prompt']) ?? '');
    if (isCommand) choose(this.sessionOf(sessionId), undefined, event.t);
  }

  /** The same in Claude's stream, in which the client's lines name no session. */
  object({ dir, msg, event }: ObjectFact): undefined {
    if (dir !== 'c2a') return;
    const { type, request, message } = objectOf(msg);
    const { subtype, model } = objectOf(request);
    const isRequest = type === 'control_request' && subtype === 'set_model';
    if (!isRequest && !(type === 'user' && command.test(contentTextOf(objectOf(message)['content']) ?? ''))) return;
    for (const session of this.sessions.values()) choose(session, isRequest ? textOf(model) : undefined, event.t);
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
    const known = this.sessions.get(sessionId);
    if (known) return known;
    const session = { chosen: undefined, chosenAt: 0, answered: undefined, isTold: false, reported: undefined };
    this.sessions.set(sessionId, session);
    return session;
  }
}

function choose(session: Session, model: string | undefined, at: number): void {
  session.chosen = model?.slice(0, maxName);
  session.chosenAt = at;
}
