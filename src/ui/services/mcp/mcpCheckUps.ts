import { isAbsolute } from 'node:path';
import * as vscode from 'vscode';
import type { JsonObject } from '../../../text/json';
import { objectOf } from '../../../text/json';
import { t } from '../../../text/translator';
import type { FileRuns } from '../../../past/files/fileRuns';
import { HumanError } from '../../../text/humanError';
import { isServer } from '../../../runLog/joins/joinedRun';
import type { ProcessReaper } from '../../../live/process/processReaper';
import type { RunViews } from '../../../runs/runs';
import { isLive } from '../../../runLog/runView';
import type { JournalSet } from '../../../wire/journal/journalFolder';
import type { Launcher } from '../agents/launcher';
import type { Configuration } from '../configuration';
import { l10n } from '../../kit/translate';
import { executeCommand, openSettingCommand } from '../settings/openSettingCommand';
import { openFile } from '../../kit/openFile';
import { prefix } from '../../manifest/names';
import type { McpServers } from './mcpServers';

/** A check-up of MCP servers, redacted. */
export interface ShownCheckUp {
  /** For programs, in English. */
  readonly json: JsonObject;
  /** Markdown in English, for reports and models. */
  readonly english: string;
  /** The same in the display language. */
  readonly shown: string;
  /** What opens the settings of its servers, by the text that names them. */
  readonly links: ReadonlyMap<string, () => unknown>;
}

export interface CheckUpRequest {
  /** The names of the servers; all that are switched on if there are none. */
  readonly names: readonly string[];
  readonly token: vscode.CancellationToken;
  /** Called with how many of how many servers are checked. */
  readonly report?: (done: number, of: number) => void;
}

/** Checks MCP servers, which starts those that aren't running, and remembers the last result for reports. Nothing is loaded before the first. */
export class McpCheckUps {
  private last: ShownCheckUp | undefined;

  constructor(
    private readonly servers: McpServers,
    private readonly runs: { readonly views: RunViews; readonly fileRuns: FileRuns },
    private readonly reaper: ProcessReaper,
    private readonly launcher: Pick<Launcher, 'contextFor'>,
    private readonly configuration: Pick<Configuration, 'ownRedaction' | 'agents'>,
    private readonly version: string,
    private readonly log: { error(error: unknown): void },
  ) {}

  /** The last one of this window, in English. */
  get lastReport(): string | undefined {
    return this.last?.english;
  }

  /**
   * @throws NoServers
   * @throws HumanError if the workspace isn't trusted, or no server has the name
   * @throws Cancelled
   */
  async check({ names, token, report }: CheckUpRequest): Promise<ShownCheckUp> {
    if (!vscode.workspace.isTrusted) {
      throw new HumanError(t('MCP servers are checked only in trusted workspaces.'), ['trust']);
    }
    const { checkTimeout } = await import('../../../mcpServers/check/checkUp');
    const { PreparedCheckUp } = await import('../../../mcpServers/check/preparedCheckUp');
    const { checkUpJson, describeCheckUp } = await import('../../../mcpServers/check/checkReport');
    const { placeOf } = await import('../../../mcpServers/check/checkTarget');
    const { ownServers } = await import('../../../mcpServers/check/ownServers');
    const { servers, configuration, reaper, version } = this;
    const prepared = await PreparedCheckUp.prepare({
      places: servers.places,
      names,
      own: ownServers(configuration.agents.agents, (agent) => this.launcher.contextFor(agent)),
      redaction: configuration.ownRedaction,
      journals: () => this.recorded(),
    });
    const { targets } = prepared;
    let done = 0;
    report?.(0, targets.length);
    const stopping = new AbortController();
    const listener = token.onCancellationRequested(() => {
      stopping.abort();
    });
    const options = { reaper, version, timeout: checkTimeout, onFault: (error: Error) => this.log.error(error) };
    const result = await prepared
      .run(options, stopping.signal, () => report?.(++done, targets.length))
      .finally(() => {
        listener.dispose();
      });
    this.last = {
      json: objectOf(JSON.parse(prepared.redacted(JSON.stringify(checkUpJson(result))))),
      english: prepared.redacted(describeCheckUp(result)),
      shown: prepared.redacted(describeCheckUp(result, l10n)),
      links: new Map(
        [...result.unreadable, ...targets].map((place) => [prepared.redacted(placeOf(place)), () => openPlace(place)]),
      ),
    };
    return this.last;
  }

  /** The journals, with what running servers said so far. */
  private async recorded(): Promise<readonly JournalSet[]> {
    const { views, fileRuns } = this.runs;
    const running = views.all.filter((run) => isServer(run) && isLive(run));
    await Promise.all(running.flatMap(({ journal }) => (journal ? [journal.flush()] : [])));
    return (await fileRuns.journals()).map(({ set }) => set);
  }
}

/** Opens the file at the server's entry, or our own setting. */
async function openPlace({ file, line = 1 }: { readonly file: string; readonly line?: number }): Promise<void> {
  if (!isAbsolute(file)) return executeCommand(openSettingCommand(file.replace(`${prefix}.`, '')));
  const start = new vscode.Position(line - 1, 0);
  await openFile(vscode.Uri.file(file), { selection: new vscode.Range(start, start) });
}
