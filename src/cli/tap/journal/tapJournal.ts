import { rm } from 'node:fs/promises';
import type { JournalWriter } from '../../../wire/journal/journalWriter';
import { Probe } from './probe';
import type { RunProtocol } from '../../../wire/protocol';
import type { Protocol } from '../../../wire/protocol';
import type { Redactor } from '../../../redact/redactor';
import { valueOrFields } from '../../../protocols/leadingFields';
import { spokenProtocol } from '../../../agents/reading/spokenProtocol';
import { messageOf } from '../../../text/humanError';
import { JournalKeeper } from './journalKeeper';
import { journalWriter, prepare } from './journalPlace';
import type { FromThread, JournalSpec, ToThread } from './threadMessage';

/** The protocol in a header if it wasn't detected. Readers of the journal try again, with more to look at. */
const unknown = '';

/** How long to wait for a message that shows the protocol, if it isn't given. */
export interface ProtocolWait {
  /** Until the first message, in milliseconds: agents take seconds to start, and many wait for the client's first request. */
  readonly beforeFirst: number;
  /** After the first message, in milliseconds. */
  readonly afterFirst: number;
  /** Number of chunks of messages. */
  readonly chunks: number;
  /** How much is held meanwhile, including stderr, in bytes. */
  readonly held: number;
}

const usual: ProtocolWait = { beforeFirst: 30_000, afterFirst: 1000, chunks: 20, held: 4 * 1024 * 1024 };
/** Approximate size of a message besides its bytes. */
const overhead = 300;
/** How much of a chunk is searched for the protocol. First messages are mostly far shorter, in bytes. */
const maxFirst = 64 * 1024;
const maxFirstLines = 5;

type ToKeep = Exclude<ToThread, { type: 'close' }>;

/** The journal of a tap, fed by the relay. It is opened once the protocol is known, and handles one message after the other. */
export class TapJournal {
  /** What came before the protocol was known. */
  private readonly early: ToKeep[] = [];
  private earlyBytes = 0;
  /** How many of them are from the client or the agent. */
  private earlyChunks = 0;
  private keeper: JournalKeeper | undefined;
  private writer: JournalWriter | undefined;
  private readonly probe = new Probe();
  /** It can't be written there, which has been reported. */
  private isRefused = false;
  private working: Promise<void>;
  private timer: NodeJS.Timeout;

  constructor(
    private readonly spec: JournalSpec,
    private readonly redactor: Redactor,
    private readonly report: (message: FromThread) => void,
    private readonly wait: ProtocolWait = usual,
  ) {
    this.working = prepare(spec.place).catch((error: unknown) => {
      this.isRefused = true;
      report({ type: 'problem', message: messageOf(error) });
    });
    this.timer = this.openAfter(wait.beforeFirst);
  }

  accept(messages: readonly ToThread[]): void {
    this.working = this.working.then(async () => {
      for (const message of messages) await (message.type === 'close' ? this.close() : this.take(message));
      await new Promise(setImmediate); // for the journal's timers
    });
  }

  private async take(message: ToKeep): Promise<void> {
    if (this.isRefused) return;
    this.probe.see(message);
    if (this.keeper) return this.keep(this.keeper, message);
    this.hold(message);
    const protocol = protocolIn(message);
    if (this.spec.protocol !== undefined || protocol !== undefined || this.hasWaitedEnough) await this.opened(protocol);
  }

  private hold(message: ToKeep): void {
    this.early.push(message);
    this.earlyBytes += overhead;
    if (message.type !== 'chunk') return;
    this.earlyBytes += message.bytes.length;
    if (message.dir === 'err' || ++this.earlyChunks > 1) return;
    clearTimeout(this.timer);
    this.timer = this.openAfter(this.wait.afterFirst);
  }

  private get hasWaitedEnough(): boolean {
    return this.earlyChunks >= this.wait.chunks || this.earlyBytes >= this.wait.held;
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
    // A probe is no run of its own. A journal that the user named is kept.
    if (this.spec.place.type === 'folder' && this.probe.isAll) await this.remove();
    this.report({ type: 'closed' });
  }

  private async remove(): Promise<void> {
    for (const path of this.writer?.paths ?? []) await rm(path, { force: true }).catch(() => undefined);
  }

  private async opened(found: RunProtocol | '' = unknown): Promise<JournalKeeper> {
    if (this.keeper) return this.keeper;
    clearTimeout(this.timer);
    const protocol = this.spec.protocol ?? found;
    const writer = await journalWriter(this.spec, protocol, this.redactor, this.report);
    this.writer = writer;
    // Before the early messages, which take a while: if that fails, there is a journal all the same.
    await writer.begin();
    if (writer.path !== undefined) this.report({ type: 'opened', path: writer.path });
    this.keeper = new JournalKeeper(writer, protocol, this.redactor);
    for (const message of this.early.splice(0)) await this.keep(this.keeper, message);
    return this.keeper;
  }

  private async keep(keeper: JournalKeeper, message: ToKeep): Promise<void> {
    await keeper.accept(message);
    if (message.type === 'chunk') this.report({ type: 'taken', bytes: message.bytes.length });
  }
}

/** The protocol that client and agent speak, if this chunk shows it. */
function protocolIn(message: ToKeep): Protocol | undefined {
  if (message.type !== 'chunk' || message.dir === 'err') return undefined;
  const { buffer, byteOffset, byteLength } = message.bytes;
  const text = Buffer.from(buffer, byteOffset, byteLength).toString('utf8', 0, maxFirst);
  // A line that continues in the next chunk is judged by its beginning. One that isn't JSON is passed as text.
  return spokenProtocol(text.split('\n', maxFirstLines).map((line) => valueOrFields(line) ?? line));
}
