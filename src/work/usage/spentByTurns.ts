import { BoundedMap } from '../../text/boundedMap';
import type { Usage, UsageFact } from '../activity';
import type { WorkSink } from '../step';
import type { Turn } from '../turn';
import { costWeight, roundedCost } from './costShares';
import { isSameModel } from './modelNames';
import { addUsage, usageWithContext } from './usage';

const maxSessions = 1000;
/** Maximum number of turns of a session that a cost may be shared by, and of models. */
const maxTurns = 200;
const maxModels = 50;

/** Adds to turns what is known before their end, or only afterwards: some are killed, and some lines come late. */
export class SpentByTurns {
  /** The newest turns of each session since its last sum, and the newest in any case. */
  private readonly turns = new BoundedMap<string, Turn[]>(maxSessions);

  constructor(private readonly sink: Pick<WorkSink, 'changed'>) {}

  started(turn: Turn): void {
    const turns = this.turns.ensure(turn.sessionId, () => []);
    turns.push(turn);
    if (turns.length > maxTurns) turns.shift();
  }

  /** @param running the session's running turn; without one, the newest has spent it */
  add({ sessionId = '', spent, costs }: UsageFact, running: Turn | undefined): void {
    const turns = this.turns.get(sessionId) ?? [];
    const newest = running ?? turns.at(-1);
    if (spent && newest) this.addTo(newest, spent);
    if (!costs) return;
    this.share(costs, turns);
    this.turns.set(sessionId, turns.slice(-1));
  }

  /** Between turns, the newest has what the session's context is now. */
  compacted(sessionId: string | undefined, { contextTokens = 0 }: Pick<Usage, 'contextTokens'>): void {
    const turn = this.turns.get(sessionId ?? '')?.at(-1);
    if (!turn || contextTokens === 0) return;
    turn.usage = usageWithContext(turn.usage, { tokens: contextTokens, window: turn.usage?.contextWindow });
    this.sink.changed(turn);
  }

  private addTo(turn: Turn, spent: Usage): void {
    // A sum of more than the turn has it already.
    if (turn.usage && turn.usage.basis !== 'turn') return;
    turn.usage = addUsage(turn.usage, spent) ?? spent;
    this.sink.changed(turn);
  }

  /** Shares costs by what the turns used of each model. */
  private share(costs: Readonly<Record<string, number>>, all: readonly Turn[]): void {
    const unpaid = all.filter(({ usage }) => usage?.costUsd === undefined);
    const turns = unpaid.length > 0 ? unpaid : all.slice(-1);
    for (const [model, cost] of Object.entries(costs).slice(0, maxModels)) {
      const same = turns.filter((turn) => turn.model !== undefined && isSameModel(turn.model, model));
      const payers = same.length > 0 ? same : turns;
      const weights = payers.map(({ usage }) => (usage ? costWeight(usage) : 0));
      const sum = weights.reduce((total, weight) => total + weight, 0);
      payers.forEach((turn, index) => {
        const share = sum > 0 ? (weights[index] ?? 0) / sum : 1 / payers.length;
        this.addTo(turn, {
          costUsd: roundedCost((turn.usage?.costUsd ?? 0) + cost * share) - (turn.usage?.costUsd ?? 0),
          basis: 'turn',
        });
      });
    }
  }
}
