import * as vscode from 'vscode';
import { parseQuery } from '../../log/query/parseQuery';
import { Redactor } from '../../log/redact/redactor';
import { recordOfHit } from '../../runs/search/recordOfHit';
import { findRipgrep, ripgrepScan } from '../../runs/search/ripgrep';
import type { SearchedSession } from '../../runs/search/searchedSession';
import { journalSessions, savedSearchedSessions } from '../../runs/search/searchedSession';
import { planOf } from '../../runs/search/searchQuery';
import type { SearchServices } from '../../runs/search/sessionSearch';
import { SessionSearch } from '../../runs/search/sessionSearch';
import { nodeScan } from '../../runs/search/textScan';
import { readWithProgress } from '../delayedProgress';
import { commandIds } from '../ids';
import type { PickedHit } from '../search/searchPicker';
import { SearchPicker } from '../search/searchPicker';
import type { CommandContext, CommandTable } from './commandContext';
import { optional, optionsOf } from './targets';

/** Searches everything that was recorded or saved on this machine. */
export class SearchCommand {
  readonly table = { [commandIds.searchSessions]: (arg) => this.run(arg) } satisfies CommandTable;
  private lastQuery = '';

  constructor(private readonly services: CommandContext) {}

  /**
   * Opens the explorer at the hit that the user picks.
   * @param arg `{ query? }`, the text to begin with
   * @returns the run's id
   */
  private async run(arg: unknown): Promise<string | undefined> {
    const query = optional(optionsOf(arg), 'query', 'string') ?? this.lastQuery;
    const program = await findRipgrep(vscode.env.appRoot);
    const { configuration, fileRuns } = this.services;
    const services: SearchServices = {
      sessions: (signal) => this.sessions(signal),
      scan: program === undefined ? nodeScan : ripgrepScan(program),
      redactor: configuration.redacts ? new Redactor({ patterns: configuration.redactionPatterns }) : undefined,
      discard: (run) => fileRuns.discard(run),
    };
    const search = new SessionSearch(services);
    const picker = new SearchPicker((text, events) => search.search(text, events), query);
    const picked = await picker.pick();
    search.dispose();
    this.lastQuery = picker.query;
    return picked && this.show(picked);
  }

  /** Journals, and saved sessions if they may be read. */
  private async sessions(signal: AbortSignal): Promise<readonly SearchedSession[]> {
    const { fileRuns, local } = this.services;
    const saved = local.isShown ? await savedSearchedSessions(await local.load(), fileRuns, signal) : [];
    return [...(await journalSessions(fileRuns)), ...saved].sort((a, b) => b.modifiedAt - a.modifiedAt);
  }

  private async show({ session, hit, query }: PickedHit): Promise<string> {
    const { views, fileRuns, explorer, tree } = this.services;
    const run = views.writerOf(...session.paths) ?? (await readWithProgress(await session.open(), fileRuns));
    const words = planOf(parseQuery(query))?.words ?? [];
    const seq = hit && (await recordOfHit(run, hit, words));
    await tree.reveal(run);
    // A hit without a record of its own is shown among its like.
    await (await explorer.load()).open({ run, ...(seq === undefined ? { query } : { seq }) });
    return run.id;
  }
}
