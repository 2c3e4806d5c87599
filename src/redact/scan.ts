import { onceCode } from './assigned/told';
import { assignedSecrets } from './assigned/assignments';
import { ValueEnds } from './ends';
import { easternNames, foreignCodes, hasEasternName } from './foreignNames';
import { isJson, stringEnd } from '../text/jsonText';
import { commandPassword } from './placed/commandPasswords';
import type { Context } from './json';
import { JsonSecrets } from './json';
import type { KnownValues } from './knownValues';
import type { NameInText } from './names';
import { nameAround, secretKind } from './names';
import type { OwnPatterns } from './ownPatterns';
import {
  bearer,
  isLogin,
  loginSecrets,
  optionPassword,
  userOptions,
  quotedPassword,
  urlPasswords,
  urlSecrets,
} from './places';
import { pipedSecret } from './placed/input';
import { secretByPosition } from './placed/positions';
import { identifiedPassword, insertedSecrets } from './placed/statements';
import { isPrivateKeyLine, privateKey } from './shapes/privateKey';
import { rareShapes, shapeAround } from './shapes/shapes';
import type { Span } from './span';
import { marker, present, replaceSpans } from './span';
import type { Trigger } from './trigger';
import { nextTrigger } from './trigger';
import type { View } from './view';
import { jsonString, rawView, unescaped, withoutColours } from './view';

/**
 * Escapes that no encoder needs for letters and slashes, and that may come between a name and its value or inside either or in a token; and
 * those of names in other languages.
 */
const hidden = new RegExp(String.raw`\\(?:u00[0-7]|x1[bB]|033|/|u(?:${foreignCodes.join('|')}))`, 'i');

/**
 * Whether a line may hold a secret that `scan` would find. For most lines this search is all that redaction costs. Most names with a
 * secret's word in them are none, which shows at once.
 */
export function mayHoldSecret(line: string): boolean {
  if (hasTrigger(line)) return true;
  if (line.includes('\\') && hidden.test(line)) return true;
  if (line.includes('@') && urlPasswords(line).length > 0) return true;
  if (hasEasternName(line)) return true;
  if (rareShapes(line).length > 0) return true;
  // Valid JSON has no control characters.
  return !line.startsWith('{"') && (line.includes('\u001b') || line.includes('\0'));
}

function hasTrigger(line: string): boolean {
  for (let trigger = nextTrigger(line, 0); trigger; trigger = nextTrigger(line, trigger.index + 1)) {
    if (!trigger.isName || isSecretName(line, trigger.index)) return true;
  }
  return false;
}

function isSecretName(line: string, at: number): boolean {
  const name = nameAround(line, at);
  if (name !== undefined && !hasPlainValue(line, name)) return true;
  if (isLogin(line, at)) return true;
  return isPrivateKeyLine(line, at) || shapeAround(line, at) !== undefined;
}

/** An object, or the type of a parameter or member: `"auth":{"…`, `token: vscode.CancellationToken,`. */
const plainValue =
  /(?:\\{0,8}["'])?\??:[ \t]?(?:\{\\{0,8}"|(?:[a-z]{1,24}\.)?[a-z]{0,24}(?:[A-Z][a-z]{2,24}){0,5}(?:Id)?[,;)])/y;

/** Words, as codes of errors are: `"code":"rate_limit_exceeded"`. */
const words = /\\{0,8}["'][ \t]?:[ \t]?\\{0,8}["'][a-z]{2,24}(?:[_-][a-z]{2,24}){0,6}\\{0,8}["']/y;

/** Whether what comes after a name is surely no secret. Most often it is none, and need not be looked at any closer. */
function hasPlainValue(line: string, { kind, end }: NameInText): boolean {
  if (kind === 'authorization' || kind === 'cookie' || kind === 'mnemonic') return false;
  plainValue.lastIndex = end;
  words.lastIndex = end;
  return plainValue.test(line) || (kind === 'perhaps token' && words.test(line));
}

/**
 * The line with the secrets replaced that a name, a shape or a place gives away; the same string if there are none. It is read as a person
 * reads it: strings of JSON are decoded, and so are escapes, colours and what is percent-encoded, several levels deep.
 */
export function scan(line: string, values: KnownValues, patterns: OwnPatterns): string {
  const context = { values, patterns, level: 0, depth: 0, isProgress: isProgress(line) };
  return replaceSpans(line, secretsIn(rawView(line), context));
}

/** The secrets in a piece of a longer text, which may begin and end anywhere: it is read as text, even if it happens to be JSON. */
export function spansInPiece(text: string, values: KnownValues, patterns: OwnPatterns): readonly Span[] {
  if (!mayHoldSecret(text)) return [];
  const context = { values, patterns, level: 0, depth: undefined, isProgress: isProgress(text) };
  const view = rawView(text);
  return [...secretsInText(view, context), ...secretsInStrings(view, { ...context, level: 1 })];
}

/** A string of JSON with lines in it: a table is only one if nothing comes before its headings. */
function secretsInStrings(view: View, context: Context): readonly Span[] {
  const { text } = view;
  const found: Span[] = [];
  for (let start = text.indexOf('"'); start >= 0 && start < text.length;) {
    const end = stringEnd(text, start + 1);
    if (text.slice(start + 1, end).includes('\\')) found.push(...secretsIn(jsonString(view, start + 1, end), context));
    start = end;
  }
  return found;
}

