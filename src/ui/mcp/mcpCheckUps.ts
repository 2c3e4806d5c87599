import * as vscode from 'vscode';
import type { JsonObject } from '../../log/json';
import { objectOf } from '../../log/json';
import { oneLine } from '../../log/text';
import { t } from '../../log/translator';
import { HumanError } from '../../runs/humanError';
import type { ProcessReaper } from '../../runs/process/processReaper';
import type { Configuration } from '../configuration';
import { l10n } from '../translate';
import type { McpServers } from './mcpServers';

/** A check-up of MCP servers, redacted. */
export interface ShownCheckUp {
  /** For programs, in English. */
  readonly json: JsonObject;
  /** Markdown in English, for reports and models. */
  readonly english: string;
  /** The same in the display language. */
  readonly shown: string;
}

export interface CheckUpRequest {
  /** The names of the servers; all that are switched on if there are none. */
  readonly names: readonly string[];
  readonly token: vscode.CancellationToken;
  /** Called with how many of how many servers are checked. */
  readonly report?: (done: number, of: number) => void;
}

/** Starts MCP servers once to check them, and remembers the last result for reports. Nothing is loaded before the first. */
export class McpCheckUps {
  private last: ShownCheckUp | undefined;

  constructor(
    private readonly servers: McpServers,
    private readonly reaper: ProcessReaper,
    private readonly configuration: Pick<Configuration, 'redactionPatterns'>,
    private readonly version: string,
    private readonly log: { error(error: unknown): void },
  ) {}

  /** The last one of this window, in English. */
  get lastReport(): string | undefined {
    return this.last?.english;
  }

  /**
   * @throws HumanError if the workspace isn't trusted, there are no servers, or none has the name
   * @throws Cancelled
   */
  async check({ names, token, report }: CheckUpRequest): Promise<ShownCheckUp> {
    if (!vscode.workspace.isTrusted) {
      throw new HumanError(t('MCP servers are checked only in trusted workspaces.'), ['trust']);
    }
    const { configuredServers } = await import('../../runs/mcpServers/configuredServers');
    const { checkTargets, valuesOf } = await import('../../runs/mcpServers/check/checkTarget');
    const { checkTimeout, checkUp } = await import('../../runs/mcpServers/check/checkUp');
    const { checkUpJson, describeCheckUp } = await import('../../runs/mcpServers/check/checkReport');
    const { Redactor } = await import('../../log/redact/redactor');
    const { redactedLine } = await import('../../runs/reading/redactEvent');
    const { machine, folders } = this.servers.places;
    const { servers } = await configuredServers({ machine, folders });
    const { env, home: userHome } = machine;
    const [workspaceFolder] = folders;
    const targets = checkTargets(servers, names, {
      env,
      userHome,
      ...(workspaceFolder !== undefined && { workspaceFolder }),
    });
    const unknown = names.find((name) => !targets.some((target) => target.name === name));
    if (unknown !== undefined) throw new HumanError(t('There is no MCP server "{0}".', oneLine(unknown, 60)));
    if (targets.length === 0) {
      throw new HumanError(t('No MCP servers found in the settings of clients on this machine.'));
    }
    const redactor = new Redactor({ values: valuesOf(targets), patterns: this.configuration.redactionPatterns });
    const { reaper, version } = this;
    const onFault = (error: Error): void => this.log.error(error);
    let done = 0;
    report?.(0, targets.length);
    const stopping = new AbortController();
    const listener = token.onCancellationRequested(() => {
      stopping.abort();
    });
    const options = { reaper, redactor, version, env, timeout: checkTimeout, onFault };
    const checked = checkUp(targets, options, stopping.signal, () => report?.(++done, targets.length));
    const result = await checked.finally(() => {
      listener.dispose();
    });
    const redacted = (text: string): string =>
      text
        .split('\n')
        .map((line) => redactedLine(line, redactor))
        .join('\n');
    this.last = {
      json: objectOf(JSON.parse(redacted(JSON.stringify(checkUpJson(result)))) as unknown),
      english: redacted(describeCheckUp(result)),
      shown: redacted(describeCheckUp(result, l10n)),
    };
    return this.last;
  }
}
