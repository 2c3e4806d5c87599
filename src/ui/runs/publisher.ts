import type { AgentLogsApi, Publisher, Run as PublicRun } from '../../api/agent-logs';
import type { Termination } from '../log/termination';
import { isReason, isTerminator } from '../log/termination';
import { isObject, textOf } from '../protocols/json';
import type { PublishedDirection } from '../runs/publisherConnector';
import { PublishedConnection } from '../runs/publisherConnector';
import type { Launcher } from './agents/launcher';
import type { Run } from '../runs/run';

const maxName = 100;
const protocols: readonly PublishOptions['protocol'][] = ['acp', 'mcp', 'stream-json'];
const directions: readonly unknown[] = ['c2a', 'a2c', 'err'] satisfies PublishedDirection[];

export type PublishOptions = Parameters<AgentLogsApi['publish']>[0];

/**
 * Begins a run that another extension feeds.
 * @throws TypeError for a name or a protocol that is none
 */
export function publish(options: PublishOptions, launcher: Launcher, faceOf: (run: Run) => PublicRun): Publisher {
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
