import type { RecordWords } from '../../text/record';
import type { Termination } from '../../wire/termination';
import type { Words } from '../../text/translator';
import { mapArgs } from '../../text/translator';
import type { SharedContent, SharedCut, SharedMessage, SharedRecord, SharedRun, SharedSpan } from '../sharedRun';
import { sharedContents } from '../sharedRun';
import { contentOfLine, contentOfMessage, contentOfRecord, contentOfSpan, conversation, kindOf } from './content';
import { leftOut, LeftOutTexts } from './leftOutTexts';
import type { Pauses } from './pauses';
import { isStructural, omitted, structureOf } from './structure';
import type { TextChange } from './texts';
import { mapCause, mapLines, mapped, mapValue, messageOf } from './texts';

/** Members of messages that have a text in a language. */
const said = /^(?:text|content|prompt|title|message|thinking)$/;

/** What a text that is left out is called, for the first of its contents. */
const names = {
  prompts: 'prompt',
  answers: 'answer',
  tools: 'tool call',
  wire: 'message',
  stderr: 'stderr',
} as const;

/**
 * A run without some of its content. What is left out says so in its place, and what quotes it elsewhere loses the quotation: titles of
 * sessions and spans, problems, log messages, bodies of messages, how the run ended.
 * @throws Cancelled
 */
export async function leaveOut(run: SharedRun, left: ReadonlySet<SharedContent>, pauses: Pauses): Promise<SharedRun> {
  return left.size === 0 ? run : new LeavingOut(run, left, pauses).result();
}

class LeavingOut {
  private readonly texts = new LeftOutTexts();
  private readonly counts = new Map<SharedContent, number>();
  private readonly strip: TextChange = {
    mayChange: () => !this.texts.isEmpty,
    change: (text, _, field) => (isStructural(text, field) ? text : this.texts.strip(text)),
  };

  constructor(
    private readonly run: SharedRun,
    private readonly left: ReadonlySet<SharedContent>,
    private readonly pauses: Pauses,
  ) {}

  async result(): Promise<SharedRun> {
    const { run, pauses } = this;
    await this.learn();
    await this.texts.prepare(this.pauses);
    const records = await mapped(run.records, (record) => this.record(record), pauses);
    const messages = await mapped(run.messages, (message) => this.message(message), pauses);
    const spans = await mapped(run.spans, (span) => this.span(span), pauses);
    const cut = sharedContents.flatMap((content): readonly SharedCut[] => {
      const count = this.counts.get(content) ?? 0;
      return count === 0 ? [] : [{ type: 'content', content, count }];
    });
    return {
      ...run,
      sessions: run.sessions.map(({ title, ...session }) => ({
        ...session,
        // An agent makes titles of prompts and answers.
        ...(title !== undefined && !this.isLeft(conversation) && { title: this.texts.strip(title) }),
      })),
      ...(run.termination && { termination: this.termination(run.termination) }),
      records,
      messages,
      spans,
      cut: [...run.cut, ...cut],
    };
  }

  private isLeft(contents: readonly SharedContent[]): boolean {
    return contents.some((content) => this.left.has(content));
  }

  /** Collects the texts that are left out, to find them elsewhere. The wire has them complete, records may be cut. */
  private async learn(): Promise<void> {
    for (const record of this.run.records) {
      const contents = contentOfRecord(record);
      const [first] = contents;
      // What may be another content, which stays, is no evidence.
      if (first !== undefined && first !== 'wire' && contents.every((content) => this.left.has(content))) {
        const isWords = first === 'prompts' || first === 'answers';
        this.texts.add(withoutCount(record.message), isWords);
        this.addAll(record.data, isWords);
      }
      if (this.pauses.isDue) await this.pauses.pause();
    }
    for (const entry of this.run.messages) {
      const [first, ...others] = contentOfMessage(entry);
      if (first !== undefined && others.length === 0 && this.left.has(first)) {
        if (entry.message !== undefined) this.addLine(entry.message, first !== 'tools');
        // The answer to a prompt says how the turn ended.
        if (entry.answer !== undefined && first === 'tools') this.addLine(entry.answer, false);
      }
      if (this.pauses.isDue) await this.pauses.pause();
    }
    const { stderr } = this.run.termination ?? {};
    if (!this.left.has('stderr') || !stderr) return;
    for (const text of [stderr.head, stderr.tail]) if (text !== undefined) this.texts.add(text, false);
  }

  private addLine(line: string, isWords: boolean): void {
    mapLines(line, this.adding(isWords), { tab: 'wire' });
  }

  private addAll(data: unknown, isWords: boolean): void {
    if (data !== undefined) mapValue(data, this.adding(isWords), { tab: 'log' });
  }

  private adding(isWords: boolean): TextChange {
    return {
      mayChange: () => true,
      change: (text, _, field) => {
        if (!isStructural(text, field)) this.texts.add(text, isWords && said.test(field ?? ''));
        return text;
      },
    };
  }

  private record(record: SharedRecord): SharedRecord {
    const { data, raw: _, words, ...rest } = record;
    const [first, ...others] = contentOfRecord(record).filter((content) => this.left.has(content));
    if (first !== undefined) {
      for (const content of [first, ...others]) this.count(content);
      const what = record.logger === 'thought' ? 'thought' : names[first];
      return { ...rest, message: omitted(what, lengthOf(record.message)) };
    }
    const place = { tab: 'log', seq: record.seq } as const;
    const changed = words && this.words(words);
    const message = changed && messageOf(changed) !== messageOf(words) ? messageOf(changed) : record.message;
    const line = this.raw(record);
    return {
      ...rest,
      message: this.texts.strip(message),
      ...(changed && { words: changed }),
      ...(data !== undefined && { data: mapValue(data, this.strip, place) }),
      ...(line !== undefined && { raw: line }),
    };
  }

