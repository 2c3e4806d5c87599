import { resolve } from 'node:path';
import type { VariableValues } from '../../agents/mcpVariables';
import type { ConfiguredServer, ServerStart, TapPlace } from '../configuredServers';
import { asksUser, expandedStart } from '../expandedStart';

/** A server to check, which several clients may have in their settings. */
export interface CheckTarget {
  /** Its name in the settings. */
  readonly name: string;
  /** What it is called here: its name, unless several have it. */
  readonly label: string;
  /** The clients' IDs and display names. */
  readonly clients: readonly { readonly id: string; readonly label: string }[];
  /** A settings file that has it. */
  readonly file: string;
  /** Where its name is in that file, from 1; absent if it is a setting of ours. */
  readonly line?: number;
  /** Variables are expanded. */
  readonly start: ServerStart;
  /** Absolute path of the folder to start it in. */
  readonly cwd: string;
  /** The folder that has it in its settings; absent for a server of the user. */
  readonly folder?: string;
  /** How it is recorded if it is watched. */
  readonly tap?: TapPlace;
  /** Whether its client asks the user for values, which aren't known here. */
  readonly asksUser: boolean;
}

/**
 * The servers to check, each once. Those that are switched off are left out unless they are named.
 * @param names of the servers; all if there are none
 * @param own servers that no client starts, with their variables expanded
 */
export function checkTargets(
  servers: readonly ConfiguredServer[],
  names: readonly string[],
  values: VariableValues,
  own: readonly CheckTarget[] = [],
): readonly CheckTarget[] {
  const wanted = servers.filter(({ name, isEnabled }) => (names.length === 0 ? isEnabled : names.includes(name)));
  const targets = new Map<string, CheckTarget>();
  const add = (target: CheckTarget): void => {
    const key = JSON.stringify([target.name, target.start, target.cwd]);
    const known = targets.get(key);
    const ids = new Set(known?.clients.map(({ id }) => id));
    const clients = [...(known?.clients ?? []), ...target.clients.filter(({ id }) => !ids.has(id))];
    targets.set(key, { ...target, ...known, clients });
  };
  for (const server of wanted) {
    const { name, client, file, line, folder, tap } = server;
    const start = expandedStart(server, values);
    const base = folder ?? values.workspaceFolder ?? values.userHome;
    const cwd = resolve(base, start.type === 'process' ? (start.cwd ?? '') : '');
    const { id, label } = client;
    add({
      name,
      label: name,
      clients: [{ id, label }],
      file,
      line,
      start,
      cwd,
      ...(folder !== undefined && { folder }),
      ...(tap && { tap }),
      asksUser: asksUser(server),
    });
  }
  for (const target of own) if (names.length === 0 || names.includes(target.name)) add(target);
  return labelled([...targets.values()]);
}

/** Servers of the same name are told apart by their clients, or else by their files. */
function labelled(targets: readonly CheckTarget[]): readonly CheckTarget[] {
  const label = ({ name, clients }: CheckTarget): string => `${name} (${clients.map((one) => one.label).join(', ')})`;
  const isUnique = (of: (target: CheckTarget) => string, one: CheckTarget): boolean =>
    targets.filter((target) => of(target) === of(one)).length === 1;
  return targets.map((target) => {
    if (isUnique(({ name }) => name, target)) return target;
    return { ...target, label: isUnique(label, target) ? label(target) : `${target.name} (${target.file})` };
  });
}

/** Where its entry is: `/home/me/.mcp.json:3`. */
export function placeOf({ file, line }: Pick<CheckTarget, 'file' | 'line'>): string {
  return line === undefined ? file : `${file}:${line}`;
}

/** What may be secret in the settings of servers. */
export function valuesOf(targets: readonly CheckTarget[]): readonly string[] {
  return targets.flatMap(({ start }) => Object.values(start.type === 'http' ? start.headers : start.env));
}
