import { parseArgs } from 'node:util';

export interface Options {
  /** The agents to test; empty for all. */
  readonly names: readonly string[];
  /** Folder to write the logs to. */
  readonly record: string | undefined;
  /** An agent that can't be installed isn't a failure. */
  readonly allowMissing: boolean;
}

/** @throws TypeError for an unknown option */
export function parseOptions(args: readonly string[], env: NodeJS.ProcessEnv): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { record: { type: 'string' } },
    allowPositionals: true,
  });
  return { names: positionals, record: values.record, allowMissing: env['AGENT_LOGS_ALLOW_MISSING'] === '1' };
}
