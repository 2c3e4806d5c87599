import type { Protocol } from '../log/protocol';
import type { Termination } from '../log/termination';
import { isReason, isTerminator } from '../log/termination';
import { isObject, textOf } from '../protocols/json';
import type { PublishedDirection } from '../runs/publisherConnector';
import { PublishedConnection } from '../runs/publisherConnector';
import type { Launcher } from './agents/launcher';
import type { ApiRun } from './api';
import type { Run } from '../runs/run';

const maxName = 100;
const protocols = ['acp', 'mcp', 'stream-json'] as const satisfies readonly Protocol[];
const directions: readonly unknown[] = ['c2a', 'a2c', 'err'] satisfies PublishedDirection[];

export interface PublishOptions {
  /** As the agent is called in the tree; runs of one name stand together. */
  readonly name: string;
  readonly protocol: (typeof protocols)[number];
}

/** For an extension that runs an agent itself: it hands over the lines, and gets tree, channel, journal and diagnosis for them. */
export interface Publisher {
  readonly run: ApiRun;
  /**
   * Takes a line, without its line break. After the end, nothing is taken. A flood that the disk cannot follow is left out, and counted.
   * @param direction `c2a`: to the agent; `a2c`: from it; `err`: of its standard error
   */
  line(direction: PublishedDirection, text: string): void;
  /** The agent has ended; why, where that is known. */
  end(termination?: Termination): void;
  /** The same, for who keeps disposables. */
  dispose(): void;
}

/**
 * Begins a run that another extension feeds.
 * @throws TypeError for a name or a protocol that is none
 */
export function publish(options: PublishOptions, launcher: Launcher, faceOf: (run: Run) => ApiRun): Publisher {
  const { name, protocol } = checked(options);
  const connection = new PublishedConnection();
  const run = launcher.publish(name, protocol, connection.connector);
  return {
    run: faceOf(run),
    line: (direction, text) => {
      if (!directions.includes(direction) || typeof text !== 'string') {
        throw new TypeError('line() takes a direction ("c2a", "a2c" or "err") and a text.');
      }
      connection.line(direction, text);
    },
    end: (termination) => connection.end(terminationOf(termination)),
    dispose: () => connection.end(),
  };
}

/** Other extensions may be written in JavaScript. */
function checked(options: unknown): PublishOptions {
  const { name, protocol } = isObject(options) ? options : {};
  const known = protocols.find((one) => one === protocol);
  if (typeof name !== 'string' || name.trim() === '' || known === undefined) {
    throw new TypeError(`publish() takes { name, protocol }, with a protocol of ${protocols.join(', ')}.`);
  }
  return { name: name.trim().slice(0, maxName), protocol: known };
}

function terminationOf(value: unknown): Termination {
  const { reason, terminatedBy, message, exitCode, signal } = isObject(value) ? value : {};
  const text = textOf(message)?.slice(0, 1000);
  return {
    reason: isReason(reason) ? reason : 'completed',
    terminatedBy: isTerminator(terminatedBy) ? terminatedBy : 'agent',
    ...(text !== undefined && { message: text }),
    ...(typeof exitCode === 'number' && { exitCode }),
    ...(typeof signal === 'string' && { signal: signal.slice(0, 20) }),
  };
}