  /** A record of a count may have been read from the line of an answer. */
  private raw({ raw, kind, seq }: SharedRecord): string | undefined {
    if (raw === undefined || this.left.has('wire')) return undefined;
    const isOwn = kind === 'log' || kind === 'stderr';
    const isKept = isOwn || !this.isLeft(contentOfLine(raw));
    const line = isKept ? raw : (structureOf(raw) ?? omitted('message', raw.length));
    return mapLines(line, this.strip, { tab: 'log', seq });
  }

  private message(entry: SharedMessage): SharedMessage {
    const contents = contentOfMessage(entry);
    const isContent = this.isLeft(contents);
    const carried = isContent ? (kindOf(entry.carried) ?? '') : this.texts.strip(entry.carried);
    const { message, answer, ...rest } = entry;
    if (message !== undefined && this.left.has('wire')) this.count('wire');
    return {
      ...rest,
      carried,
      ...(message !== undefined && { message: this.body(message, isContent, entry.seq) }),
      ...(answer !== undefined && { answer: this.body(answer, isContent, entry.seq) }),
    };
  }

  private body(line: string, isContent: boolean, seq: number): string {
    if (this.left.has('wire')) return omitted('message', line.length);
    if (isContent) return structureOf(line) ?? omitted('message', line.length);
    return mapLines(line, this.strip, { tab: 'wire', seq });
  }

  private span(span: SharedSpan): SharedSpan {
    const { detail, ...rest } = span;
    const [first] = contentOfSpan(span).filter((content) => this.left.has(content));
    // The detail of a tool call may be its output.
    const isOutput = span.kind === 'tool' && this.left.has('tools') && !/^exit -?\d+$/.test(detail ?? '');
    const shown = detail === undefined ? undefined : isOutput ? leftOut : this.argument(detail);
    return {
      ...rest,
      title: first === undefined ? this.texts.strip(span.title) : this.titleOf(span, first),
      ...(shown !== undefined && { detail: shown }),
    };
  }

  private titleOf({ title, toolName }: SharedSpan, content: SharedContent): string {
    const isName = toolName !== undefined && /^[\w.:/-]{1,80}$/.test(toolName);
    const text = omitted(names[content], title.length);
    return content === 'tools' && isName ? `${toolName} (${text})` : text;
  }

  private termination(termination: Termination): Termination {
    const { message, stderr, cause, ...rest } = termination;
    const isStderrLeft = this.left.has('stderr');
    const { what: _, ...ours } = cause ?? {};
    const kept = cause?.by !== undefined && isStderrLeft ? ours : cause;
    const strip = (text: string | undefined): string | undefined => text && this.texts.strip(text);
    const [head, tail] = [strip(stderr?.head), strip(stderr?.tail)];
    return {
      ...rest,
      ...(message && { message: this.args(message) }),
      ...(stderr && {
        stderr: isStderrLeft
          ? { truncated: true, totalLines: stderr.totalLines, head: omitted('stderr', sizeOf(stderr)) }
          : { ...stderr, ...(head !== undefined && { head }), ...(tail !== undefined && { tail }) },
      }),
      ...(kept && { cause: mapCause(kept, (words) => this.args(words)) }),
    };
  }

  private words({ what, advice }: RecordWords): RecordWords {
    return { what: this.args(what), ...(advice && { advice: this.args(advice) }) };
  }

  /** What a text of ours quotes is its arguments. */
  private args(words: Words): Words {
    return mapArgs(words, (arg) => this.argument(arg));
  }

  private argument(text: string): string {
    const stripped = this.texts.strip(text);
    if (stripped !== text || isOurs(text, this.run)) return stripped;
    return this.texts.has(text) ? leftOut : text;
  }

  private count(content: SharedContent): void {
    this.counts.set(content, (this.counts.get(content) ?? 0) + 1);
  }
}

const measure = /^[\d.,:]+ ?[\p{L}%]{0,6}(?: [\d.,]+ ?[\p{L}]{1,6})?$/u;
const method = /^[$\w]{1,40}(?:\/[$\w]{1,40}){1,3}$/;
const ourWords =
  /^(?:exit|code|signal|status|error|end_turn|max_tokens|cancelled|refusal|stderr|stdout|stdin|SIG[A-Z]+)(?: -?\d+)?$/;

/** A number, a method, the agent's name: texts that problems name without quoting anything. */
function isOurs(text: string, { name }: SharedRun): boolean {
  return text === name || measure.test(text) || method.test(text) || ourWords.test(text);
}

const cutEnd = /… \((\d+) more characters\)$/;

function withoutCount(message: string): string {
  return message.replace(cutEnd, '');
}

/** The length of a message before it was cut. */
function lengthOf(message: string): number {
  const missing = cutEnd.exec(message);
  return missing ? missing.index + Number(missing[1]) : message.length;
}

function sizeOf({ head = '', tail = '' }: { readonly head?: string; readonly tail?: string }): number {
  return head.length + tail.length;
}
