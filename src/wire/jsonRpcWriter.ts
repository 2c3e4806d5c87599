import type { Writable } from 'node:stream';
import type { ResponseMessage } from 'vscode-jsonrpc/node';
import { AbstractMessageWriter, Message } from 'vscode-jsonrpc/node';
import { jsonText } from '../text/jsonText';
import type { FlowControl } from './flowControl';
import type { Framing } from './lines/framing';
import type { WireMessage } from './wireEvent';
import { WireLine } from './wireLine';

export interface JsonRpcWriterOptions {
  readonly framing: Framing;
  readonly now: () => number;
  readonly onMessage: (event: WireMessage) => void;
  /** Counts responses that the agent hasn't read. */
  readonly flow: FlowControl;
}

/** Writes JSON-RPC messages for a vscode-jsonrpc connection. */
export class JsonRpcWriter extends AbstractMessageWriter {
  private written = 0;

  constructor(
    private readonly output: Writable,
    private readonly options: JsonRpcWriterOptions,
  ) {
    super();
    output.on('error', (error) => this.fireError(error, undefined, this.written));
    output.once('close', () => this.fireClose());
  }

  /** Resolves when the operating system has the line. Rejects if the agent no longer reads. */
  write(msg: Message): Promise<void> {
    // A message that can't be sent isn't logged.
    if (!this.output.writable) return Promise.reject(new Error('The program no longer reads its standard input.'));
    const line = jsonText(msg);
    if (line === undefined) return this.refuse(msg);
    this.written++;
    this.options.onMessage(WireLine.of(this.options.now(), 'c2a', line, { msg }));
    const answered = Message.isResponse(msg) ? this.options.flow.answering() : undefined;
    return new Promise((resolve, reject) => {
      this.output.write(this.options.framing.frame(line), (error) => {
        answered?.();
        if (error) reject(error);
        else resolve();
      });
    });
  }

  /** Rejects a message that can't be written. A response is replaced by an error, so that the agent doesn't wait for it. */
  private async refuse(msg: Message): Promise<void> {
    const why = 'The message is nested too deep to be sent.';
    const { id } = msg as { readonly id?: string | number | null };
    const answer: ResponseMessage = { jsonrpc: '2.0', id: id ?? null, error: { code: -32603, message: why } };
    if (Message.isResponse(msg)) await this.write(answer);
    throw new Error(why);
  }

  /** Closes the agent's stdin, which asks it to exit. */
  end(): void {
    this.output.end();
  }
}
