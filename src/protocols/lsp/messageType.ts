import type { Level } from '../../log/level';

/** `MessageType` (LSP 3.18, "window/showMessage"). `Log` is less than `Info`, and `Debug` less than that: RFC 5424 has one level for both. */
const levelsByType: ReadonlyMap<unknown, Level> = new Map<unknown, Level>([
  [1, 'error'],
  [2, 'warning'],
  [3, 'info'],
  [4, 'debug'],
  [5, 'debug'],
]);

/** The level of a message's type; `undefined` for what is none. */
export function levelOfType(type: unknown): Level | undefined {
  return levelsByType.get(type);
}
