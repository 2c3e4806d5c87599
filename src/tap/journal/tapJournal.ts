import type { Redactor } from '../../log/redact/redactor';
import { messageOf } from '../../runs/humanError';
import { JournalKeeper } from './journalKeeper';
import { journalWriter, prepare } from './journalPlace';
import { spokenIn } from './spokenIn';
import type { FromThread, JournalSpec, ToThread } from './threadMessage';

/** The protocol in a header if it wasn't recognised: readers of the journal look for themselves, and may have more to look at. */
const unknown = '';

/** How long to wait for a message that shows the protocol, if it isn't given. */
export interface Patience {
  /** Until something is said at all, in milliseconds: agents take seconds to start, and many have to be spoken to. */
  readonly silent: number;
  /** After the first that was said, in milliseconds. */
  readonly spoken: number;
  /** Number of chunks of messages. */
  readonly chunks: number;
  /** How much is held meanwhile, with standard error, in bytes. */
  readonly held: number;
}

const usual: Patience = { silent: 30_000, spoken: 1000, chunks: 20, held: 4 * 1024 * 1024 };
/** What a message takes beside its bytes, more or less. */
const overhead = 300;

type ToKeep = Exclude<ToThread, { type: 'close' }>;

/** The journal of a tap, fed by the relay: it is opened once the protocol is known, and takes one thing after the other. */
export class TapJournal {
  /** What came before that was known. */
  private readonly early: ToKeep[] = [];
  private earlyBytes = 0;
  /** How many of them are said by client or agent. */
  private spoken = 0;
  private keeper: JournalKeeper | undefined;
  /** It can't be written to its place, which has been reported. */
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
      await new Promise(setImmediate); // the journal has its timers
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
    // What came until now takes its time; if it fails, there is a journal all the same.
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
