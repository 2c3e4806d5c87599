/** The measurements of a process, printed as one line of JSON. */
export interface Measured {
  /** From the first read to the last message, without module loading. */
  readonly ms: number;
  readonly cpuMs: number;
  readonly messages: number;
  /** The total length of their texts in UTF-16 units, to detect losses. */
  readonly chars: number;
  /** Resident memory before the first message, and its peak, in bytes. */
  readonly idleRss: number;
  readonly peakRss: number;
}

/** Counts and times what a subject delivers. */
export class Meter {
  private messages = 0;
  private chars = 0;
  private readonly idleRss = process.memoryUsage.rss();
  private readonly cpu = process.cpuUsage();
  private readonly start = performance.now();

  /** Counts a message with this text. */
  took(text: unknown): void {
    this.messages++;
    if (typeof text === 'string') this.chars += text.length;
  }

  /** Counts messages whose texts weren't read. */
  tookUnread(messages: number): void {
    this.messages += messages;
  }

  get count(): number {
    return this.messages;
  }

  /** All messages were delivered. */
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
