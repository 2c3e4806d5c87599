import type { LogOutputChannel } from 'vscode';
import { LogLevel, Uri } from 'vscode';
import type { ChannelMethod } from '../../../text/format';
import { wantedCodes } from '../../../query/compiledQuery';
import { formatEntry, indented, methodOf, categoryOf } from '../../../text/format';
import type { LogRecord } from '../../../text/record';
import type { Termination } from '../../../wire/termination';
import { endEntry } from '../../../wire/termination';
import { sessionLabel } from '../../../text/sessionLabel';
import { cutAnywhere } from '../../../text/text';
import { isVisible } from '../../../query/visibility';
import type { Run } from '../../../live/run';
import type { RunLogChange } from '../../../runLog/runLogChange';
import type { WireEvent } from '../../../wire/wireEvent';
import type { Configuration } from '../configuration';
import type { Disposable } from '../../kit/disposables';
import { DisposableOwner } from '../../kit/disposables';
import { writes } from '../level/channelLevels';
import type { LazyLine, LineSource } from './channelWriter';
import { ChannelWriter } from './channelWriter';

const maxWire = 4096;

/** What a run has logged since the channel was last written. */
interface UnreadChange {
  readonly run: Run;
  readonly change: RunLogChange;
}

/** The output channel of one agent, which shows the logs of its runs one after the other. */
export class AgentChannel extends DisposableOwner {
  private readonly writer: ChannelWriter;
  private unread: UnreadChange | undefined;

  /** @param levelChanged called when the channel's level has changed */
  constructor(
    readonly channel: LogOutputChannel,
    private readonly configuration: Configuration,
    levelChanged: (level: LogLevel) => void,
  ) {
    super();
    this.own(channel);
    this.own(channel.onDidChangeLogLevel(levelChanged));
    this.writer = this.own(new ChannelWriter(channel, (limit) => this.takeUnread(limit)));
  }

  /** Writes what this run logs until the results are disposed of. */
  follow(run: Run): readonly Disposable[] {
    return [
      run.log.onDidChange((change) => this.writeRecords(run, change)),
      run.onEvent((event) => this.writeWire(event)),
      run.onDidChangeState((state) => {
        if (state.type !== 'ended') return;
        this.writeEnd(run, state.termination);
        this.writer.flush();
      }),
    ];
  }

  /** Opens the channel without taking the focus. */
  show(): void {
    this.writer.flush();
    this.channel.show(true);
  }

  private writeRecords(run: Run, change: RunLogChange): void {
    if (this.unread && this.unread.run !== run) this.writer.readUnread();
    this.unread = { run, change: this.unread ? change.since(this.unread.change) : change };
    if (change.isLastLook) this.writer.readUnread();
    this.writer.wake();
  }

  private takeUnread(limit: number): ReturnType<LineSource> {
    if (!this.unread) return { lines: [], older: 0 };
    const { run, change } = this.unread;
    this.unread = undefined;
    const visibility = { level: run.level, activity: this.configuration.showsActivity };
    const { records, older } = change.newest(
      wantedCodes((record) => isVisible(record, visibility)),
      limit,
    );
    return { lines: records.map((record) => () => this.lineOf(run, record)), older };
  }

  private lineOf(run: Run, record: LogRecord): ReturnType<LazyLine> {
    const method = this.methodFor(record);
    const category = categoryOf(record, (id) => sessionLabel(id, run.log.find(id)?.title));
    return { method, text: formatEntry(record, category, method) };
  }

  /** Channels start at Info, and VS Code can't change that while a channel is closed: until then debug is written as info. */
  private methodFor(record: LogRecord): ChannelMethod {
    const method = methodOf(record.level);
    return method === 'debug' && this.channel.logLevel === LogLevel.Info ? 'info' : method;
  }

  /** Writes why the run ended and what it printed last, unless it ended normally. */
  private writeEnd(run: Run, termination: Termination): void {
    const text = endEntry(run.name, termination);
    if (text === undefined) return;
    this.writer.add(() => ({ method: 'error', text: indented(`${text}${journalOf(run)}`) }));
  }

  private writeWire(event: WireEvent): void {
    if (!this.configuration.showsWire || !writes(this.channel.logLevel, LogLevel.Trace)) return;
    if (event.dir === 'ev' || event.dir === 'err') return;
    const arrow = event.dir === 'c2a' ? '→' : '←';
    // Cut now, because an event can share its bytes with many others.
    const line = cutAnywhere(event.line, maxWire);
    this.writer.add(() => ({ method: 'trace', text: indented(`[wire] ${arrow} ${line}`) }));
  }
}

/** The Output view makes a link of a URI, up to the first space. */
function journalOf({ journal }: Run): string {
  return journal?.path === undefined ? '' : `\nJournal: ${Uri.file(journal.path).toString()}`;
}
