import type { Translator } from '../text/translator';
import { english, localized } from '../text/translator';
import type { ExplorerRun } from '../runLog/explorerRun';
import { Answers } from '../explorer/page/answers';
import { dispatch } from '../explorer/page/dispatch';
import type {
  CallMessage,
  CopyAction,
  Handlers,
  HostMessage,
  Pushes,
  RecordAction,
  RunInfo,
} from '../explorer/page/messages';
import { copyActions, firstGen } from '../explorer/page/messages';
import { readState } from '../explorer/page/pageState';
import { runEnd } from '../explorer/page/runEnd';
import { RecordAnswers } from '../explorer/record/recordAnswers';
import { copiedText } from '../explorer/record/recordTexts';
import { RecordResult } from '../matches/recordResult';
import type { RegexRunner } from '../store/regexRunner';
import { TurnAnswers } from '../explorer/turns/turnAnswers';
import { WireAnswers } from '../explorer/wire/wireAnswers';
import type { RunViewState } from '../runLog/runView';
import type { SharedHead } from '../share/sharedFile';
import type { SharedLog } from './sharedLog';

/** Answers the explorer's page in the page itself, about the run in its file. */
export class SharedHost implements ExplorerRun {
  /** There are no files of the run. */
  readonly journal = undefined;
  readonly protocol: ExplorerRun['protocol'];
  private readonly l10n: Translator;
  private readonly handlers: Handlers;
  private current: RunViewState = { type: 'reading', read: 0, size: 1 };

  constructor(
    private readonly head: SharedHead,
    readonly log: SharedLog,
    regex: RegexRunner,
    private readonly post: (message: HostMessage) => void,
  ) {
    const { locale, translations, sharedAt, termination } = head;
    const l10n = localized({ t: (text, ...args) => english.t(translations[text] ?? text, ...args) }, locale);
    this.l10n = l10n;
    this.protocol = head.protocol;
    const copy = (text: string): Promise<void> => navigator.clipboard.writeText(text);
    const now = (): number => (termination ? this.lastAt : sharedAt);
    const setting = { l10n, regex, copy, now };
    const answers = new Answers(this, {
      l10n,
      onResult: (result) => this.push('result', result),
      makeResult: (query) => new RecordResult(log, query, { regex, now }),
      export: () => Promise.resolve(), // The page doesn't offer what needs an editor.
    });
    this.handlers = {
      page: {
        ready: ({ state }) => {
          answers.query({ gen: firstGen, q: readState(state).q });
          return { locale, translations, run: this.runInfo(), state: '', columns: '' };
        },
        keep: () => undefined,
        columns: () => undefined,
        // eslint-disable-next-line no-console -- a file has nobody else to tell
        fault: ({ text }) => console.error(text),
        restart: () => {
          history.replaceState(null, '');
          location.reload();
        },
      },
      log: answers,
      record: new RecordAnswers(this, {
        l10n,
        buttonsOf: () => [],
        act: async (name, seqs) => {
          if (isCopy(name)) await copy(copiedText(name, this.recordsAt(seqs), this, l10n));
        },
      }),
      wire: new WireAnswers(this, {
        ...setting,
        bodiesOf: ({ row }) => Promise.resolve(log.wire.bodiesOf(row)),
        missingNote: () => l10n.t('Part of this wasn’t shared.'),
      }),
      turns: new TurnAnswers(this, {
        ...setting,
        compare: () => undefined,
        showChanges: () => undefined,
        diffOf: ({ id }) => log.diffOf(id),
      }),
    };
  }

  get state(): RunViewState {
    return this.current;
  }

  async answer(message: CallMessage): Promise<void> {
    const answer = await dispatch(message, this.handlers, this.l10n, (error) => {
      throw error;
    });
    if (answer) this.post(answer);
  }

  /** Call when more of the file was read: a fraction, from 0 to 1. */
  read(fraction: number): void {
    this.current =
      fraction < 1 ? { type: 'reading', read: fraction, size: 1 } : { type: 'following', lastAt: this.lastAt, size: 1 };
    this.push('run', this.runInfo());
  }

  private runInfo(): RunInfo {
    const { name, termination } = this.head;
    const { state, l10n } = this;
    return {
      id: name,
      name,
      isLive: false,
      isClosed: false,
      hasJournal: false,
      hasEditor: false,
      ...(termination && { end: runEnd(termination, [], l10n) }),
      ...(state.type === 'reading' && { progress: state.read }),
    };
  }

  private recordsAt(seqs: readonly number[]) {
    return seqs.flatMap((seq) => this.log.store.get(seq) ?? []);
  }

  /** When the newest record came. */
  private get lastAt(): number {
    const { connection, sessions } = this.log;
    return Math.max(connection.lastAt, ...sessions.map(({ lastAt }) => lastAt));
  }

  private push<Name extends keyof Pushes>(push: Name, data: Pushes[Name]): void {
    this.post({ push, data } as HostMessage);
  }
}

function isCopy(name: RecordAction): name is CopyAction {
  return copyActions.some((one) => one === name);
}
