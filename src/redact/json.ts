import { isColonNext, isSpace, stringEnd } from '../text/jsonText';
import { commandPassword } from './placed/commandPasswords';
import { secretAfter } from './placed/positions';
import { ValueEnds } from './ends';
import type { KnownValues } from './knownValues';
import type { Name } from './assigned/named';
import { quotedSecret } from './assigned/named';
import type { SecretKind } from './names';
import { isSecretHeader, kindOfOption, secretKind } from './names';
import type { OwnPatterns } from './ownPatterns';
import { optionPassword } from './places';
import { rareShapes, shapeAround } from './shapes/shapes';
import type { Span } from './span';
import { marker, present } from './span';
import { nextTrigger } from './trigger';
import { isBrokenToken, isOpaque, isPlaceholder } from './values';
import type { View } from './view';
import { jsonString, sliceOf } from './view';

/** A string, number or literal in JSON. */
interface JsonValue {
  /** The decoded content of a string; a number or literal unchanged. */
  readonly view: View;
  readonly isString: boolean;
  /** Whether a language model's `logprob` or `bytes` follow: it is a word or a piece of one. */
  readonly isWord: boolean;
}

/** What is known about the text that a view is part of. */
export interface Context {
  readonly values: KnownValues;
  readonly patterns: OwnPatterns;
  /** How many times the text has been decoded. */
  readonly level: number;
  /** Whether it is a language server's progress, whose token is no secret. */
  readonly isProgress: boolean;
  /** How many JSON strings enclose it, if it is JSON all the way out. */
  readonly depth: number | undefined;
}

const quote = 34;

const literal = /[^\s,\]}]+/y;

const ofWord = /\s{0,8},\s{0,40}"(?:logprob|bytes)"/y;

function isWordNext(text: string, at: number): boolean {
  ofWord.lastIndex = at;
  return ofWord.test(text);
}

/** An object or a list that has begun, and what was in it last. */
interface Container {
  readonly isObject: boolean;
  /** The member that is being read; of a list, the one that the list belongs to. */
  name: string | undefined;
  /** Whether it is a login in an agent's own file: `{"type":"api","key":"…"}`. */
  isLogin: boolean;
  /** Its `key`, which may come before its `type`. */
  key: View | undefined;
  /** The text before, in a list. */
  previous: View | undefined;
  /** The words of a command, in a list, or of an object the command that a list in it has arguments for. */
  readonly words: string[];
  /** In an object, the name that is itself a value, and the value that belongs to it: `{"name":"API_KEY","value":"…"}`. */
  pairName: string | undefined;
  pairValue: View | undefined;
  /** The field for a password that something is typed into, and what it is: `{"element":"Password field","text":"…"}`. */
  field: string | undefined;
  typed: View | undefined;
  /** Whether it is a Kubernetes Secret, and the values of its data, which may come before its kind. */
  isSecret: boolean;
  readonly data: View[];
  /** The object that it is the data of. */
  readonly dataOf: Container | undefined;
}

/** No token and no value that is known to be secret is shorter. */
const minSecret = 6;

const logins = /^api(?:[_-]?key)?$/i;

const pairNames = /^(?:name|key|header|variable|field)$/i;

/** Finds the secrets in JSON by its structure: names, values and lists are known, and each text is looked at decoded. */
export class JsonSecrets {
  readonly #context: Context;
  /** That of the strings in it. */
  readonly #inner: Context;
  readonly #secretsIn: (view: View, context: Context) => readonly Span[];
  readonly #spans: Span[] = [];
  readonly #containers: Container[] = [];

  constructor(context: Context, secretsIn: (view: View, context: Context) => readonly Span[]) {
    const { level, depth } = context;
    this.#context = context;
    this.#inner = { ...context, level: level + 1, depth: depth === undefined ? undefined : depth + 1 };
    this.#secretsIn = secretsIn;
  }

