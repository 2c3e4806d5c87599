import { isFileRun } from '../../../../past/files/fileRuns';
import { inEnglish } from '../../../../text/translator';
import type { RunView } from '../../../../runLog/runView';
import { AgentRow } from './agentRow';
import type { GroupRow } from './groupRow';
import { InvalidAgentRow } from './invalidAgentRow';
import { NowRow } from './nowRow';
import { PastRow } from './pastRow';
import type { Row } from './row';
import type { RowSources } from './rowSources';
import { openFiles } from './rowSources';
import type { Place } from './runRow';
import { RunRow } from './runRow';
import { SavedGroupRow } from './savedGroupRow';
import { StarterRow } from './starterRow';
import { UntrustedRow } from './untrustedRow';
import { WatchedServersRow } from './watchedServersRow';

/** The rows at the top, and the row of each run. VS Code refreshes a row by the object it got, so there is one per agent and per run. */
export class RootRows {
  readonly past: PastRow;
  readonly saved: SavedGroupRow;
  readonly now: NowRow;
  private readonly agents = new Map<string, AgentRow>();
  private invalid = new Map<string, InvalidAgentRow>();
  private readonly runs = new WeakMap<RunView, RunRow>();
  /** For the agents that are installed, found when the view was first empty. */
  private installed: ReadonlyMap<string, StarterRow> | undefined;
  private readonly sample = new StarterRow(undefined);
  private readonly untrusted = new UntrustedRow();
  private readonly watched: WatchedServersRow;
  private readonly rowOf = (run: RunView): RunRow => this.run(run);

  constructor(private readonly sources: RowSources) {
    this.past = new PastRow(sources, this.rowOf);
    this.saved = new SavedGroupRow(sources);
    this.now = new NowRow(sources);
    this.watched = new WatchedServersRow(() => sources.mcpServers.watched);
  }

  /** Reads which MCP servers are watched, and before the first run looks for installed agents and saved sessions: `all` depends on them. */
  async prepare(): Promise<void> {
    await this.sources.mcpServers.refresh();
    if (!this.isEmpty) {
      this.saved.forgetLook();
      return;
    }
    if (this.saved.isShown) await this.saved.lookForAny();
    const names = await this.sources.installed();
    this.installed ??= new Map(names.map((name) => [name, new StarterRow(name)]));
  }

  /** Whether nothing has run, and the settings have no problem. */
  get isEmpty(): boolean {
    const { runs, agents } = this.sources;
    return [runs.all, openFiles(this.sources), this.past.runs(), agents().problems].every((rows) => rows.length === 0);
  }

  /** Empty, so that the view shows its welcome, if there are no agents, nothing has run and there is nothing on this machine to offer. */
  all(): readonly Row[] {
    const rows = [...(this.now.children().length > 0 ? [this.now] : []), ...this.own()];
    return rows.length === 0 || this.sources.isTrusted() ? rows : [this.untrusted, ...rows];
  }

  private own(): readonly Row[] {
    const { runs, agents } = this.sources;
    const { agents: known, problems } = agents();
    const files = openFiles(this.sources);
    const past = this.past.runs().length > 0 ? [this.past] : [];
    // Two folders may have the same problem.
    this.invalid = new Map(
      problems.map((problem) => {
        const key = inEnglish(problem.message);
        return [key, this.invalid.get(key) ?? new InvalidAgentRow(problem)];
      }),
    );
    const { isEmpty } = this;
    // Until somebody has looked, it stays: a group that comes back is collapsed.
    const saved = this.saved.isShown && (!isEmpty || this.saved.hasAny !== false) ? [this.saved] : [];
    const starters = isEmpty ? this.starters(known) : [];
    const watched = this.sources.mcpServers.watched.length > 0 ? [this.watched] : [];
    const groups = [...watched, ...past, ...saved];
    if (isEmpty && known.length + groups.length + starters.length === 0) return [];
    if (isEmpty) return [...known.map(({ name }) => this.agent(name)), this.sample, ...starters, ...groups];
    // In the order of the settings, so that no row moves under the mouse when an agent starts.
    const names = new Set([...known, ...runs.all, ...files].map(({ name }) => name));
    const named = [...names]
      .map((name) => this.agent(name))
      .map((row) => (row.onlyFile ? this.run(row.onlyFile) : row));
    return [...named, ...this.invalid.values(), ...groups];
  }

  /** Installed agents that the settings don't have. */
  private starters(known: readonly { readonly name: string }[]): readonly StarterRow[] {
    const names = new Set(known.map(({ name }) => name));
    return [...(this.installed ?? [])].filter(([name]) => !names.has(name)).map(([, row]) => row);
  }

  agent(name: string): AgentRow {
    const row = this.agents.get(name) ?? new AgentRow(name, this.sources, this.rowOf);
    this.agents.set(name, row);
    return row;
  }

  run(run: RunView): RunRow {
    const saved = isFileRun(run) ? this.saved.row(run) : undefined;
    if (saved) return saved;
    const row = this.runs.get(run) ?? new RunRow(run, this.sources, (one) => this.placeOf(one));
    this.runs.set(run, row);
    return row;
  }

  /** @param sessionId `undefined` for the connection */
  group(run: RunView, sessionId: string | undefined): GroupRow {
    return this.run(run).group(sessionId);
  }

  /** Drops the row of a run and those below it. */
  forget(run: RunView): void {
    if (isFileRun(run)) this.saved.forget(run);
    this.runs.delete(run);
  }

  private placeOf(run: RunView): Place {
    if (isFileRun(run) && !openFiles(this.sources).includes(run)) return { parent: this.past };
    const agent = this.agent(run.name);
    if (agent.onlyFile === run) return { parent: undefined };
    return { parent: agent, shownBy: agent.onlyRun === run ? agent : undefined };
  }
}
