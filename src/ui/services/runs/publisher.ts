import { homedir } from 'node:os';
import * as vscode from 'vscode';
import type { AgentLogsApi, Publisher, Run as PublicRun } from '../../../../api/agent-logs';
import type { Termination } from '../../../wire/termination';
import { verbatim } from '../../../text/translator';
import { isReason, isTerminator } from '../../../wire/termination';
import { isObject, textOf } from '../../../text/json';
import type { Connector } from '../../../live/connection/agentConnection';
import { LazyInterpretation } from '../../../runLog/reading/lazyInterpretation';
import type { RunDefinition } from '../../../live/config/launchSpec';
import type { PublishedDirection } from '../../../live/connection/publisherConnector';
import type * as publisherConnector from '../../../live/connection/publisherConnector';
import type { Run } from '../../../live/run';
import type { Runs } from '../../../runs/runs';
import type { Configuration } from '../configuration';
import { openFolders } from '../../kit/folders';
import type { RunFactory } from './runFactory';

const maxName = 100;
/** Limit of published names with runs in this window: each has a row and an output channel. */
const maxNames = 50;
/** Limit of published runs that haven't ended. */
const maxLive = 100;
const protocols: readonly PublishOptions['protocol'][] = ['acp', 'mcp', 'stream-json'];
const directions: readonly unknown[] = ['c2a', 'a2c', 'err'] satisfies PublishedDirection[];

export type PublishOptions = Parameters<AgentLogsApi['publish']>[0];

/** Shows agents that other extensions run and publish through our API. */
export class RunPublisher {
  private hasWarned = false;

  constructor(
    private readonly runs: Runs,
    private readonly configuration: Configuration,
    private readonly factory: RunFactory,
    private readonly log: { warn(message: string): void },
  ) {}

  /**
   * Starts a run that another extension feeds.
   * @param publicRunOf returns the run as the API shows it
   * @throws TypeError if the name or the protocol is invalid
   * @throws Error if too many runs, or too many other names, are live
   */
  publish(options: PublishOptions, publicRunOf: (run: Run) => PublicRun): Publisher {
    const checked = check(options);
    this.makeRoomFor(checked.name);
    // Not at activation, and synchronous.
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    const loaded = require('../../../live/connection/publisherConnector') as typeof publisherConnector;
    const connection = new loaded.PublishedConnection();
    const run = this.start(checked, connection.connector);
    return {
      run: publicRunOf(run),
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

  /** Removes the ended runs of the oldest name if this one would be too many. */
  private makeRoomFor(name: string): void {
    const published = this.runs.all.filter(({ isPublished }) => isPublished);
    const alive = published.filter(({ state }) => state.type !== 'ended');
    if (alive.length >= maxLive) {
      throw new Error(
        `publish() takes ${maxLive} live runs at a time: call end() of a run before you publish another.`,
      );
    }
    const names = [...new Set(published.map((run) => run.name))];
    if (names.includes(name) || names.length < maxNames) return;
    const live = new Set(alive.map((run) => run.name));
    const oldest = names.findLast((one) => !live.has(one));
    if (oldest === undefined) {
      throw new Error(
        `publish() takes ${maxNames} names at a time: call end() of a run before you publish another name.`,
      );
    }
    for (const run of published) if (run.name === oldest) this.runs.remove(run);
    if (this.hasWarned) return;
    this.hasWarned = true;
    this.log.warn(
      vscode.l10n.t(
        'Another extension has published runs under more than {0} names: those of the oldest names are removed. Their journals stay.',
        maxNames,
      ),
    );
  }

  private start({ name, protocol }: PublishOptions, connect: Connector): Run {
    const command = vscode.l10n.t('run by another extension');
    const cwd = openFolders()[0]?.path ?? homedir();
    const agent: RunDefinition = { name, protocol, command, args: [], env: {} };
    const { timeouts, redaction } = this.configuration;
    const interpretation = new LazyInterpretation(protocol, timeouts, redaction);
    const run = this.factory.create({
      agent,
      spec: { command, args: [], env: {}, cwd },
      redactor: redaction ? interpretation : undefined,
      interpretation: (sink) => interpretation.interpretation(sink),
      connect: async (wire) => {
        await interpretation.load();
        return connect(wire);
      },
      isPublished: true,
    });
    const { token } = new vscode.CancellationTokenSource();
    // Fails if the publisher ends the run before it has started. The run then has its termination.
    void run.start({ token, onWaiting: () => undefined }).catch(() => undefined);
    return run;
  }
}

/** Extensions written in JavaScript can pass anything. */
function check(options: unknown): PublishOptions {
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
    ...(text !== undefined && { message: verbatim(text) }),
    ...(typeof exitCode === 'number' && { exitCode }),
    ...(typeof signal === 'string' && { signal: signal.slice(0, 20) }),
  };
}
