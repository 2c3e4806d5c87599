import { parsed } from '../options';
import { filterOf, withoutNegated } from '../sessionWords';
import type { TerminalCommand } from '../terminalCommand';

import { UsageError } from '../usageError';

export interface ExportOptions {
  /** The collector's address; absent for that of OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly otlp?: string;
  /** As for `sessions`; empty for all. */
  readonly filter: string;
  /** A folder with journals beside those of taps. */
  readonly journals?: string;
  /** Send also what was sent before. */
  readonly again: boolean;
}

const options = { otlp: { type: 'string' }, journals: { type: 'string' }, again: { type: 'boolean' } } as const;

export const exportCommand: TerminalCommand<'export', ExportOptions> = {
  name: 'export',
  synopsis: '--otlp URL [options] [FILTER...]',
  options,
  help: `export sends the saved sessions and the runs that taps recorded to an OpenTelemetry collector, as
spans and log records over OTLP/HTTP. Secrets are redacted. What a collector has accepted is
remembered and not sent again, so that the command can be stopped and repeated: of a session
that grew, it sends the rest. The last line counts what was sent. The exit code is 1 if
something is left, or was rejected. FILTER is as for sessions.

  --otlp URL         the collector, such as http://127.0.0.1:4318; default: the variable
                     OTEL_EXPORTER_OTLP_ENDPOINT. Headers, protocol, compression, certificates,
                     timeout and resource attributes come from OpenTelemetry's variables too,
                     such as OTEL_EXPORTER_OTLP_HEADERS="Authorization=Bearer%20…"
  --again            send also what was sent before
  --journals DIR     also send the journals of this folder`,
  parse,
  run: async (given, { open }) => (await import('../exportCommand')).exportPast(given, await open()),
};

function parse(words: readonly string[]): ExportOptions {
  const { values, positionals } = parsed(withoutNegated(words), options);
  const { otlp, journals, again = false } = values;
  if (journals === '') throw new UsageError('Give --journals the path of a folder.');
  return {
    ...(otlp !== undefined && { otlp }),
    ...(journals !== undefined && { journals }),
    filter: filterOf(positionals, words),
    again,
  };
}
