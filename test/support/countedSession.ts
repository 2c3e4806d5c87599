import { savedDetails } from '../../src/past/saved/list/savedDetails';
import { outerTurns, totalUsage } from '../../src/timeline/totalUsage';
import type { Usage } from '../../src/work/activity';
import { readSavedLines } from './savedRun';

/** What a saved session counts, in all places that show it. */
interface Counted {
  readonly title: string | undefined;
  readonly forkedFrom: string | undefined;
  /** `prompt: input/output outcome` of each turn; of subagents behind a dash. */
  readonly turns: readonly string[];
  /** `input/output` of all turns, and the cost. */
  readonly sum: string;
  /** Tokens of all days in the list's details. */
  readonly listed: number;
}

export function counted(lines: readonly object[]): Counted {
  const texts = lines.map((line) => JSON.stringify(line));
  const { title, forkedFrom, used = [] } = savedDetails(texts);
  const spans = readSavedLines(texts).spans({ kinds: ['turn', 'subagent'] });
  const outer = outerTurns(spans);
  const turns = spans.filter(({ kind }) => kind === 'turn');
  return {
    title,
    forkedFrom,
    turns: turns.map((turn) => {
      const dash = outer.includes(turn) ? '' : '- ';
      return `${dash}${turn.title}: ${amounts(turn.usage)} ${turn.outcome ?? 'open'}`;
    }),
    sum: amounts(totalUsage(outer)),
    listed: used.reduce((sum, { tokens }) => sum + tokens, 0),
  };
}

function amounts({ inputTokens = 0, outputTokens = 0, costUsd }: Partial<Usage> = {}): string {
  return `${inputTokens}/${outputTokens}${costUsd === undefined ? '' : ` $${costUsd}`}`;
}