  /** The secrets in a text that is valid JSON. */
  in(view: View): readonly Span[] {
    const { text } = view;
    for (let at = 0; at < text.length;) {
      const code = text.charCodeAt(at);
      if (code === quote) {
        const end = stringEnd(text, at + 1);
        const content = jsonString(view, at + 1, end);
        at = end + 1;
        if (isColonNext(text, at)) this.#name(content);
        else this.#value({ view: content, isString: true, isWord: isWordNext(text, at) });
      } else if (isSpace(code) || code === 44 || code === 58) {
        at++;
      } else if (code === 123 || code === 91) {
        this.#open(code === 123);
        at++;
      } else if (code === 125 || code === 93) {
        this.#close();
        at++;
      } else {
        literal.lastIndex = at;
        literal.test(text);
        this.#value({ view: sliceOf(view, at, literal.lastIndex), isString: false, isWord: false });
        at = Math.max(at + 1, literal.lastIndex);
      }
    }
    return this.#spans;
  }

  #open(isObject: boolean): void {
    const outer = this.#containers.at(-1);
    this.#containers.push({
      isObject,
      name: isObject ? undefined : outer?.name,
      isLogin: false,
      key: undefined,
      previous: undefined,
      words: outer?.isObject === true ? [...outer.words] : [],
      pairName: undefined,
      pairValue: undefined,
      field: undefined,
      typed: undefined,
      isSecret: false,
      data: [],
      dataOf: isObject && /^(?:data|stringData)$/.test(outer?.name ?? '') ? outer : undefined,
    });
  }

  #close(): void {
    const closed = this.#containers.pop();
    if (closed?.isSecret !== true) return;
    for (const view of closed.data) {
      if (!isPlaceholder(view.text)) this.#add(view, [{ start: 0, end: view.text.length, text: marker }]);
    }
  }

  /** Names stay unchanged, unless they are secrets themselves. */
  #name(name: View): void {
    const container = this.#containers.at(-1);
    if (container !== undefined) container.name = name.text;
    const { text } = name;
    if (text.length < minSecret) return;
    for (let trigger = nextTrigger(text, 0); trigger;) {
      const shape = shapeAround(text, trigger.index);
      this.#add(name, present(shape));
      // A token may be as long as the name.
      trigger = nextTrigger(text, Math.max(trigger.index + 1, shape?.end ?? 0));
    }
    this.#add(name, rareShapes(text));
    this.#add(name, this.#context.values.spans(text));
  }

  #value(value: JsonValue): void {
    const container = this.#containers.at(-1);
    if (!value.isString) this.#literal(value.view, container);
    else if (!this.#isNamedSecret(value, container)) this.#text(value.view);
    if (container !== undefined && value.isString) this.#remember(container, value.view);
  }

  #text(view: View): void {
    if (view.written.length < minSecret) return;
    for (const span of this.#secretsIn(view, this.#inner)) this.#spans.push(span);
  }

  #isNamedSecret(value: JsonValue, container: Container | undefined): boolean {
    const name = container && nameOf(container, value.view);
    if (name === undefined || (name.kind === 'plain token' && (this.#context.isProgress || value.isWord))) return false;
    return this.#addSecret(name, value.view);
  }

  #addSecret(name: Name, view: View): boolean {
    const found = quotedSecret(new ValueEnds(view.text), name, 0, view.text.length);
    this.#add(view, found);
    return found.length > 0;
  }

  /** A password of nothing but digits may be a number. */
  #literal(view: View, container: Container | undefined): void {
    const { depth } = this.#context;
    if (container?.isObject !== true || container.name === undefined || depth === undefined) return;
    if (!/^\d{4,}$/.test(view.text) || secretKind(container.name) !== 'password') return;
    let text = `"${marker}"`;
    for (let n = 0; n < depth; n++) text = JSON.stringify(text).slice(1, -1);
    this.#add(view, [{ start: 0, end: view.text.length, text }]);
  }

  /** The type of a login may come behind its key. */
  #login(container: Container, type: View): void {
    container.isLogin = logins.test(type.text);
    if (container.isLogin && container.key) this.#addSecret({ name: 'key', kind: 'perhaps token' }, container.key);
  }

  #remember(container: Container, view: View): void {
    if (!container.isObject) {
      this.#argument(container, view);
      container.previous = view;
      if (container.words.length < 8 && view.written.length < 64) container.words.push(view.text);
      return;
    }
    container.dataOf?.data.push(view);
    if (container.name === 'command' && view.written.length < 64) container.words.push(view.text);
    if (container.name === 'kind') container.isSecret = view.text === 'Secret';
    if (container.name === 'type') this.#login(container, view);
    if (container.name === 'key') container.key = view;
    if (container.name === 'text') container.typed = view;
    else if (container.name === 'element') container.field = fieldName(view.text);
    else if (container.name?.toLowerCase() === 'value') container.pairValue = view;
    else if (pairNames.test(container.name ?? '')) container.pairName ??= view.text;
    else return;
    this.#pair(container);
  }

  #pair({ pairName, pairValue, field, typed }: Container): void {
    if (field !== undefined && typed !== undefined) this.#addSecret({ name: field, kind: 'password' }, typed);
    const kind = pairName === undefined ? undefined : secretKind(pairName);
    if (pairName !== undefined && pairValue !== undefined && kind !== undefined) {
      this.#addSecret({ name: pairName, kind }, pairValue);
    }
  }

  /** The password in an argument of a command: after its option, or behind it. */
  #argument({ words, previous }: Container, view: View): void {
    const { text } = view;
    const option = previous?.text ?? '';
    const isAfter = /^-(?:[upawPkU]|-user|pass(?:in|out)?)$/.test(option);
    if (!isAfter && !/^-[pP]./.test(text)) return this.#add(view, present(secretAfter(words, text)));
    const before = `${words.join(' ')} ${isAfter ? `${option} ` : ''}"`;
    const at = isAfter ? before.length - 2 - option.length : before.length;
    const ends = new ValueEnds(`${before}${text}"`);
    const found = /^--?u(?:ser)?$/.test(option) ? optionPassword(ends, at) : commandPassword(ends, at);
    if (found) this.#add(view, [{ ...found, start: found.start - before.length, end: text.length }]);
  }

  #add(view: View, spans: readonly Span[]): void {
    for (const span of spans) this.#spans.push(view.original(span));
  }
}

