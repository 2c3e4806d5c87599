import type { Threshold } from '../../log/level';
import type { JsonObject } from '../../protocols/json';
import { isObject } from '../../protocols/json';

/** What the person wants a language server to get, beside what the protocol asks for. */
export interface LspSettings {
  /** Sent with `initialize`, unchanged. */
  readonly initializationOptions?: JsonObject;
  /** Sent by `workspace/didChangeConfiguration`, and what the server gets when it asks for a section. */
  readonly settings?: JsonObject;
}

/** In the user's settings, the place for the server's level. */
const levelVariable = '${level}';

/** The words for levels that most servers know. None has a word for "off" that all know: `error` comes nearest. */
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

/** The value with the server's word for the level in place of each `${level}`. */
export function withLevel(value: unknown, level: Threshold): unknown {
  return mapTexts(value, (text) => text.replaceAll(levelVariable, () => serverLevel(level)));
}

/** Whether the value has a place for the level. */
export function hasLevel(value: unknown): boolean {
  let found = false;
  mapTexts(value, (text) => {
    found ||= text.includes(levelVariable);
    return text;
  });
  return found;
}

/** The settings with every text expanded; names of fields aren't. */
export function expandSettings(given: LspSettings, expand: (text: string) => string): LspSettings {
  return mapTexts(given, expand) as LspSettings;
}

/** The environment variables in the settings, as `${env:NAME}`. */
export function variablesIn(given: LspSettings | undefined): readonly string[] {
  const names: string[] = [];
  mapTexts(given, (text) => {
    for (const [, name = ''] of text.matchAll(/\$\{env:([^}]*)\}/g)) names.push(name);
    return text;
  });
  return names;
}

/** The value of a section, such as `aws.logLevel`: nested, or under a name with dots as VS Code has it. `null` if there is none. */
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

function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map));
  if (!isObject(value)) return value;
  // Not an assignment: a field may be called __proto__.
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mapTexts(each, map)]));
}