/** In a language server's progress the token is what follows it, and no secret. */
function isProgress(line: string): boolean {
  const head = line.slice(0, 500);
  return head.includes('$/progress') || head.includes('window/workDoneProgress/');
}

const maxLevel = 8;

/** The secrets in a text, by their places in the line. */
function secretsIn(view: View, context: Context): readonly Span[] {
  if (context.level > maxLevel) return [];
  // What no escape of a letter is in gives its secrets away before it is decoded.
  if (context.level > 0 && !mayHoldSecret(view.written)) {
    return context.values.mayBeIn(view.written) ? originals(view, context.values.spans(view.text)) : [];
  }
  if (/^\s*[[{"]/.test(view.text) && isJson(view.text)) return new JsonSecrets(context, secretsIn).in(view);
  return secretsInText(view, context);
}

function originals(view: View, spans: readonly Span[]): readonly Span[] {
  return spans.map((span) => view.original(span));
}

function secretsInText(view: View, context: Context): readonly Span[] {
  const spans = [...secretsOf(view.text, context), ...(context.level > 0 ? context.values.spans(view.text) : [])];
  const plain = withoutColours(view);
  const mapped = originals(view, spans);
  if (context.level >= maxLevel) return mapped;
  const next = { ...context, level: context.level + 1, depth: undefined };
  if (plain === undefined) {
    // If it shows nothing undecoded, it shows nothing when more of it is decoded.
    const decoded = mayHoldSecret(view.text) || context.values.mayBeIn(view.text) ? unescaped(view) : undefined;
    return decoded === undefined ? mapped : mapped.concat(secretsInText(decoded, next));
  }
  const others = context.patterns.spans(plain.text).map((span) => plain.original(span));
  return mapped.concat(others, secretsInText(plain, next));
}

function secretsOf(text: string, { isProgress }: Context): readonly Span[] {
  const ends = new ValueEnds(text);
  const spans: Span[] = [];
  let hasUrls = false;
  let hasLogin = false;
  let hasCurl = false;
  for (let trigger = nextTrigger(text, 0); trigger;) {
    hasUrls ||= urlPiece.test(trigger.text);
    hasLogin ||= loginPiece.test(trigger.text) || isLogin(text, trigger.index);
    hasCurl ||= trigger.text.startsWith('curl');
    const found = secretsAt(ends, trigger, isProgress);
    for (const span of found) spans.push(span);
    // A token and a private key are passed whole; the value of a name may end before another one.
    const isWhole = !trigger.isName || trigger.text === 'KEY';
    trigger = nextTrigger(text, Math.max(trigger.index + 1, isWhole ? (found[0]?.end ?? 0) : 0));
  }
  const eastern = easternNames(text).flatMap(({ start, end }) => {
    const name = text.slice(start, end);
    const kind = ends.isCrowded(start) ? undefined : secretKind(name);
    return kind === undefined ? [] : assignedSecrets(ends, { start, end, name, kind });
  });
  return spans.concat(
    eastern,
    hasUrls ? urlSecrets(text) : [],
    hasLogin ? loginSecrets(text) : [],
    hasCurl ? userOptions(ends) : [],
    urlPasswords(text),
    rareShapes(text),
  );
}

/** What a program reads that has its option or its name here. */
function inputSecret(ends: ValueEnds, piece: string, at: number): Span | undefined {
  return piece === '-S' || ends.text.startsWith('chpasswd', at - 2) ? pipedSecret(ends, at) : undefined;
}

const loginPiece = /^(?:pi|ccess)$/;
const urlPiece = /^(?:k[s.]|=|core|c\.|pier)/;

function secretsAt(ends: ValueEnds, { text: piece, index }: Trigger, isProgress: boolean): readonly Span[] {
  const { text } = ends;
  const shape = shapeAround(text, index);
  if (shape !== undefined) return [shape];
  if (/^(?:BY |y \\*["'])/.test(piece)) return identifiedPassword(ends, index + piece.indexOf(' '));
  if (/^v?alues$/i.test(piece)) return insertedSecrets(ends, index);
  if (/^P(?:IN)?$/.test(piece)) return present(onceCode(ends, { end: index + piece.length, start: index }));
  const placed = secretByPosition(ends, index) ?? inputSecret(ends, piece, index);
  if (placed !== undefined) return [placed];
  const header = piece.startsWith('B') ? bearer(ends, index) : undefined;
  if (header !== undefined) return [header];
  if (/^p["',= ]/.test(piece)) return present(optionPassword(ends, index));
  if (/^--(?:p|s|w|d)/.test(piece)) return present(pipedSecret(ends, index));
  if (/^-[pawPkU]/.test(piece)) return present(commandPassword(ends, index));
  if (piece.startsWith('curl')) return [];
  if (piece.startsWith('Convert')) {
    return piece.includes('\\') ? [] : present(quotedPassword(ends, index + piece.length - 1));
  }
  if (piece.startsWith('Client')) {
    return [{ start: index + piece.length, end: index + piece.length + 40, text: marker }];
  }
  const key = piece === 'KEY' ? privateKey(text, index) : undefined;
  if (key !== undefined) return [key];
  if (ends.isCrowded(index)) return [];
  const name = nameAround(text, index);
  return name === undefined || (name.kind === 'plain token' && isProgress) ? [] : assignedSecrets(ends, name);
}
