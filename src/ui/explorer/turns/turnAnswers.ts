import * as vscode from 'vscode';
import { completeIn } from '../../../log/query/completion';
import { parse } from '../../../log/query/language';
import type { RegexRunner } from '../../../runs/explorer/regexWorker';
import { findTurns, suggestTurns, turnLanguage } from '../../../runs/explorer/turns/turnQuery';
import type { RunView } from '../../../runs/runView';
import type { Span } from '../../../timeline/span';
import { workKinds } from '../../../timeline/span';
import { turnTarget } from '../../commandTarget';
import { commandIds } from '../../ids';
import { tryQuery } from '../filterText';
import type { HostMessage, TurnQuestion } from '../messages';
import { firstGen } from '../messages';
import { spanRows } from './turnRows';

/** How many of the oldest turns and their parts the page gets before all others. */
const firstRows = 500;

export interface TurnAnswersOptions {
  post(message: HostMessage): void;
  /** Until when what is open is known to last, in milliseconds since the epoch. */
  now(): number;
  readonly regex: RegexRunner;
}

/** Answers what the Turns tab asks about a run. */
export class TurnAnswers {
  private gen = -1;
  /** The spans that the page has. */
  private spans: readonly Span[] = [];
  /** IDs of the spans that the last usable filter matched; everything if absent. */
  private matches: ReadonlySet<string> | undefined;
  /** Whether the page asked for rows that it hasn't got yet. */
  private owesRows = false;

  constructor(
    private readonly run: RunView,
    private readonly options: TurnAnswersOptions,
  ) {}

  answer(question: TurnQuestion): void | Promise<void> {
    switch (question.t) {
      case 'turns':
        return this.find(question);
      case 'turnCopy':
        return this.copy(question.id);
      case 'turnCompare':
        return void vscode.commands.executeCommand(commandIds.compare, turnTarget(this.run, question.id));
      case 'turnComplete':
        return this.complete(question.text, question.caret);
    }
  }

  private async find({ gen, q, rows }: TurnQuestion & { t: 'turns' }): Promise<void> {
    const { run } = this;
    const now = this.options.now();
    this.gen = gen;
    this.owesRows ||= rows;
    const spans = this.owesRows ? run.log.spans({ kinds: workKinds }) : this.spans;
    const query = parse(q, turnLanguage);
    const setting = { now, titleOf: this.titleOf, regex: this.options.regex };
    const { text, result } = await tryQuery(query, () => findTurns(spans, query, setting));
    if (gen !== this.gen) return;
    if (result) this.matches = query.terms.length === 0 ? undefined : new Set([...result].map(({ id }) => id));
    const { matches } = this;
    const shown = matches && withParents(spans, matches);
    const total = matches ? spans.filter(({ id }) => matches.has(id)).length : spans.length;
    const all = this.owesRows ? spanRows(spans, run.log, now) : undefined;
    this.spans = spans;
    this.owesRows = false;
    const post = (count: number, isBeginning: boolean): void =>
      this.options.post({
        t: 'turns',
        gen,
        rows: all?.slice(0, count) ?? null,
        shown: shown?.filter((index) => index < count) ?? null,
        total,
        now,
        dropped: run.log.droppedSpans,
        isBeginning,
        ...text,
      });
    // Ten thousand rows take VS Code a few hundred milliseconds to pass on.
    if (spans.length > 2 * firstRows && gen === firstGen) post(firstRows, true);
    post(spans.length, false);
  }

  private async copy(id: string): Promise<void> {
    const { log } = this.run;
    const row = spanRows(log.spans({ kinds: workKinds }), log, this.options.now()).find((one) => one.id === id);
    if (!row) return;
    const parts = [row.title, row.summary, row.outcome, row.detail, row.tokens];
    await vscode.env.clipboard.writeText(parts.filter((part) => part !== '').join('\n'));
  }

  private complete(text: string, caret: number): void {
    const spans = this.run.log.spans({ kinds: workKinds });
    const items = completeIn(turnLanguage, (key) => suggestTurns(spans, key, this.titleOf), text, caret);
    this.options.post({ t: 'completions', text, items });
  }

  private readonly titleOf = (sessionId: string): string | undefined => this.run.log.find(sessionId)?.title;
}

/** Positions of the spans that match, and of what they are part of. */
function withParents(spans: readonly Span[], matches: ReadonlySet<string>): readonly number[] {
  const byId = new Map(spans.map((span) => [span.id, span]));
  const kept = new Set<string>();
  for (const span of spans) {
    if (!matches.has(span.id)) continue;
    for (let at: Span | undefined = span; at && !kept.has(at.id); at = byId.get(at.parent ?? '')) kept.add(at.id);
  }
  return spans.flatMap(({ id }, index) => (kept.has(id) ? [index] : []));
}
