import { resolve } from 'node:path';
import type { VariableValues } from '../../../agents/mcpVariables';
import type { ConfiguredServer, ServerStart } from '../configuredServers';
import { asksUser, expandedStart } from '../expandedStart';

/** A server to check, which several clients may have in their settings. */
export interface CheckTarget {
  readonly name: string;
  /** The clients' IDs and display names. */
  readonly clients: readonly { readonly id: string; readonly label: string }[];
  /** A settings file that has it. */
  readonly file: string;
  /** Variables are expanded. */
  readonly start: ServerStart;
  /** Absolute path of the folder to start it in. */
  readonly cwd: string;
  /** The folder that has it in its settings; absent for a server of the user. */
  readonly folder?: string;
  /** Whether its client asks the user for values, which aren't known here. */
  readonly asksUser: boolean;
}

/**
 * The servers to check, each once. Those that are switched off are left out unless they are named.
 * @param names of the servers; all if there are none
 */
export function checkTargets(
  servers: readonly ConfiguredServer[],
  names: readonly string[],
  values: VariableValues,
): readonly CheckTarget[] {
  const wanted = servers.filter(({ name, isEnabled }) => (names.length === 0 ? isEnabled : names.includes(name)));
  const targets = new Map<string, CheckTarget>();
  for (const server of wanted) {
    const { name, client, file, folder } = server;
    const start = expandedStart(server, values);
    const base = folder ?? values.workspaceFolder ?? values.userHome;
    const cwd = resolve(base, start.type === 'process' ? (start.cwd ?? '') : '');
    const key = JSON.stringify([name, start, cwd]);
    const known = targets.get(key) ?? {
      name,
      clients: [],
      file,
      start,
      cwd,
      ...(folder !== undefined && { folder }),
      asksUser: asksUser(server),
    };
    const isKnown = known.clients.some(({ id }) => id === client.id);
    const { id, label } = client;
    targets.set(key, isKnown ? known : { ...known, clients: [...known.clients, { id, label }] });
  }
  return [...targets.values()];
}

/** What may be secret in the settings of servers. */
export function valuesOf(targets: readonly CheckTarget[]): readonly string[] {
  return targets.flatMap(({ start }) => Object.values(start.type === 'http' ? start.headers : start.env));
}
