import type { Run } from '../../src/live/run';
import type { WireEvent, WireMessage } from '../../src/wire/wireEvent';
import { start } from './testRun';

export interface RpcMessage {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** All traffic, as it comes. */
export class WireNotes {
  readonly events: WireEvent[] = [];
  private readonly waiting = new Set<() => void>();

  constructor(run: Run) {
    run.onEvent((event) => {
      this.events.push(event);
      for (const look of [...this.waiting]) look();
    });
  }

  sent(method: string): RpcMessage[] {
    return this.messages('c2a').filter((message) => message.method === method);
  }

  messages(dir: 'c2a' | 'a2c'): RpcMessage[] {
    return this.events.flatMap((event) => (isMessage(event) && event.dir === dir ? [event.msg as RpcMessage] : []));
  }

  /** The methods we sent, in order. */
  get methods(): string[] {
    return this.messages('c2a').flatMap(({ method }) => method ?? []);
  }

  get processEvents(): string[] {
    return this.events.flatMap((event) => (event.dir === 'ev' ? [event.ev] : []));
  }

  /** Settles when we have sent a matching message. */
  untilSent(method: string): Promise<RpcMessage> {
    return this.until(() => this.sent(method)[0]);
  }

  until<T>(find: () => T | undefined): Promise<T> {
    return new Promise((resolve) => {
      const look = (): void => {
        const found = find();
        if (found === undefined) return;
        this.waiting.delete(look);
        resolve(found);
      };
      this.waiting.add(look);
      look();
    });
  }
}

/** Starts a run, and notes its traffic. */
export async function startNoting(run: Run): Promise<{ readonly run: Run; readonly wire: WireNotes }> {
  const wire = new WireNotes(run);
  await start(run);
  return { run, wire };
}

function isMessage(event: WireEvent): event is WireMessage {
  return (event.dir === 'c2a' || event.dir === 'a2c') && event.msg !== undefined;
}

/** The text of a tool's result. */
export function textOf(result: object): string {
  const { content } = result as { content: readonly { text: string }[] };
  return content.map(({ text }) => text).join('');
}
