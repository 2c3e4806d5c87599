import type { Words } from '../../text/translator';
import { t } from '../../text/translator';
import type {
  CancellationToken,
  ConnectionOptions,
  MessageConnection,
  MessageReader,
  MessageWriter,
} from 'vscode-jsonrpc/node';
import { createMessageConnection, ErrorCodes, ResponseError } from 'vscode-jsonrpc/node';
import type { FlowControl } from '../../wire/flowControl';
import { agentError } from './agentError';
import { objectOf, textOf } from '../../text/json';
import { goneBefore } from '../../text/humanError';
import { QueueReader } from './queueReader';

/** Maximum number of event loop turns to wait for a response. */
const maxTurnsToFinish = 1000;

/** The stdin and stdout of a process that speaks JSON-RPC. */
export interface JsonRpcPipes {
  readonly reader: MessageReader;
  readonly writer: MessageWriter;
  readonly flow: FlowControl;
}

/** A JSON-RPC connection with readable errors. Logging happens on the wire instead. */
export class JsonRpcPeer {
  readonly connection: MessageConnection;
  private readonly flow: FlowControl;
  /** How the agent ended. */
  private how: Words = t('ended');
  /** Number of open requests. */
  private open = 0;

  constructor(
    { reader, writer, flow }: JsonRpcPipes,
    private readonly agentName: string,
    options: Pick<ConnectionOptions, 'cancellationStrategy'> = {},
  ) {
    this.flow = flow;
    // The interpreter reports the same from the wire, in better words.
    const silent = { error: ignore, warn: ignore, info: ignore, log: ignore };
    const queueReader = new QueueReader(reader, flow);
    this.connection = createMessageConnection(queueReader, writer, silent, {
      messageStrategy: {
        handleMessage: (message, next) => {
          queueReader.handled(message);
          return next(message);
        },
      },
      ...options,
    });
    this.connection.onError(ignore); // a broken pipe: reported when the process ends
  }

  /**
   * Sends a request and waits for the response.
   * @param token asks the agent to cancel the request
   * @throws AgentError for an error response, AgentGone if the agent ended first
   */
  async request(method: string, params?: unknown, token?: CancellationToken): Promise<unknown> {
    this.open++;
    try {
      // The library treats undefined as a parameter.
      const args = [...(params === undefined ? [] : [params]), ...(token ? [token] : [])];
      return await this.connection.sendRequest(method, ...args);
    } catch (error) {
      throw await requestError(this.agentName, method, this.how, error, textOf(objectOf(params)['sessionId']));
    } finally {
      this.open--;
    }
  }

  notify(method: string, params?: unknown): Promise<void> {
    return params === undefined
      ? this.connection.sendNotification(method)
      : this.connection.sendNotification(method, params);
  }

  /**
   * Called when the agent will send no more: handles what it has sent, then closes the connection.
   * @param how how it ended, in words, if known
   */
  async finish(how: Words | undefined): Promise<void> {
    this.how = how ?? this.how;
    await untilAnswered(() => this.open === 0);
    this.dispose();
  }

  /** Closes the connection; open requests fail. The caller owns the process. */
  dispose(): void {
    this.connection.dispose();
    this.flow.close();
  }
}

/** Waits until messages that have already been read are handled: vscode-jsonrpc handles one in each turn of the event loop. */
export async function untilAnswered(isDone: () => boolean): Promise<void> {
  for (let turn = 0; turn < maxTurnsToFinish && !isDone(); turn++) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/**
 * The error of a failed request, for the user: what the agent answered, or how it ended.
 * @param how how the agent ended, if that is why
 * @param sessionId the request's session ID, which is shortened if the message repeats it
 */
export async function requestError(
  agentName: string,
  method: string,
  how: Words,
  error: unknown,
  sessionId?: string,
): Promise<Error> {
  const isAnswer = error instanceof ResponseError && error.code !== ErrorCodes.PendingResponseRejected;
  if (isAnswer) return agentError(agentName, method, error, sessionId);
  return goneBefore(agentName, how, method, error);
}

function ignore(): void {
  // nothing to do
}
