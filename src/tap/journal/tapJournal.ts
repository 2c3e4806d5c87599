import type { Redactor } from '../../log/redact/redactor';
import { messageOf } from '../../runs/humanError';
import { JournalKeeper } from './journalKeeper';
import { journalWriter, prepare } from './journalPlace';
import { spokenIn } from './spokenIn';
import type { FromThread, JournalSpec, ToThread } from './threadMessage';

/** What a header says where nothing tells what is spoken: whoever reads the journal looks for itself, and may have more to look at. */
const unknown = '';

/** How long it is waited for something that tells what is spoken, where nobody has said it. */
export interface Patience {
  /** Until something is said at all, in milliseconds: agents take seconds to start, and many have to be spoken to. */
  readonly silent: number;
  /** After the first that was said, in milliseconds. */
  readonly spoken: number;
  /** How many chunks of what is said. */
  readonly chunks: number;
  /** In bytes: so much is held meanwhile, with what comes on standard error. */
  readonly held: number;
}

const usual: Patience = { silent: 30_000, spoken: 1000, chunks: 20, held: 4 * 1024 * 1024 };
/** What a message takes beside its bytes, more or less. */
const overhead = 300;

type ToKeep = Exclude<ToThread, { type: 'close' }>;

/** The journal of a tap, from what the relay tells: it is opened as soon as it is known what is spoken, and takes one thing after the other. */
export class TapJournal {
  /** What came before that was known. */
  private readonly early: ToKeep[] = [];
  private earlyBytes = 0;
  /** How many of them are said by client or agent. */
  private spoken = 0;
  private keeper: JournalKeeper | undefined;
  /** It cannot be written where it should be, which has been told. */
  private isRefused = false;
  private working: Promise<void>;
  private timer: NodeJS.Timeout;

  constructor(
    private readonly spec: JournalSpec,
    private readonly redactor: Redactor,
    private readonly tell: (message: FromThread) => void,
    private readonly patience: Patience = usual,
  ) {
    this.working = prepare(spec.place).catch((error: unknown) => {
      this.isRefused = true;
      tell({ type: 'problem', message: messageOf(error) });
    });
    this.timer = this.openAfter(patience.silent);
  }

  accept(messages: readonly ToThread[]): void {
    this.working = this.working.then(async () => {
      for (const message of messages) await (message.type === 'close' ? this.close() : this.take(message));
      await new Promise(setImmediate); // the journal has timers of its own
    });
  }

  private async take(message: ToKeep): Promise<void> {
    if (this.isRefused) return;
    if (this.keeper) return this.keep(this.keeper, message);
    this.hold(message);
    const protocol = spokenIn(message);
    if (this.spec.protocol !== undefined || protocol !== undefined || this.hasWaitedEnough) await this.opened(protocol);
  }

  private hold(message: ToKeep): void {
    this.early.push(message);
    this.earlyBytes += overhead;
    if (message.type !== 'chunk') return;
    this.earlyBytes += message.bytes.length;
    if (message.dir === 'err' || ++this.spoken > 1) return;
    clearTimeout(this.timer);
    this.timer = this.openAfter(this.patience.spoken);
  }

  private get hasWaitedEnough(): boolean {
    return this.spoken >= this.patience.chunks || this.earlyBytes >= this.patience.held;
  }

  private openAfter(ms: number): NodeJS.Timeout {
    return setTimeout(() => {
      this.working = this.working.then(async () => {
        if (!this.isRefused) await this.opened();
      });
    }, ms);
  }

  private async close(): Promise<void> {
    clearTimeout(this.timer);
    if (!this.isRefused) await (await this.opened()).close();
    this.tell({ type: 'closed' });
  }

  private async opened(found: string = unknown): Promise<JournalKeeper> {
    if (this.keeper) return this.keeper;
    clearTimeout(this.timer);
    const protocol = this.spec.protocol ?? found;
    const writer = await journalWriter(this.spec, protocol, this.redactor, this.tell);
    // What came until now takes its time: whatever befalls it, there is a journal.
    await writer.begin();
    this.keeper = new JournalKeeper(writer, protocol, this.redactor);
    for (const message of this.early.splice(0)) await this.keep(this.keeper, message);
    return this.keeper;
  }

  private async keep(keeper: JournalKeeper, message: ToKeep): Promise<void> {
    await keeper.accept(message);
    if (message.type === 'chunk') this.tell({ type: 'taken', bytes: message.bytes.length });
  }
}
