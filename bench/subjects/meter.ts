/** What one process measured, told as one line of JSON. */
export interface Measured {
  /** From the first look at the input to its last message, module loading excluded. */
  readonly ms: number;
  readonly cpuMs: number;
  readonly messages: number;
  /** The length of all their texts, in UTF-16 units: who delivers less has lost something. */
  readonly chars: number;
  /** Resident memory before the first message, and the most there was, in bytes. */
  readonly idleRss: number;
  readonly peakRss: number;
}

/** Counts what a subject delivers, and takes its time. */
export class Meter {
  private messages = 0;
  private chars = 0;
  private readonly idleRss = process.memoryUsage.rss();
  private readonly cpu = process.cpuUsage();
  private readonly start = performance.now();

  /** A message with this text has come. */
  took(text: unknown): void {
    this.messages++;
    if (typeof text === 'string') this.chars += text.length;
  }

  /** Messages have come whose texts nobody has looked at. */
  tookUnread(messages: number): void {
    this.messages += messages;
  }

  get count(): number {
    return this.messages;
  }

  /** All have come. */
  done(): void {
    const ms = performance.now() - this.start;
    const { user, system } = process.cpuUsage(this.cpu);
    const measured: Measured = {
      ms,
      cpuMs: (user + system) / 1000,
      messages: this.messages,
      chars: this.chars,
      idleRss: this.idleRss,
      peakRss: process.resourceUsage().maxRSS * 1024,
    };
    process.stdout.write(`${JSON.stringify(measured)}\n`, () => process.exit(0));
  }
}

/** The text of a log notification. */
export function textOf(msg: unknown): unknown {
  return (msg as { readonly params?: { readonly message?: unknown } }).params?.message;
}
