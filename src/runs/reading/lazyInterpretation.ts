import type { RedactorOptions } from '../../log/redact/redactor';
import type { EndCause } from '../../log/termination';
import type { Timeouts } from '../../diagnosis/timeouts';
import type { DiagnosisSink } from '../../diagnosis/sessionSummary';
import type { Interpreter } from '../../protocols/interpreter';
import type { LogLine } from '../../protocols/logLine/logLine';
import type { WireEvent } from '../../wire/wireEvent';
import type { LineRedactor } from './redactEvent';

/** The interpreter and redactor of a run that starts before their code is loaded. No line may arrive before `load` has settled. */
export class LazyInterpretation implements LineRedactor {
  private make: ((sink: DiagnosisSink) => Interpreter) | undefined;
  private redactor: LineRedactor | undefined;

  constructor(
    private readonly protocol: string,
    private readonly timeouts: Timeouts,
    private readonly redaction: RedactorOptions | undefined,
  ) {}

  async load(): Promise<void> {
    const { diagnosedInterpreter } = await import('../../diagnosis/diagnosedInterpreter');
    const { Redactor } = await import('../../log/redact/redactor');
    this.make = (sink) => diagnosedInterpreter(this.protocol, sink, this.timeouts);
    if (this.redaction) this.redactor = new Redactor(this.redaction);
  }

  interpreter(sink: DiagnosisSink): Interpreter {
    return new LazyInterpreter(() => this.make?.(sink));
  }

  line(text: string, stream?: string): string {
    return this.redactor?.line(text, stream) ?? text;
  }
}

class LazyInterpreter implements Interpreter {
  private inner: Interpreter | undefined;

  constructor(private readonly make: () => Interpreter | undefined) {}

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

  quiet(t: number): void {
    this.inner?.quiet(t);
  }
}
