import { parseArgs } from 'node:util';

export interface Options {
  /** The agents to try; empty for all. */
  readonly names: readonly string[];
  /** Where the logs are written. */
  readonly record: string | undefined;
  /** An agent that could not be installed is no failure. */
  readonly allowMissing: boolean;
}

/** @throws TypeError for an option that there is not */
export function parseOptions(args: readonly string[], env: NodeJS.ProcessEnv): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { record: { type: 'string' } },
    allowPositionals: true,
  });
  return { names: positionals, record: values.record, allowMissing: env['AGENT_LOGS_ALLOW_MISSING'] === '1' };
}
