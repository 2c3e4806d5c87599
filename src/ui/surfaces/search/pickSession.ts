import * as vscode from 'vscode';
import { redactorFor } from '../../../redact/redactorFor';
import type { SaverId } from '../../../agents/agents';
import { findRipgrep, ripgrepScan } from '../../../search/ripgrep';
import type { SearchedSession } from '../../../search/searchedSession';
import { journalSessions, savedSearchedSessions } from '../../../search/searchedSession';
import { SessionSearch } from '../../../search/sessionSearch';
import { nodeScan } from '../../../search/textScan';
import type { CommandServices } from '../commands/commandContext';
import type { Heading } from '../../kit/pick';
import type { RecentSession } from './recentSessions';
import type { PickedHit } from './searchPicker';
import { SearchPicker } from './searchPicker';

export interface SessionPick {
  readonly title: string;
  /** The text to begin with. */
  readonly query?: string;
  /** Shown while nothing is typed. */
  readonly recent: Promise<readonly (RecentSession | Heading)[]>;
  readonly runs: boolean;
  /** Whether saved sessions are searched; only those of one agent, if given. */
  readonly saved: boolean | SaverId;
}

type Services = Pick<CommandServices, 'configuration' | 'fileRuns' | 'local'>;

/** Lets the user pick a session among recent ones, or search in them. Returns what was typed, too. */
export async function pickSession(
  services: Services,
  { title, query = '', recent, runs, saved }: SessionPick,
): Promise<{ readonly picked: PickedHit | undefined; readonly query: string }> {
  const { configuration, fileRuns, local } = services;
  const program = await findRipgrep(vscode.env.appRoot);
  const search = new SessionSearch({
    sessions: async (signal): Promise<readonly SearchedSession[]> => {
      const only = typeof saved === 'string' ? saved : undefined;
      const isSaved = saved !== false && local.isShown;
      return [
        ...(runs ? await journalSessions(fileRuns) : []),
        ...(isSaved ? await savedSearchedSessions(await local.load(), fileRuns, signal, only) : []),
      ].sort((a, b) => b.modifiedAt - a.modifiedAt);
    },
    scan: program === undefined ? nodeScan : ripgrepScan(program),
    redactor: configuration.redaction && redactorFor(configuration.redaction),
    discard: (run) => fileRuns.discard(run),
  });
  const picker = new SearchPicker((text, events) => search.search(text, events), { title, query, recent });
  try {
    const picked = await picker.pick();
    return { picked, query: picker.query };
  } finally {
    search.dispose();
  }
}
