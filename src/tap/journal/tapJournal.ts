import { messageOf } from '../../runs/humanError';
import { JournalKeeper } from './journalKeeper';
import { journalWriter, prepare } from './journalPlace';
import { spokenIn } from './spokenIn';
import type { FromThread, JournalSpec, ToThread } from './threadMessage';

/** Where nothing tells what is spoken. */
const usual = 'acp';

/** So long it is waited for something that tells what is spoken, where nobody has said it: in milliseconds, and in messages to this thread. */
const waiting = { ms: 1000, messages: 20 };

type ToKeep = Exclude<ToThread, { type: 'close' }>;

/** The journal of a tap, from what the relay tells: it is opened as soon as it is known what is spoken, and takes one thing after the other. */
export class TapJournal {
  /** What came before that was known. */
  private readonly early: ToKeep[] = [];
  private keeper: JournalKeeper | undefined;
  /** It cannot be written where it should be, which has been told. */
  private isRefused = false;
  private working: Promise<void>;
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly spec: JournalSpec,
    private readonly tell: (message: FromThread) => void,
  ) {
    this.working = prepare(spec.place).catch((error: unknown) => {
      this.isRefused = true;
      tell({ type: 'problem', message: messageOf(error) });
    });
    this.timer = setTimeout(() => {
      this.working = this.working.then(async () => {
        if (!this.isRefused) await this.opened();
      });
    }, waiting.ms);
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
    this.early.push(message);
    const protocol = spokenIn(message);
    if (this.spec.protocol !== undefined || protocol !== undefined || this.early.length >= waiting.messages) {
      await this.opened(protocol);
    }
  }

  private async close(): Promise<void> {
    clearTimeout(this.timer);
    if (!this.isRefused) await (await this.opened()).close();
    this.tell({ type: 'closed' });
  }

  private async opened(found = usual): Promise<JournalKeeper> {
    if (this.keeper) return this.keeper;
    clearTimeout(this.timer);
    const protocol = this.spec.protocol ?? found;
    this.keeper = new JournalKeeper(await journalWriter(this.spec, protocol, this.tell), protocol);
    for (const message of this.early.splice(0)) await this.keep(this.keeper, message);
    return this.keeper;
  }

  private async keep(keeper: JournalKeeper, message: ToKeep): Promise<void> {
    await keeper.accept(message);
    if (message.type === 'chunk') this.tell({ type: 'taken', bytes: message.bytes.length });
  }
}
