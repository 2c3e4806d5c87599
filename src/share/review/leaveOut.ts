import type { RunProtocol } from '../../wire/protocol';
import type { DiagnosisData } from '../../diagnosis/diagnosis';
import { isObject } from '../../text/json';
import { isProtocol, protocolNames } from '../../wire/protocol';
import type { RecordWords } from '../../text/record';
import type { EndCause, StderrExcerpt, Termination } from '../../wire/termination';
import { inEnglish } from '../../text/translator';
import { inTermsOf, peerFirst } from '../../protocols/terms';
import type { Usage } from '../../work/activity';
import type {
  SharedContent,
  SharedCut,
  SharedMessage,
  SharedRecord,
  SharedRun,
  SharedSession,
  SharedSpan,
} from '../sharedRun';
import { sharedContents } from '../sharedRun';
import type { TextClass } from './content';
import { classOfRecord, classOfSpan } from './content';
import { leftOut, nameOf, omitted, ownDetail, ownPart, ownWords } from './ownTexts';
import type { Pauses } from './pauses';
import { mapped, messageOf } from './texts';

/**
 * What becomes of each field: `true` keeps it as it is. There is a rule for every field, so that a new one is a type error until someone
 * decides whether it may quote content.
 */
type FieldRules<T> = {
  readonly [Field in keyof Required<T>]:
    true | ((value: Exclude<T[Field], undefined>, whole: T) => T[Field] | undefined);
};

/** Fields whose rule returns `undefined` are left out. */
function keep<T extends object>(whole: T, rules: FieldRules<T>): T {
  const fields = Object.entries(whole).flatMap(([name, value]): readonly (readonly [string, unknown])[] => {
    // A field without a rule isn't in the type.
    const rule = Object.hasOwn(rules, name) ? rules[name as keyof T] : () => undefined;
    const kept: unknown =
      rule === true || value === undefined ? value : (rule as (v: unknown, w: T) => unknown)(value, whole);
    return kept === undefined && value !== undefined ? [] : [[name, kept]];
  });
  return Object.fromEntries(fields) as T;
}

const conversation = ['prompts', 'answers', 'tools'] as const;

const never = (): undefined => undefined;

/** What a text that is left out is called. */
const names: Readonly<Record<TextClass, string>> = {
  prompts: 'prompt',
  answers: 'answer',
  tools: 'tool call',
  wire: 'message',
  stderr: 'stderr',
  free: 'text',
};

/**
 * A run without some of its content. Any text that may quote content is left out with it, whatever it says: log messages, notices, errors,
 * titles, what problems quote, how the run ended. Bodies of messages
 * and standard error are left out with prompts, answers and tools, which they carry.
 * @throws Cancelled
 */
export async function leaveOut(run: SharedRun, left: ReadonlySet<SharedContent>, pauses: Pauses): Promise<SharedRun> {
  if (left.size === 0) return run;
  const leaving = new LeavingOut(left);
  const records = await mapped(run.records, (record) => leaving.record(record), pauses);
  const messages = await mapped(run.messages, (message) => leaving.message(message), pauses);
  const spans = await mapped(run.spans, (span) => leaving.span(span), pauses);
  return keep(run, {
    name: (_, { protocol }) => safeName(protocol),
    protocol: true,
    startedAt: true,
    sharedAt: true,
    termination: (termination) => keep(termination, endFields),
    sessions: (sessions) => sessions.map((session) => keep(session, sessionFields)),
    records: () => records,
    messages: () => messages,
    spans: () => spans,
    cut: (cut) => [...cut, ...leaving.cut],
  });
}

/** The name of a run may be its first prompt, a command or a file. */
function safeName(protocol: RunProtocol): string {
  const run = `${inEnglish(inTermsOf(peerFirst, protocol))} run`;
  return isProtocol(protocol) ? `${run} (${protocolNames[protocol]})` : run;
}

class LeavingOut {
  private readonly counts = new Map<SharedContent, number>();

  constructor(private readonly left: ReadonlySet<SharedContent>) {}

  get cut(): readonly SharedCut[] {
    return sharedContents.flatMap((content): readonly SharedCut[] => {
      const count = this.counts.get(content) ?? 0;
      return count === 0 ? [] : [{ type: 'content', content, count }];
    });
  }

  record(record: SharedRecord): SharedRecord {
    const of = classOfRecord(record);
    const isLeft = this.isLeft(of);
    if (isLeft && of !== 'free') this.count(of);
    return keep(record, {
      seq: true,
      receivedAt: true,
      time: true,
      level: true,
      kind: true,
      sessionId: true,
      logger: nameOf,
      content: true,
      message: (message) => (isLeft ? messageWithout(record, of) : message),
      data: (data) => (isLeft ? dataWithout(record) : data),
      words: (words) => keep(words, wordsFields),
      raw: (raw) => (isLeft || this.isLeft('wire') ? undefined : raw),
      settledBy: true,
    });
  }

