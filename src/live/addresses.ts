import { lookup } from 'node:dns/promises';
import { BlockList, isIP, isIPv6 } from 'node:net';

/** Where an address leads. `special` is what nobody serves documents on: multicast, documentation, benchmarks, reserved. */
type AddressKind = 'public' | 'loopback' | 'private' | 'linkLocal' | 'special';

/** Finds the IP addresses of a host name. */
type Resolve = (name: string) => Promise<readonly string[]>;

/** Thrown before a request to an address that the server has no business to send us to. */
export class RefusedAddress extends TypeError {
  // The official client only passes on a `TypeError` of its `fetch`; after others it goes on with its next guess.
  constructor(readonly place: string) {
    super(`refused: ${place}`);
  }
}

/**
 * Keeps what a server names away from the user's machine and network: only public addresses may be reached, and those of the kind that
 * the server itself is at. A name is judged by what it resolves to now; the request resolves it once more.
 */
export class AddressGuard {
  private own: Promise<ReadonlySet<AddressKind>> | undefined;

  constructor(
    private readonly server: URL,
    private readonly resolve: Resolve = lookUp,
  ) {}

  /** @throws RefusedAddress */
  async check(url: URL): Promise<void> {
    if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new RefusedAddress(url.protocol);
    if (url.hostname === this.server.hostname) return;
    const kinds = [...(await this.kindsOf(url.hostname))].filter((kind) => kind !== 'public');
    if (kinds.length === 0) return;
    const allowed = await (this.own ??= this.kindsOf(this.server.hostname));
    if (!kinds.every((kind) => allowed.has(kind))) throw new RefusedAddress(url.host);
  }

  private async kindsOf(host: string): Promise<ReadonlySet<AddressKind>> {
    const known = kindOf(host);
    if (known !== undefined) return new Set([known]);
    // A name that can't be resolved here may be one that only a proxy can resolve.
    const addresses = await this.resolve(host).catch(() => []);
    return new Set(addresses.map((address) => kindOf(hostOf(address)) ?? 'special'));
  }
}

/**
 * The kind of a host as in `URL.hostname`, which has IPv4 in its usual form and IPv6 in brackets; `undefined` if it is a name that has to
 * be resolved.
 */
export function kindOf(host: string): AddressKind | undefined {
  if (/^(?:.+\.)?localhost\.?$/.test(host)) return 'loopback';
  const ip = host.replace(/^\[|\]$/g, '');
  const family = isIP(ip);
  if (family === 0) return undefined;
  const inside = family === 6 ? ipv4In(groupsOf(ip)) : undefined;
  if (inside !== undefined) return kindOf(inside);
  return ranges.find(({ list }) => list.check(ip, family === 6 ? 'ipv6' : 'ipv4'))?.kind ?? 'public';
}

/** From the IANA registries of special-purpose addresses. Linux connects 0.0.0.0 and :: to itself. */
const ranges = (
  [
    ['loopback', ['0.0.0.0/8', '127.0.0.0/8', '::/127']],
    ['private', ['10.0.0.0/8', '100.64.0.0/10', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7', 'fec0::/10']],
    ['linkLocal', ['169.254.0.0/16', 'fe80::/10']],
    ['special', ['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '198.18.0.0/15', '198.51.100.0/24']],
    ['special', ['203.0.113.0/24', '224.0.0.0/3', '64:ff9b:1::/48', '100::/64', '2001::/23', '2001:db8::/32']],
    ['special', ['3fff::/20', '5f00::/16', 'ff00::/8']],
  ] as const
).map(([kind, subnets]) => ({ kind, list: listOf(subnets) }));

function listOf(subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [address = '', bits] = subnet.split('/');
    list.addSubnet(address, Number(bits), isIPv6(address) ? 'ipv6' : 'ipv4');
  }
  return list;
}

/** The IPv4 address that an IPv6 address stands for: mapped, translated (RFC 6052, RFC 2765), compatible, or 6to4. */
function ipv4In(groups: readonly number[]): string | undefined {
  const prefix = groups
    .slice(0, 6)
    .map((group) => group.toString(16))
    .join(':');
  const isCompatible = prefix === '0:0:0:0:0:0' && groups[6] !== 0;
  const isMapped = ['0:0:0:0:0:ffff', '0:0:0:0:ffff:0', '64:ff9b:0:0:0:0'].includes(prefix);
  const at = groups[0] === 0x2002 ? 1 : isCompatible || isMapped ? 6 : undefined;
  if (at === undefined) return undefined;
  return groups
    .slice(at, at + 2)
    .flatMap((group) => [group >> 8, group & 255])
    .join('.');
}

/** The eight groups of an address in the form of `URL.hostname`. */
function groupsOf(ip: string): readonly number[] {
  const [head = [], tail = []] = ip.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const zeros = Array<string>(8 - head.length - tail.length).fill('0');
  return [...head, ...zeros, ...tail].map((group) => parseInt(group, 16));
}

/** An IP address in the form of `URL.hostname`, without its zone. */
function hostOf(address: string): string {
  return isIPv6(address) ? new URL(`http://[${address.replace(/%.*/, '')}]`).hostname : address;
}

async function lookUp(name: string): Promise<readonly string[]> {
  const found = await lookup(name, { all: true });
  return found.map(({ address }) => address);
}
