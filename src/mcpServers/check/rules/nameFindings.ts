import { t } from '../../../text/translator';
import type { Finding } from './finding';
import type { ListingServer } from './listedTool';

/** A tool and its server, by their names. */
interface Place {
  /** Its label. */
  readonly server: string;
  readonly serverName: string;
  readonly tool: string;
}

const renameOne = t('Rename one of them, or switch one off where both are used.');

function placesOf({ label, name, tools }: ListingServer): readonly Place[] {
  return tools.map((tool) => ({ server: label, serverName: name, tool: tool.name }));
}

/** Names that a model may confuse: the same on two servers of an agent, or different only in case and separators. */
export function nameFindings(servers: readonly ListingServer[]): readonly Finding[] {
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