/** The name of an option or a header is shorter. */
const maxOption = 200;

/** The name that gives a text away: its member's, that of the list it is in, or the option or header before it. */
function nameOf({ isObject, name = '', isLogin, previous: before }: Container, view: View): Name | undefined {
  if (name === 'refresh' || (isLogin && name === 'key')) return { name, kind: 'perhaps token' };
  if (isObject) return named(name, secretKind(name));
  const previous = before === undefined || before.written.length > maxOption ? '' : before.text;
  const kind = secretKind(name);
  if (kind === undefined && previous === '') return undefined;
  const { text } = view;
  if (previous.startsWith('-')) {
    // What begins with a dash is the next argument, but for a token that happens to.
    const isArgument = text.startsWith('-') && !isOpaque(text) && !isBrokenToken(text);
    return isArgument ? undefined : named(previous, kindOfOption(previous));
  }
  if (isSecretHeader(previous) && !/^[a-z]+:\/\//.test(text)) return named(previous, secretKind(previous));
  const mayBeLong = kind === 'cookie' || kind === 'authorization' || kind === 'password' || kind === 'mnemonic';
  return mayBeLong || !/\s/.test(text) ? named(name, kind) : undefined;
}

/** The name of a field if it is one for a secret, without what says that it is a field: as Playwright's MCP server has it. */
function fieldName(element: string): string | undefined {
  if (element.length > maxOption) return undefined;
  const name = element.replace(/(?: (?:text ?box|input|field|box))+$/i, '').replaceAll(' ', '_');
  return secretKind(name) === undefined ? undefined : name;
}

function named(name: string, kind: SecretKind | undefined): Name | undefined {
  return kind && { name, kind };
}
