import type { RunProtocol } from '../../wire/protocol';
import type { DiagnosisSink } from '../../diagnosis/sessionSummary';
import type { Timeouts } from '../../diagnosis/timeouts';
import type { Redaction } from '../../redact/redactorFor';
import type { EndCause } from '../../wire/termination';
import type { LogLine } from '../../protocols/logLine/logLine';
import type { WireEvent, WireMessage } from '../../wire/wireEvent';
import type { Interpretation } from './interpretation';
import type { TextRedactor } from '../../redact/textRedactor';
import type { LineRedactor } from './redactEvent';
import { longTextOf } from './redactEvent';

/** The interpretation and redactor of a run that starts before their code is loaded. No line may arrive before `load` has settled. */
export class LazyInterpretation implements LineRedactor {
  private make: ((sink: DiagnosisSink) => Interpretation) | undefined;
  private redactor: LineRedactor | undefined;

  constructor(
    private readonly protocol: RunProtocol,
    private readonly timeouts: Timeouts,
    private readonly redaction: Redaction | undefined,
  ) {}

  async load(): Promise<void> {
    const { interpretation } = await import('./interpretation');
    const { redactorFor } = await import('../../redact/redactorFor');
    this.make = (sink) => interpretation(this.protocol, sink, this.timeouts);
    if (this.redaction) this.redactor = redactorFor(this.redaction);
  }

  interpretation(sink: DiagnosisSink): Interpretation {
    return new LateInterpretation(() => this.make?.(sink));
  }

  line(text: string, stream?: string): string {
    return this.redactor?.line(text, stream) ?? text;
  }

  longText(): TextRedactor {
    return longTextOf(this.redactor);
  }
}

class LateInterpretation implements Interpretation {
  private inner: Interpretation | undefined;

  constructor(private readonly make: () => Interpretation | undefined) {}

  get isWaiting(): boolean {
    return this.inner?.isWaiting ?? false;
  }

  get unusableAnswer(): EndCause | undefined {
    return this.inner?.unusableAnswer;
  }

  get endCause(): EndCause | undefined {
    return this.inner?.endCause;
  }

  accept(event: WireEvent, log?: LogLine): void {
    this.inner ??= this.make();
    this.inner?.accept(event, log);
  }

  readLog(line: WireMessage): LogLine | undefined {
    return this.inner?.readLog(line);
  }

  quiet(t: number): void {
    this.inner?.quiet(t);
  }

  finish(t: number): void {
    this.inner?.finish(t);
  }

  resume(t: number): void {
    this.inner?.resume(t);
  }
}
