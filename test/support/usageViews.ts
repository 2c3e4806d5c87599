import { FileRun } from '../../src/past/files/fileRun';
import { SavedSessions } from '../../src/past/saved/list/savedSessions';
import type { SavedSessionsOptions } from '../../src/past/saved/list/savedSessions';
import { savedWork } from '../../src/past/saved/list/savedUsage';
import type { SavedSession } from '../../src/past/saved/savedSession';
import { OtlpSpans } from '../../src/otlp/otlpSpan';
import type { Span } from '../../src/timeline/span';
import { outerTurns } from '../../src/timeline/totalUsage';
import type { Usage } from '../../src/work/activity';
import { formOf, filesFormOf } from '../../src/agents/agents';

/** What a saved session used, as `input/output/all $cost`, in each place that says it. */
export interface UsageViews {
  readonly session: SavedSession;
  /** The sum of its turns in the Log Explorer, and of those of its subagents. */
  readonly turns: string;
  readonly allTurns: string;
  /** `sessions --json`, and the sum of OTLP's attributes of the turns. */
  readonly json: string;
  readonly otlp: string;
  /** `tokens $cost` of all turns that the row's sum has, and that sum. */
  readonly counted: string;
  readonly row: string;
  /** True if the row says *at least*. */
  readonly isAtLeast: boolean;
  readonly hasSums: boolean;
  readonly spans: readonly Span[];
}

/** The views of each session in a home folder. */
export async function usageViews(options: SavedSessionsOptions): Promise<readonly UsageViews[]> {
  const saved = new SavedSessions(options);
  const all = await saved.newest({ limit: 5000, withUse: true });
  return Promise.all(all.map((session) => viewsOf(saved, session)));
}

async function viewsOf(saved: SavedSessions, session: SavedSession): Promise<UsageViews> {
  const run = new FileRun(saved.open(session), { level: 'info', maxMemory: 1e8, redaction: undefined });
  await run.read();
  await run.dispose();
  const spans = run.log.spans({ kinds: ['turn', 'subagent'] });
  const all = spans.filter(({ kind }) => kind === 'turn');
  const outer = outerTurns(spans);
  const isWhole = formOf(session.agent).type !== 'database' && filesFormOf(session.agent).subagents !== undefined;
  const counted = (isWhole || session.parent !== undefined ? all : outer).filter(
    ({ usage }) => usage?.basis === 'turn',
  );
  const { used = [] } = session;
  return {
    session,
    spans: all,
    turns: amountsOf(outer.map(({ usage }) => usage)),
    allTurns: amountsOf(all.map(({ usage }) => usage)),
    json: amountsOf([(await savedWork(saved.open(session))).usage]),
    otlp: otlpAmounts(outer),
    counted: tokensOf(counted.map(({ usage }) => ({ tokens: totalOf(usage), costUsd: usage?.costUsd }))),
    row: tokensOf(used),
    isAtLeast: session.isPart === true,
    hasSums: outer.some(({ usage }) => usage !== undefined && usage.basis !== 'turn'),
  };
}

/** The sum of some turns, as their OTLP spans have it. */
export function otlpAmounts(turns: readonly Span[]): string {
  const otlp = new OtlpSpans({ attributes: { 'service.name': 'agent', 'service.instance.id': 'run' } });
  return amountsOf(
    turns.map((turn) => {
      const { attributes } = otlp.convert(turn, 0);
      const basis = attributes['agent_logs.usage.basis'];
      if (basis === undefined) return undefined;
      const prefix = basis === 'turn' ? 'gen_ai' : 'agent_logs';
      const count = (name: string): number | undefined => attributes[name] as number | undefined;
      return {
        inputTokens: count(`${prefix}.usage.input_tokens`),
        outputTokens: count(`${prefix}.usage.output_tokens`),
        totalTokens: count('agent_logs.usage.total_tokens'),
        costUsd: count('agent_logs.usage.cost_usd'),
      };
    }),
  );
}

type Amounts = { readonly [Name in keyof Omit<Usage, 'basis'>]?: number | undefined };

/** `input/output/all $cost` of all. */
export function amountsOf(usages: readonly (Amounts | undefined)[]): string {
  const sum = (count: (usage: Amounts) => number | undefined): number =>
    usages.reduce((total, usage) => total + ((usage && count(usage)) ?? 0), 0);
  const tokens = [sum((one) => one.inputTokens), sum((one) => one.outputTokens), sum(totalOf)];
  return `${tokens.join('/')} $${money(sum((one) => one.costUsd))}`;
}

function tokensOf(sums: readonly { readonly tokens: number; readonly costUsd?: number | undefined }[]): string {
  const sum = (count: (one: (typeof sums)[number]) => number): number => sums.reduce((all, one) => all + count(one), 0);
  return `${sum(({ tokens }) => tokens)} $${money(sum(({ costUsd = 0 }) => costUsd))}`;
}

function totalOf({ totalTokens, inputTokens = 0, outputTokens = 0 }: Amounts = {}): number {
  return totalTokens ?? inputTokens + outputTokens;
}

function money(costUsd: number): number {
  return Math.round(costUsd * 1e6) / 1e6;
}
