import type { Fact } from '../work/facts';
import type { Conversation } from './conversation/conversation';
import type { Findings, Rule, ToolEnded } from './rule';

type Handler<T> = (fact: T, conversation: Conversation) => Findings;
type TurnEndHandler = NonNullable<Rule['turnEnded']>;

/** How many notification methods are indexed. */
const maxMethods = 500;

/** Looks up the rules that handle a fact, in their order. */
export class RuleIndex {
  readonly onTurnEnd: readonly TurnEndHandler[];
  readonly onToolEnd: readonly Handler<ToolEnded>[];
  /** Rules that depend on the time. */
  readonly timed: readonly Rule[];
  /** Rules that may find something in a well-formed log message. */
  readonly onLog: readonly Rule[];
  readonly onFinish: readonly Rule[];
  private readonly byType = new Map<Fact['type'], readonly Handler<Fact>[]>();
  private readonly byMethod = new Map<string, readonly Handler<Fact>[]>();

  constructor(private readonly rules: readonly Rule[]) {
    this.onTurnEnd = rules.flatMap((rule) =>
      'turnEnded' in rule ? [(end, conversation, verdict) => rule.turnEnded?.(end, conversation, verdict)] : [],
    );
    this.onToolEnd = rules.flatMap((rule) =>
      'toolEnded' in rule ? [(end, conversation) => rule.toolEnded?.(end, conversation)] : [],
    );
    this.timed = rules.filter((rule) => 'passed' in rule);
    this.onFinish = rules.filter((rule) => 'finished' in rule);
    this.onLog = rules.filter((rule) => 'needsLog' in rule);
  }

  /** The handlers of a fact. */
  of(fact: Fact): readonly Handler<Fact>[] {
    return fact.type === 'notification' ? this.ofMethod(fact.method) : this.ofType(fact.type);
  }

  private ofType(type: Fact['type']): readonly Handler<Fact>[] {
    const known = this.byType.get(type);
    if (known) return known;
    const handlers = handlersOf(this.rules, type);
    this.byType.set(type, handlers);
    return handlers;
  }

  private ofMethod(method: string): readonly Handler<Fact>[] {
    const known = this.byMethod.get(method);
    if (known) return known;
    const rules = this.rules.filter(({ methods }) => methods?.has(method) ?? true);
    const handlers = handlersOf(rules, 'notification');
    if (this.byMethod.size < maxMethods) this.byMethod.set(method, handlers);
    return handlers;
  }
}

function handlersOf(rules: readonly Rule[], type: Fact['type']): readonly Handler<Fact>[] {
  return rules.flatMap((rule) => {
    // TypeScript can't see that the handler is that of the fact's type.
    const handle = rule[type] as Handler<Fact> | undefined;
    return handle ? [handle.bind(rule)] : [];
  });
}
