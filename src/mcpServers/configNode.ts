/** A value in a settings file, and where it is written, in UTF-16 units. */
export type ConfigNode = ConfigObject | ConfigList | ConfigValue;

export interface ConfigObject {
  readonly type: 'object';
  readonly members: ReadonlyMap<string, ConfigMember>;
}

export interface ConfigList {
  readonly type: 'list';
  /** With the brackets. */
  readonly start: number;
  readonly end: number;
  readonly items: readonly ConfigNode[];
}

export interface ConfigValue {
  readonly type: 'value';
  readonly start: number;
  readonly end: number;
  readonly value: unknown;
}

export interface ConfigMember {
  readonly key: ConfigKey;
  readonly node: ConfigNode;
}

/** A key as written: TOML's may be dotted, and `last` is where its last part starts. */
export interface ConfigKey {
  readonly start: number;
  readonly last: number;
  /** How a further member is written beside this one: in JSON, in an inline table of TOML, or on a line of its own. */
  readonly style: 'json' | 'inline' | 'line';
}

/** Reads a settings file. Throws a `ConfigError` if it isn't well-formed. */
export type ConfigParser = (text: string) => ConfigNode;

export class ConfigError extends Error {
  /** @param line from 1 */
  constructor(
    readonly line: number,
    message: string,
  ) {
    super(message);
    this.name = 'ConfigError';
  }
}

/** The member at a path of keys. */
export function memberAt(node: ConfigNode | undefined, path: readonly string[]): ConfigMember | undefined {
  let member: ConfigMember | undefined;
  let current = node;
  for (const key of path) {
    member = current?.type === 'object' ? current.members.get(key) : undefined;
    current = member?.node;
  }
  return member;
}

export function nodeAt(node: ConfigNode | undefined, path: readonly string[]): ConfigNode | undefined {
  return path.length === 0 ? node : memberAt(node, path)?.node;
}

/** The value without its places. */
export function valueOf(node: ConfigNode | undefined): unknown {
  switch (node?.type) {
    case undefined:
      return undefined;
    case 'value':
      return node.value;
    case 'list':
      return node.items.map(valueOf);
    case 'object':
      return Object.fromEntries([...node.members].map(([key, member]) => [key, valueOf(member.node)]));
  }
}
