import type { AgentDefinitions } from '../../../../live/config/agentDefinition';
import type { FileRun } from '../../../../past/files/fileRun';
import type { FileRuns } from '../../../../past/files/fileRuns';
import type { Runs } from '../../../../runs/runs';
import type { SavedSource } from '../../../services/localSessions';
import type { SessionsNow } from '../../../services/now/sessionsNow';
import type { McpServers } from '../../../services/mcp/mcpServers';
import type { Row } from './row';
import type { PriceList } from '../../../../work/usage/prices';

/** What the rows are made from. */
export interface RowSources {
  readonly runs: Runs;
  readonly fileRuns: FileRuns;
  /** Whether the workspace is trusted: agents can start. */
  readonly isTrusted: () => boolean;
  /** The agents of the settings, and what is wrong with them. */
  readonly agents: () => AgentDefinitions;
  readonly showsActivity: () => boolean;
  /** What models cost, as the user says. */
  readonly prices: () => PriceList;
  /** Sessions that other agents saved. */
  readonly saved: SavedSource;
  /** Sessions that work or wait. */
  readonly sessionsNow: Pick<SessionsNow, 'shown' | 'waiting'>;
  /** MCP servers that are watched. `refresh` reads which. */
  readonly mcpServers: Pick<McpServers, 'watched' | 'refresh'>;
  /** Names of the catalogue's agents that are installed. Searches the `PATH`. */
  readonly installed: () => Promise<readonly string[]>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Draws a row and those below it again. */
  readonly redraw: (row: Row) => void;
}

/** Open files that are shown beside live runs: those the user opened, and those that another process writes. */
export function openFiles({ fileRuns }: Pick<RowSources, 'fileRuns'>): readonly FileRun[] {
  return fileRuns.open.filter(({ info }) => info.origin !== 'past' && info.origin !== 'saved');
}
