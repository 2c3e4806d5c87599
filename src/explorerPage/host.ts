import type { AnswerOf, ArgsOf, CallMessage, CallName, HostMessage, Pushes } from '../explorer/page/messages';
import { callsByName } from '../explorer/page/messages';

interface Waiting {
  /** The call after which nobody waits for the answer. */
  readonly overtakenBy: string | undefined;
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

type PushHandlers = { readonly [Name in keyof Pushes]: (data: Pushes[Name]) => void };

/** The extension's side of the page: it answers calls, and pushes what happens. */
export class Host {
  private readonly waiting = new Map<number, Waiting>();
  /** An answer to the page that was here before a reload must not fit a call of this one. */
  private lastId = Math.floor(Math.random() * 2 ** 40);
  private handlers: PushHandlers | undefined;
  private readonly early: HostMessage[] = [];

  constructor(private readonly post: (message: CallMessage) => void) {}

  /** Rejects if the host fails. Never settles if another call makes the answer useless, as the list of calls says. */
  call<Name extends CallName>(name: Name, args: ArgsOf<Name>): Promise<AnswerOf<Name>> {
    for (const [id, { overtakenBy }] of this.waiting) if (overtakenBy === name) this.waiting.delete(id);
    const id = ++this.lastId;
    const method = callsByName.get(name)?.overtakenBy;
    const overtakenBy = method === undefined ? undefined : `${name.slice(0, name.indexOf('.'))}.${method}`;
    return new Promise<unknown>((resolve, reject) => {
      this.waiting.set(id, { overtakenBy, resolve, reject });
      this.post({ id, call: name, args });
    }) as Promise<AnswerOf<Name>>;
  }

  /** Handles what the host pushes, from now on and before. */
  listen(handlers: PushHandlers): void {
    this.handlers = handlers;
    for (const message of this.early.splice(0)) this.receive(message);
  }

  receive(message: HostMessage): void {
    if ('push' in message) {
      const handle = this.handlers?.[message.push] as ((data: unknown) => void) | undefined;
      if (handle) handle(message.data);
      else this.early.push(message);
      return;
    }
    const asked = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if ('error' in message) asked?.reject(new Error(message.error));
    else asked?.resolve(message.answer);
  }
}
