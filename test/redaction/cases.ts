import type { Carrier } from './carriers/carrier';
import { commands } from './carriers/commands';
import { configs } from './carriers/configs';
import { env } from './carriers/env';
import { headers } from './carriers/headers';
import { json } from './carriers/json';
import { languages } from './carriers/languages';
import { layouts } from './carriers/layouts';
import { source } from './carriers/source';
import { urls } from './carriers/urls';
import type { Channel, FileKind, Line } from './channels';
import { channels } from './channels';
import { facts, namedFacts } from './facts';
import type { Form } from './forms';
import { escapedForms, plain, written } from './forms';
import type { Style } from './names';
import { nameFor, styled } from './names';
import { contexts } from './prose';
import type { Random } from './random';
import type { Kind } from './secrets';
import { kinds, secretOf } from './secrets';
import { ofShape } from './shape';

const carriers = [json, env, headers, urls, source, commands, configs, layouts, languages].flat();

/** One secret in one text. */
export interface Case {
  readonly set: 'named' | 'vendor key' | 'prose';
  readonly group: string;
  /** Its row: a carrier, or a place in prose. */
  readonly row: string;
  /** The words of the secret's name. */
  readonly name?: string;
  /** Its column: a kind of secret, or a vendor's rule. */
  readonly column: string;
  readonly form: Form;
  readonly channel: Channel;
  readonly secret: string;
  readonly text: string;
  readonly lines: readonly Line[];
}

export interface Amounts {
  /** For each carrier and kind, plain; the same number again escaped. */
  readonly named: number;
  /** For each key that is only recognizable by its name. */
  readonly vendorKeys: number;
  /** For each vendor's token format. */
  readonly prose: number;
}

type Draft = Pick<Case, 'set' | 'group' | 'row' | 'name' | 'column' | 'secret' | 'text'>;

/** All cases in random order, the same for the same seed. */
export function casesOf(random: Random, amounts: Amounts): readonly Case[] {
  const cases: Case[] = [];
  const add = (draft: Draft, carrier: Pick<Carrier, 'isData' | 'needsLines'>, form: Form): void => {
    const channel = random.pick(channels.filter((one) => fits(one, carrier)));
    cases.push(sent(draft, carrier.isData === true, form, channel, cases.length + 1));
  };
  for (const carrier of carriers) {
    for (const kind of carrier.kinds ?? kinds) {
      for (let n = 0; n < amounts.named * 2; n++) {
        const draft = named(carrier, kind, random);
        if (draft) add(draft, carrier, n < amounts.named ? plain : random.pick(formsFor(carrier)));
      }
    }
  }
  for (const [words, shape] of namedFacts) {
    for (let n = 0; n < amounts.vendorKeys; n++) {
      const carrier = random.pick(general);
      const draft = inCarrier(carrier, words, random.pick(carrier.styles), ofShape(shape, random), random);
      const form = n % 2 === 0 ? plain : random.pick(escapedForms);
      add({ set: 'vendor key', group: 'vendor key', column: words, ...draft }, carrier, form);
    }
  }
  for (const { vendor, rule, shape } of facts) {
    for (let n = 0; n < amounts.prose; n++) {
      const [row, text] = random.pick(contexts);
      const secret = ofShape(shape, random);
      const draft = { row, secret, text: text.replace('%', () => secret) };
      const form = n % 4 === 0 ? random.pick(escapedForms) : plain;
      add({ set: 'prose', group: 'prose', column: `${vendor} ${rule}`, ...draft }, {}, form);
    }
  }
  return cases;
}

/** In these, a vendor's key has no name, or its characters would end it. */
const unnamed = new Set(['Java toString', '.netrc', 'sshpass', '--auth', 'curl -u', 'curl -u, quoted', 'curl --user']);

/** Carriers for the keys of all vendors. */
const general = carriers.filter(
  ({ name, kinds: allowed, isData }) => allowed === undefined && isData !== true && !unnamed.has(name),
);

/** Maximum number of nested JSON strings. */
const maxDepth = 4;

function formsFor({ isData, depth = 0 }: Carrier): readonly Form[] {
  return escapedForms.filter((form) => (isData === true ? form.depth === 0 : form.depth + depth <= maxDepth));
}

function fits({ takesData, isRaw }: Channel, { isData, needsLines }: Pick<Carrier, 'isData' | 'needsLines'>): boolean {
  if (isData === true) return takesData === true;
  return takesData !== true && !(isRaw === true && needsLines === true);
}

/** `undefined` for a secret that can't be written there. */
function named(carrier: Carrier, kind: Kind, random: Random): Draft | undefined {
  for (let n = 0; n < 40; n++) {
    const value = secretOf(kind, random);
    if (carrier.not?.test(value)) continue;
    const style = random.pick(carrier.styles);
    const name = nameFor(kind, style, random);
    const draft = inCarrier(carrier, name, style, value, random);
    return { set: 'named', group: carrier.group, column: kind, name, ...draft };
  }
  return undefined;
}

function inCarrier(
  carrier: Carrier,
  words: string,
  style: Style,
  value: string,
  random: Random,
): Pick<Draft, 'row' | 'secret' | 'text'> {
  const made = carrier.text(styled(words, style), value, random);
  return { row: carrier.name, ...(typeof made === 'string' ? { text: made, secret: value } : made) };
}

function sent(draft: Draft, isData: boolean, form: Form, channel: Channel, id: number): Case {
  const { text, json: value } = written(draft.text, form, isData);
  // A raw channel has no string to escape in: an agent logs a line of JSON there.
  const raw = form.isPlain || form.depth > 0 ? text : `{"level":"info","msg":${value}}`;
  return { ...draft, form, channel, lines: channel.lines(value, raw, id) };
}

/** The lines of each file. */
export function linesOf(cases: readonly Case[]): ReadonlyMap<FileKind, readonly Line[]> {
  const files = new Map<FileKind, Line[]>();
  for (const { channel, lines } of cases) {
    const file = files.get(channel.file) ?? [];
    file.push(...lines);
    files.set(channel.file, file);
  }
  return files;
}
