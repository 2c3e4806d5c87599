import { oneLine } from '../../../text/text';
import type { Words } from '../../../text/translator';
import { t } from '../../../text/translator';
import type { Finding } from './finding';
import type { ListingServer } from './listedTool';
import type { LongNames, SentNames } from './sentNames';
import { sentNames, severityOfEffect } from './sentNames';

/** A tool and its server, by their names. */
interface Place {
  /** Its label. */
  readonly server: string;
  readonly serverName: string;
  readonly tool: string;
}

const renameOne = t('Rename one of them, or switch one off where both are used.');

/** Names that agents cut, and those that are the same or similar on servers of the same agent. */
export function nameFindings(servers: readonly ListingServer[]): readonly Finding[] {
  return [...sentNames.flatMap((client) => sentFindings(servers, client)), ...similarNames(servers)];
}

function sentFindings(servers: readonly ListingServer[], client: SentNames): readonly Finding[] {
  const own = servers.filter(({ clients }) => clients.includes(client.client));
  const places = own.flatMap(placesOf);
  return [...longNames(places, client), ...collisions(places, client), ...tooMany(places.length, client)];
}

function placesOf({ label, name, tools }: ListingServer): readonly Place[] {
  return tools.map((tool) => ({ server: label, serverName: name, tool: tool.name }));
}

function longNames(places: readonly Place[], { long, name, label }: SentNames): readonly Finding[] {
  if (!long) return [];
  return places.flatMap(({ server, serverName, tool }): Finding[] => {
    const { length } = name(serverName, tool);
    if (length <= long.max) return [];
    return [
      {
        severity: severityOfEffect[long.effect],
        code: 'name-cut',
        server,
        tools: [tool],
        message: longName(label, long),
        advice: t("Shorten the tool's name, or the server's in the settings."),
      },
    ];
  });
}

function longName(label: string, { max, effect }: LongNames): Words {
  switch (effect) {
    case 'dropped':
      return t('{0} drops the tool: with its server, its name has more than {1} characters', label, max);
    case 'cut':
      return t('{0} cuts the name: with its server, it has more than {1} characters', label, max);
    case 'hashed':
      return t('{0} cuts the name and adds a hash: with its server, it has more than {1} characters', label, max);
  }
}

/** Different tools that the model gets under one name. */
function collisions(places: readonly Place[], { isUnique, name, long, label }: SentNames): readonly Finding[] {
  if (isUnique) return [];
  const sent = ({ serverName, tool }: Place): string => {
    const full = name(serverName, tool);
    return long?.cut && full.length > long.max ? long.cut(full) : full;
  };
  return groups(places, sent).map(([same, group]) => ({
    severity: 'error',
    code: 'same-name',
    ...serverOf(group),
    tools: named(group),
    message: t('{0} sends them under the same name `{1}`, so only one can be called', label, oneLine(same, 140)),
    advice: renameOne,
  }));
}

function tooMany(count: number, { maxTools, label }: SentNames): readonly Finding[] {
  if (maxTools === undefined || count <= maxTools) return [];
  const message = t('{0} has {1} tools of these servers; it takes about {2}', label, count, maxTools);
  const advice = t("Switch off servers or tools that you don't need.");
  return [{ severity: 'warning', code: 'many-tools', tools: [], message, advice }];
}

/** Names that a model may confuse: the same on two servers, or different only in case and separators. */
function similarNames(servers: readonly ListingServer[]): readonly Finding[] {
  const places = servers.flatMap(placesOf);
  const clientsOf = new Map(servers.map(({ label, clients }) => [label, clients]));
  return groups(places, ({ tool }) => folded(tool)).flatMap(([, group]): Finding[] => {
    const isTogether = group.some((a, index) =>
      group
        .slice(index + 1)
        .some(
          (b) => a.server === b.server || clientsOf.get(a.server)?.some((id) => clientsOf.get(b.server)?.includes(id)),
        ),
    );
    if (!isTogether) return [];
    const isSame = new Set(group.map(({ tool }) => tool)).size === 1;
    return [
      {
        severity: 'warning',
        code: isSame ? 'same-name' : 'similar-name',
        ...serverOf(group),
        tools: named(group),
        message: isSame
          ? t('Several servers have a tool of this name, so the model may call the wrong one')
          : t('The names differ only in case or separators, so the model may call the wrong one'),
        advice: renameOne,
      },
    ];
  });
}

/** Without case, separators, and the forms of a letter that look alike. */
function folded(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_.\-/]+/g, '');
}

/** Those that share a key with another. Of servers with the same name, a client starts one. */
function groups(
  places: readonly Place[],
  keyOf: (place: Place) => string,
): readonly (readonly [string, readonly Place[]])[] {
  const byKey = new Map<string, Map<string, Place>>();
  for (const place of places) {
    const key = keyOf(place);
    const group = byKey.get(key) ?? new Map<string, Place>();
    byKey.set(key, group.set(JSON.stringify([place.serverName, place.tool]), place));
  }
  return [...byKey].filter(([, group]) => group.size > 1).map(([key, group]) => [key, [...group.values()]] as const);
}

function serverOf([first, ...others]: readonly Place[]): { readonly server?: string } {
  return first && others.every(({ server }) => server === first.server) ? { server: first.server } : {};
}

/** With the servers if there are several. */
function named(group: readonly Place[]): readonly string[] {
  const isOne = serverOf(group).server !== undefined;
  return group.map(({ server, tool }) => (isOne ? tool : `${server}/${tool}`));
}