  message(message: SharedMessage): SharedMessage {
    const body = (text: string): string => {
      if (!this.isLeft('wire')) return text;
      this.count('wire');
      return omitted('message', text.length);
    };
    return keep(message, {
      at: true,
      kind: true,
      direction: true,
      method: (method) => nameOf(method) ?? leftOut,
      carried: () => '',
      sessionId: true,
      status: true,
      code: true,
      id: (id) => (/^\d{1,9}$/.test(id) ? id : undefined),
      size: true,
      answerSize: true,
      took: true,
      seq: true,
      answerSeq: true,
      message: body,
      answer: (text) => (this.isLeft('wire') ? omitted('message', text.length) : text),
    });
  }

  span(span: SharedSpan): SharedSpan {
    const of = classOfSpan(span);
    return keep(span, {
      id: true,
      parent: true,
      sessionId: true,
      kind: true,
      title: (title, { toolName }) => (this.isLeft(of) ? titleWithout(title, toolName, of) : title),
      startedAt: true,
      endedAt: true,
      outcome: true,
      detail: ownDetail,
      firstSeq: true,
      lastSeq: true,
      usage: (usage) => keep(usage, usageFields),
      toolName: nameOf,
      model: nameOf,
      retries: true,
      changes: (changes) => (this.isLeft('tools') ? undefined : changes),
      diff: (diff) => (this.isLeft('tools') ? undefined : diff),
    });
  }

  /** Free texts are left out with any content. Standard error may quote the conversation, and messages carry it. */
  private isLeft(of: TextClass): boolean {
    if (of === 'free' || this.left.has(of)) return true;
    return (of === 'wire' || of === 'stderr') && conversation.some((content) => this.left.has(content));
  }

  private count(content: SharedContent): void {
    this.counts.set(content, (this.counts.get(content) ?? 0) + 1);
  }
}

const usageFields: FieldRules<Usage> = {
  inputTokens: true,
  outputTokens: true,
  totalTokens: true,
  cachedTokens: true,
  cacheWriteTokens: true,
  reasoningTokens: true,
  contextTokens: true,
  contextWindow: true,
  costUsd: true,
  basis: true,
};

const sessionFields: FieldRules<SharedSession> = { id: true, title: never };

const wordsFields: FieldRules<RecordWords> = { what: ownWords, advice: ownWords };

const causeFields: FieldRules<EndCause> = { what: ownWords, by: true, advice: ownWords, short: ownWords };

const stderrFields: FieldRules<StderrExcerpt> = {
  head: (head, { tail = '' }) => omitted('stderr', head.length + tail.length),
  tail: never,
  truncated: () => true,
  totalLines: true,
};

const endFields: FieldRules<Termination> = {
  reason: true,
  terminatedBy: true,
  message: ownWords,
  exitCode: true,
  signal: (signal) => ownDetail(signal),
  stderr: (stderr) => keep(stderr, stderrFields),
  cause: (cause) => keep(cause, causeFields),
  isUnknown: true,
};

function messageWithout({ message, words, logger, kind }: SharedRecord, of: TextClass): string {
  if (words) return messageOf(keep(words, wordsFields));
  const own = of === 'free' && (kind === 'activity' || kind === 'lifecycle') ? ownPart(message) : undefined;
  if (own === message) return own;
  const gone = omitted(logger === 'thought' ? 'thought' : names[of], lengthOf(message) - (own?.length ?? 0));
  return own === undefined ? gone : `${own} (${gone})`;
}

const isNumber = (value: unknown): value is number => typeof value === 'number';

const problemFields: Omit<FieldRules<DiagnosisData>, 'advice'> = {
  code: true,
  count: true,
  since: true,
  evidence: (seqs) => seqs.filter(isNumber),
  offers: true,
  // The agent may have named the package.
  install: never,
  settles: (seqs) => seqs.filter(isNumber),
};

/** Problems keep their code, their counts, the records that show them, and the product's own advice. */
function dataWithout({ kind, data, words }: SharedRecord): unknown {
  if (kind !== 'diagnosis' || !isObject(data)) return undefined;
  const advice = words?.advice && inEnglish(ownWords(words.advice));
  return keep(data as object as DiagnosisData, { ...problemFields, advice: () => advice });
}

function titleWithout(title: string, toolName: string | undefined, of: TextClass): string {
  const tool = toolName === undefined ? undefined : nameOf(toolName);
  const gone = omitted(names[of], title.length);
  return tool === undefined ? gone : `${tool} (${gone})`;
}

const cutEnd = /… \((\d+) more characters\)$/;

/** The length of a message before it was cut. */
function lengthOf(message: string): number {
  const missing = cutEnd.exec(message);
  return missing ? missing.index + Number(missing[1]) : message.length;
}
