import { homedir } from 'node:os';
import { dirname } from 'node:path';
import { Emitter } from '../../../text/emitter';
import { lazy } from '../../../text/lazy';
import type { ServerPlaces } from '../../../mcpServers/configFiles';
import type { WatchedServer } from '../../../mcpServers/watchMemory';
import { openFolders } from '../../kit/folders';

/** The MCP servers in the settings of clients on this machine. Reads nothing until it is asked to. */
export class McpServers {
  private readonly emitter = new Emitter<void>();
  /** Fires when other servers are watched. */
  readonly onDidChange = this.emitter.event;
  readonly memory = lazy(async () => {
    const { WatchMemory } = await import('../../../mcpServers/watchMemory');
    return new WatchMemory(this.tapFolder);
  });
  private known: readonly WatchedServer[] = [];

  constructor(
    private readonly globalStorage: string,
    private readonly tapFolder: string,
  ) {}

  /** The servers that are watched, from this window or another, as far as `refresh` found. */
  get watched(): readonly WatchedServer[] {
    return this.known;
  }

  /** Where clients keep servers of this workspace and user. */
  get places(): ServerPlaces {
    // The folder of the user's settings, or of the profile.
    const editor = dirname(dirname(this.globalStorage));
    const machine = { platform: process.platform, home: homedir(), env: process.env, editor };
    return { machine, folders: openFolders().map(({ path }) => path) };
  }

  /** Reads which servers are watched: one small file. */
  async refresh(): Promise<void> {
    const known = await (await this.memory()).all();
    const isSame = JSON.stringify(known) === JSON.stringify(this.known);
    this.known = known;
    if (!isSame) this.emitter.fire();
  }
}
