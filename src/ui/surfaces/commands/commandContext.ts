import type * as vscode from 'vscode';
import type { FileRuns } from '../../../past/files/fileRuns';
import type { Runs, RunViews } from '../../../runs/runs';
import type { Launcher } from '../../services/agents/launcher';
import type { ExplorerEntry } from '../explorer/explorerEntry';
import type { Configuration } from '../../services/configuration';
import type { InstalledTap } from '../../services/installedTap';
import type { LocalSessions } from '../../services/localSessions';
import type { SessionsNow } from '../../services/now/sessionsNow';
import type { AgentServer } from '../../services/mcp/agentServer';
import type { McpCheckUps } from '../../services/mcp/mcpCheckUps';
import type { McpServers } from '../../services/mcp/mcpServers';
import type { LevelControl } from '../../services/level/levelControl';
import type { OutputChannels } from '../../services/output/outputChannels';
import type { ErrorReporter } from '../../services/errorReporter';
import type { RecordDocuments } from '../records/recordDocuments';
import type { ReportPanel } from '../records/reportPanel';
import type { SessionTree } from '../tree/sessionTree';
import type { CommandId } from '../../manifest/commands';
import type { Targets } from './targets';

/** @param arg a `CommandTarget`, what another extension or a keyboard shortcut passes, or `undefined` */
export type Command = (services: CommandContext, arg: unknown) => Promise<unknown>;

/** The commands of one file. */
export type CommandTable = Readonly<Partial<Record<CommandId, Command>>>;

/** What the commands work on. */
export interface CommandServices {
  readonly version: string;
  readonly extensionUri: vscode.Uri;
  readonly tap: InstalledTap;
  readonly configuration: Configuration;
  readonly runs: Runs;
  readonly fileRuns: FileRuns;
  readonly views: RunViews;
  readonly launcher: Launcher;
  readonly channels: OutputChannels;
  readonly levels: LevelControl;
  readonly tree: SessionTree;
  readonly documents: RecordDocuments;
  readonly report: ReportPanel;
  readonly errors: ErrorReporter;
  readonly explorer: ExplorerEntry;
  readonly local: LocalSessions;
  readonly sessionsNow: SessionsNow;
  readonly mcpServers: McpServers;
  readonly agentServer: AgentServer;
  readonly checkUps: McpCheckUps;
}

/** What each command gets. */
export interface CommandContext extends CommandServices {
  readonly targets: Targets;
  readonly memory: CommandMemory;
}

/** What commands remember from one call to the next. */
export interface CommandMemory {
  /** What was searched for last. */
  lastQuery: string;
  /** The problem shown last, by ids, so that its run can be freed. */
  problem?: { readonly runId: string; readonly seq: number };
}
