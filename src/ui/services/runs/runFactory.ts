import { randomUUID } from 'node:crypto';
import type { RunSpec } from '../../../live/config/launchSpec';
import type { LineRedactor } from '../../../runLog/reading/redactEvent';
import type { Run } from '../../../live/run';
import type * as runModule from '../../../live/run';
import type { RunLimits, RunOptions } from '../../../live/runOptions';
import type { Runs } from '../../../runs/runs';
import type { Configuration } from '../configuration';
import type { Journals } from './journals';
import type { LevelMemory } from '../level/levelMemory';

/** What a new run is created from. */
export interface NewRun extends Pick<RunOptions, 'agent' | 'interpretation' | 'connect' | 'isPublished'> {
  readonly spec: RunSpec;
  readonly redactor: LineRedactor | undefined;
}

/** Creates runs with the journal, level and limits of the settings, whether we or another extension run the agent. */
export class RunFactory {
  /** @param log reports a failure of Agent Logs itself in reading a run */
  constructor(
    private readonly runs: Runs,
    private readonly configuration: Configuration,
    private readonly levels: LevelMemory,
    private readonly journals: Journals,
    private readonly log: { error(error: unknown): void },
  ) {}

  /** Creates a run and adds it to the runs of the window. The caller starts it. */
  create({ agent, spec, redactor, ...connector }: NewRun): Run {
    const id = randomUUID();
    const spill = this.journals.spillFile();
    const journal = this.journals.create(id, agent, spec, redactor);
    // Not at activation, and synchronous, because `publish` of the API is.
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    const loaded = require('../../../live/run') as typeof runModule;
    const run = new loaded.Run({
      id,
      agent,
      spec,
      level: this.levels.levelOf(agent),
      limits: this.limits(),
      ...connector,
      ...(journal && { journal }),
      redactor,
      ...(spill && { spill }),
      onFault: (error) => this.log.error(error),
      now: Date.now,
    });
    this.runs.add(run);
    return run;
  }

  private limits(): RunLimits {
    return {
      maxLineBytes: 1024 * 1024,
      maxMessageBytes: 64 * 1024 * 1024,
      maxMemory: this.configuration.maxMemory,
      initializeTimeout: this.configuration.initializeTimeout,
      waitingNotice: 5000,
      stop: { close: 3000, terminate: 2000 },
    };
  }
}
