import type { Redactor } from '../../redact/redactor';
import type { Redaction } from '../../redact/redactorFor';
import { redactorFor } from '../../redact/redactorFor';
import { oneLine } from '../../text/text';
import { t } from '../../text/translator';
import type { JournalSet } from '../../wire/journal/journalFolder';
import { JournalFolder } from '../../wire/journal/journalFolder';
import { HumanError } from '../../text/humanError';
import { secretsOfStart } from '../../live/process/secretsOfStart';
import { redactedLine } from '../../runLog/reading/redactEvent';
import type { ServerPlaces } from '../configFiles';
import type { ConfiguredServer, UnreadableConfig } from '../configuredServers';
import { configuredServers } from '../configuredServers';
import type { CheckedServer } from './checkedServer';
import type { CheckOptions } from './checkServer';
import type { CheckTarget } from './checkTarget';
import { checkTargets, valuesOf } from './checkTarget';
import type { CheckUp } from './checkUp';
import { checkUp, recordedCheckUp } from './checkUp';
import { Recordings } from './recordings';

/** There is nothing to check, which isn't an error. */
export class NoServers extends HumanError {}

export interface CheckUpSettings {
  readonly places: ServerPlaces;
  /** The names of the servers; all that are switched on if there are none. */
  readonly names: readonly string[];
  /** Servers that no client has in its settings. */
  readonly own?: readonly CheckTarget[];
  readonly redaction: Redaction;
  /** The journals of taps and of this extension, newest first. */
  readonly journals: () => Promise<readonly JournalSet[]>;
}

/** A check-up whose servers are known. */
export class PreparedCheckUp {
  private constructor(
    private readonly settings: CheckUpSettings,
    readonly targets: readonly CheckTarget[],
    private readonly problems: readonly UnreadableConfig[],
    private readonly redactor: Redactor,
  ) {}

  /**
   * Reads which servers there are. Starts none.
   * @throws NoServers
   * @throws HumanError if a name is unknown
   */
  static async prepare(settings: CheckUpSettings): Promise<PreparedCheckUp> {
    const { places, names, own = [], redaction } = settings;
    const { machine, folders } = places;
    const { servers, problems } = await configuredServers(places);
    const [workspaceFolder] = folders;
    const values = {
      env: machine.env,
      userHome: machine.home,
      ...(workspaceFolder !== undefined && { workspaceFolder }),
    };
    const targets = checkTargets(servers, names, values, own);
    const known = [...servers, ...own];
    const unknown = names.find((name) => !targets.some((target) => target.name === name));
    const error =
      unknown !== undefined && known.length > 0
        ? unknownServer(unknown, known)
        : targets.length === 0
          ? noServers(servers)
          : undefined;
    if (error) {
      for (const { message } of problems) error.explain(message);
      throw error;
    }
    const secrets = [
      ...secretsOfStart({ env: machine.env }),
      ...targets.flatMap(({ start }) =>
        secretsOfStart(
          start.type === 'http' ? { env: start.headers } : { env: start.env, words: [start.command, ...start.args] },
        ),
      ),
    ];
    const redactor = redactorFor(redaction, { values: valuesOf(targets), secrets });
    return new PreparedCheckUp(settings, targets, problems, redactor);
  }

  /**
   * Checks the servers.
   * @throws Cancelled
   */
  async run(
    options: Omit<CheckOptions, 'redactor' | 'env'>,
    signal: AbortSignal,
    onChecked?: (server: CheckedServer) => void,
  ): Promise<CheckUp> {
    const { redactor, targets, problems, settings } = this;
    const recordings = await this.recordings(signal);
    const { env } = settings.places.machine;
    const result = await checkUp(targets, { ...options, redactor, env, recordings }, signal, onChecked);
    return { ...result, unreadable: problems };
  }

  /** Checks the servers by their recordings, and starts none. */
  async runRecorded(signal: AbortSignal): Promise<CheckUp> {
    const result = await recordedCheckUp(this.targets, await this.recordings(signal));
    return { ...result, unreadable: this.problems };
  }

  /** A text about it, to be shown or copied. */
  redacted(text: string): string {
    return text
      .split('\n')
      .map((line) => redactedLine(line, this.redactor))
      .join('\n');
  }

  private async recordings(signal: AbortSignal): Promise<Recordings> {
    const { redactor, targets, settings } = this;
    const { platform } = settings.places.machine;
    const folders = new Set(targets.flatMap(({ tap }) => tap?.folder ?? []));
    const found = await Promise.all([
      // Nothing to go by, not an error.
      settings.journals().catch(() => []),
      ...[...folders].map((folder) => new JournalFolder(folder).list()),
    ]);
    const journals = found.flat().sort((a, b) => b.modifiedAt - a.modifiedAt);
    return Recordings.find({ journals, redactor, platform, signal });
  }
}

function unknownServer(name: string, known: readonly Pick<ConfiguredServer, 'name'>[]): HumanError {
  const names = [...new Set(known.map((one) => `"${oneLine(one.name, 60)}"`))].join(', ');
  return new HumanError(
    t('There is no MCP server "{0}". The servers are {1}.', oneLine(name, 60), oneLine(names, 1000)),
  );
}

function noServers(known: readonly ConfiguredServer[]): NoServers {
  return new NoServers(
    known.length > 0
      ? t('All MCP servers in the settings of clients on this machine are switched off.')
      : t('No MCP servers found in the settings of clients on this machine.'),
  );
}
