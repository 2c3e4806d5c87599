import type { Threshold } from '../../text/level';
import type { JsonObject } from '../../text/json';
import { isObject } from '../../text/json';

export interface LspSettings {
  /** Sent with `initialize`, unchanged. */
  readonly initializationOptions?: JsonObject;
  /** Sent with `workspace/didChangeConfiguration`, and in response to requests for a section. */
  readonly settings?: JsonObject;
}

/** Placeholder for the server's level in the user's settings. */
const levelVariable = '${level}';

/** Level names that most servers know. There is no common name for "off"; `error` is the closest. */
function serverLevel(level: Threshold): string {
  switch (level) {
    case 'debug':
      return 'debug';
    case 'info':
    case 'notice':
      return 'info';
    case 'warning':
      return 'warn';
    default:
      return 'error';
  }
}

/** Replaces each `${level}` with the server's name for the level. */
export function withLevel(value: unknown, level: Threshold): unknown {
  return mapTexts(value, (text) => text.replaceAll(levelVariable, () => serverLevel(level)));
}

export function hasLevel(value: unknown): boolean {
  return textsIn(value).some((text) => text.includes(levelVariable));
}

/** Expands variables in every string of the settings, except field names. */
export function expandSettings(given: LspSettings, expand: (text: string) => string): LspSettings {
  return mapTexts(given, expand) as LspSettings;
}

/** The value of a section, such as `aws.logLevel`: nested, or with dots in its name as in VS Code. `null` if there is none. */
export function sectionOf(settings: JsonObject, section: string): unknown {
  if (section === '') return settings;
  if (Object.hasOwn(settings, section)) return settings[section];
  for (let dot = section.indexOf('.'); dot >= 0; dot = section.indexOf('.', dot + 1)) {
    const name = section.slice(0, dot);
    const inner = Object.hasOwn(settings, name) ? settings[name] : undefined;
    const found = isObject(inner) ? sectionOf(inner, section.slice(dot + 1)) : null;
    if (found !== null) return found;
  }
  return null;
}

/** All strings in a value, except field names. */
export function textsIn(value: unknown): readonly string[] {
  const found: string[] = [];
  mapTexts(value, (text) => {
    found.push(text);
    return text;
  });
  return found;
}

/** A value to copy, and what takes the copy. */
interface Pending {
  readonly value: unknown;
  readonly put: (copy: unknown) => void;
}

/** Without recursion, because JSON can be nested more deeply than calls. */
function mapTexts(root: unknown, map: (text: string) => string): unknown {
  let copied: unknown;
  const pending: Pending[] = [{ value: root, put: (copy) => (copied = copy) }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { value, put } = next;
    if (typeof value === 'string') put(map(value));
    else if (Array.isArray(value) || isObject(value)) {
      const copy = Array.isArray(value) ? [] : {};
      put(copy);
      const parts = Object.entries(value).map(([name, each]): Pending => {
        setField(copy, name, undefined); // in the same order
        return { value: each, put: (made) => setField(copy, name, made) };
      });
      for (const part of parts.reverse()) pending.push(part);
    } else put(value);
  }
  return copied;
}

/** Not an assignment, because a field may be called __proto__. */
function setField(of: object, name: string, value: unknown): void {
  Object.defineProperty(of, name, { value, enumerable: true, configurable: true, writable: true });
}
