import { deepJson } from '../../text/jsonText';
import { PersonalFinder, personalKinds } from '../../redact/review/personal';
import type { PersonalKind, PersonalNames } from '../../redact/review/personal';
import { redactionsIn } from '../../redact/review/redactions';
import type { HarmlessShape } from '../../redact/review/suspects';
import { longTokensIn } from '../../redact/review/suspects';
import { marker } from '../../redact/span';
import { shownLine } from '../../text/text';
import type { Words } from '../../text/translator';
import { inEnglish } from '../../text/translator';
import type { SharedContent, SharedRun } from '../sharedRun';
import { sharedContents } from '../sharedRun';
import { classOfRecord } from './content';
import type { Pauses } from './pauses';
import type { TextPlace } from './place';
import type { TextChange } from './texts';
import { mapTexts } from './texts';

/** Something that was found in a run's texts, once or more often. */
export interface Found<What> {
  readonly what: What;
  readonly count: number;
  /** The first of its places. */
  readonly places: readonly TextPlace[];
}

/** A long text of a kind of content. */
export interface LargeText {
  readonly place: TextPlace;
  /** Its beginning. */
  readonly text: string;
  readonly characters: number;
}

export interface ContentSize {
  readonly count: number;
  readonly characters: number;
  /** The largest first. */
  readonly largest: readonly LargeText[];
}

/** What a person should know of a run before it is shared. */
export interface Findings {
  /** What was cut before it was stored, by what it was. */
  readonly redactions: readonly Found<Words>[];
  /** What may be a secret and wasn't cut. */
  readonly suspects: readonly Found<string>[];
  /** Long tokens that are known to be harmless. */
  readonly harmless: Readonly<Record<HarmlessShape, number>>;
  readonly personal: Readonly<Record<PersonalKind, readonly Found<string>[]>>;
  readonly contents: Readonly<Record<SharedContent, ContentSize>>;
  /** The names that are replaced in the run. */
  readonly names: PersonalNames;
}

/** Maximum number of different things in a list, and of places of each. */
const maxFound = 500;
const maxPlaces = 20;
const maxLargest = 10;
const maxUsers = 20;
const maxPreview = 80;

/**
 * Finds what a person should know of a run before it is shared.
 * @param names of this machine
 * @throws Cancelled
 */
export async function findIn(run: SharedRun, names: PersonalNames, pauses: Pauses): Promise<Findings> {
  const all: PersonalNames = { ...names, users: [...new Set([...names.users, ...(await usersOf(run, pauses))])] };
  const search = new Search(new PersonalFinder(all));
  await mapTexts(run, search, pauses);
  return { ...search.found, contents: await sizes(run, pauses), names: all };
}

/** The names in the home folders of the run, which may be of another machine. */
async function usersOf(run: SharedRun, pauses: Pauses): Promise<readonly string[]> {
  const finder = new PersonalFinder();
  const counts = new Map<string, number>();
  const count = (text: string): string => {
    for (const user of finder.usersIn(text)) {
      if (counts.size < 1000 || counts.has(user)) counts.set(user, (counts.get(user) ?? 0) + 1);
    }
    return text;
  };
  // Escapes change nothing in a name.
  const mayChange = (json: string): boolean => count(json) !== json;
  await mapTexts(run, { mayChange, change: count }, pauses);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, maxUsers)
    .map(([user]) => user);
}

/** Finds everything that may be said of texts, and changes none. */
class Search implements TextChange {
  private readonly redactions = new Counts<Words>();
  private readonly suspects = new Counts<string>();
  private readonly harmless = { uuid: 0, hash: 0, id: 0, data: 0 };
  private readonly personal = new Map<PersonalKind, Counts<string>>(
    personalKinds.map((kind) => [kind, new Counts<string>()]),
  );

  /** A record's line is often the body of a message, too. */
  private readonly lines = new Set<string>();

  constructor(private readonly finder: PersonalFinder) {}

  get found(): Omit<Findings, 'contents' | 'names'> {
    const of = (kind: PersonalKind): readonly Found<string>[] => this.personal.get(kind)?.list ?? [];
    return {
      redactions: this.redactions.list,
      suspects: this.suspects.list,
      harmless: this.harmless,
      personal: { home: of('home'), user: of('user'), host: of('host'), email: of('email') },
    };
  }

  mayChange(json: string): boolean {
    const isNew = !this.lines.has(json);
    this.lines.add(json);
    return isNew;
  }

  change(text: string, place: TextPlace, field?: string): string {
    if (text.includes(marker)) {
      for (const words of redactionsIn(text, field)) this.redactions.add(inEnglish(words), words, place);
    }
    const { suspects, harmless } = longTokensIn(text, field);
    for (const { value } of suspects) this.suspects.add(value, value, place);
    for (const [shape, count] of Object.entries(harmless)) this.harmless[shape as HarmlessShape] += count;
    for (const { kind, start, end } of this.finder.in(text)) {
      const found = text.slice(start, end);
      this.personal.get(kind)?.add(found, found, place);
    }
    return text;
  }
}

class Counts<What> {
  private readonly all = new Map<string, { readonly what: What; count: number; readonly places: TextPlace[] }>();

  /** The most frequent first. */
  get list(): readonly Found<What>[] {
    return [...this.all.values()].sort((a, b) => b.count - a.count);
  }

  add(key: string, what: What, place: TextPlace): void {
    const known = this.all.get(key);
    if (!known) {
      if (this.all.size < maxFound) this.all.set(key, { what, count: 1, places: [place] });
      return;
    }
    const last = known.places.at(-1);
    // A record and the line that it was read from have the same text.
    if (last?.tab === place.tab && last.seq === place.seq) return;
    known.count++;
    if (known.places.length < maxPlaces) known.places.push(place);
  }
}

async function sizes(run: SharedRun, pauses: Pauses): Promise<Findings['contents']> {
  const counts = new Map(sharedContents.map((content) => [content, new Sizes()]));
  const add = (content: SharedContent, text: string, characters: number, place: TextPlace): void =>
    counts.get(content)?.add(text, characters, place);
  for (const record of run.records) {
    const content = classOfRecord(record);
    const { seq, message, data } = record;
    const more = data === undefined ? 0 : deepJson(data).length;
    if (content !== 'free') add(content, message, message.length + more, { tab: 'log', seq });
    if (pauses.isDue) await pauses.pause();
  }
  for (const entry of run.messages) {
    const { message = '', answer = '', seq, method, carried } = entry;
    const characters = message.length + answer.length;
    if (characters === 0) continue;
    add('wire', [method, carried].join(' ').trim(), characters, { tab: 'wire', seq });
    if (pauses.isDue) await pauses.pause();
  }
  const of = (content: SharedContent): ContentSize => counts.get(content) ?? new Sizes();
  return {
    prompts: of('prompts'),
    answers: of('answers'),
    tools: of('tools'),
    wire: of('wire'),
    stderr: of('stderr'),
  };
}

class Sizes implements ContentSize {
  count = 0;
  characters = 0;
  largest: readonly LargeText[] = [];

  add(text: string, characters: number, place: TextPlace): void {
    this.count++;
    this.characters += characters;
    const least = this.largest.at(-1);
    if (this.largest.length >= maxLargest && least && characters <= least.characters) return;
    const one = { text: shownLine(text, maxPreview), characters, place };
    this.largest = [...this.largest, one].sort((a, b) => b.characters - a.characters).slice(0, maxLargest);
  }
}
