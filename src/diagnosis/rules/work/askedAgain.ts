import { ownHead } from '../../../text/ownText';
import { BoundedMap } from '../../../text/boundedMap';
import { objectOf } from '../../../text/json';
import { oneLine } from '../../../text/text';
import { t } from '../../../text/translator';
import type { PermissionFact } from '../../../work/activity';
import type { ObjectFact, ProcessFact, RequestFact } from '../../../work/facts';
import { isBeginning } from '../../../protocols/lifecycle';
import { causes } from '../../causes';
import type { Conversation } from '../../conversation/conversation';
import type { Findings, Rule } from '../../rule';

const maxQuestions = 200;
const maxAnswers = 200;
const maxText = 300;
const edits: ReadonlySet<string | undefined> = new Set(['edit', 'delete', 'move']);

/** Answers that don't hold for long. */
const isBrief = /\b(?:this|current|next) (?:turn|task|prompt|request|time)\b|\bminutes?\b|\bhours?\b|\bonce\b/i;
const isOfPlace = /\b(?:folder|directory|path)\b/i;

/** What a permission is asked for. */
interface Question {
  readonly sessionId: string;
  readonly toolId: string | undefined;
  readonly title: string;
  readonly kind: string | undefined;
  /** The tool's name. */
  readonly name: string | undefined;
  readonly command: string | undefined;
  readonly input: string | undefined;
}

/** An answer that holds for later questions, too. */
interface StandingAnswer {
  readonly question: Question;
  /** In the words of its option. */
  readonly words: string;
}

/** Permissions that are asked for again, although the user chose "always" for the same thing. */
export class AskedAgain implements Rule {
  private readonly open = new BoundedMap<string, Question>(maxQuestions);
  private answers: readonly StandingAnswer[] = [];

  permission(fact: PermissionFact, conversation: Conversation): Findings {
    const key = `${fact.sessionId ?? ''} ${fact.id}`;
    if (fact.change === 'settled') {
      const question = this.open.get(key);
      this.open.delete(key);
      if (question && fact.always !== undefined && !isBrief.test(fact.always)) this.keep(question, fact.always);
      return undefined;
    }
    if (fact.asking !== 'permission') return undefined;
    const question = questionOf(fact, conversation);
    this.open.set(key, question);
    const before = this.answers.find((answer) => holds(answer, question));
    if (!before) return undefined;
    const thing = question.command ?? question.title;
    return {
      code: 'asked-again',
      level: 'warning',
      what: t('Asked again for `{0}`, although you chose “{1}”', oneLine(thing, 200), before.words),
      cause: causes.askedAgain,
      key: thing,
      advice: t("The agent didn't keep your answer: allow or deny it in the agent's own settings."),
    };
  }

  request({ dir, request }: RequestFact): undefined {
    // Another mode has permissions of its own.
    const changesMode = request.method === 'session/set_mode' || request.method === 'session/set_config_option';
    if (dir === 'c2a' && changesMode) this.forget(request.sessionId);
  }

  object({ dir, msg, sessionId }: ObjectFact): undefined {
    const { type, request } = objectOf(msg);
    const changesMode = type === 'control_request' && objectOf(request)['subtype'] === 'set_permission_mode';
    if (dir === 'c2a' && changesMode) this.forget(sessionId);
  }

  process({ event }: ProcessFact): undefined {
    if (!isBeginning(event)) return;
    this.open.clear();
    this.answers = [];
  }

  private keep(question: Question, words: string): void {
    this.answers = [...this.answers.slice(1 - maxAnswers), { question, words: oneLine(words, 100) }];
  }

  private forget(sessionId: string | undefined): void {
    if (sessionId === undefined) this.answers = [];
    else this.answers = this.answers.filter(({ question }) => question.sessionId !== sessionId);
  }
}

function questionOf({ sessionId = '', toolId, title, tool }: PermissionFact, { work }: Conversation): Question {
  // The question may leave out what the call has said.
  const call = work.tools.get(sessionId, toolId);
  return {
    sessionId,
    toolId,
    title: ownHead(title ?? call?.title ?? '', maxText),
    kind: tool?.kind,
    name: tool?.name ?? call?.toolName,
    command: tool?.command ?? call?.command,
    input: tool?.input ?? call?.input,
  };
}

/** Whether an earlier answer holds for a question: it is about the same thing, as far as the words of its option go. */
function holds({ question: before, words }: StandingAnswer, question: Question): boolean {
  if (before.sessionId !== question.sessionId) return false;
  // The agent asks for something else about the same call, such as to run it without a sandbox.
  if (before.toolId !== undefined && before.toolId === question.toolId) return false;
  if (before.kind !== question.kind || before.name !== question.name) return false;
  if (isForTool(words, before)) return true;
  if (before.command !== undefined || question.command !== undefined) {
    return before.command === question.command && (!isOfPlace.test(words) || before.input === question.input);
  }
  if (before.title !== question.title || before.title === '') return false;
  return edits.has(before.kind) || before.input === question.input;
}

/** Whether the words of an option are about a tool, whatever its input: `Bash`, `Always allow github.search`, `Allow all edits`. */
function isForTool(words: string, { kind, name, title, command }: Question): boolean {
  const promise = words
    .toLowerCase()
    .replace(/[\s.!"'`“”]+$/, '')
    .replace(/ (?:in|for) this (?:session|project|folder|workspace|conversation)$/, '')
    .replace(/ (?:tool|tools|calls)$/, '')
    .replace(/["'`“”]/g, '');
  if (edits.has(kind) && /\b(?:all|any) (?:file )?(?:edits|changes)$/.test(promise)) return true;
  const names = [name, command === undefined ? title : undefined].map((text) =>
    text?.toLowerCase().replace(/["'`“”]/g, ''),
  );
  return names.some((own) => own !== undefined && own.length > 2 && (promise === own || promise.endsWith(` ${own}`)));
}
