import type { RecordDraft } from '../log/record';
import type { WireStderr } from '../wire/wireEvent';

/** A line of standard error. By itself it is no error: ACP and MCP both say that agents log there. */
export function stderrRecord(event: WireStderr): RecordDraft | undefined {
  if (event.line.trim() === '') return undefined;
  const long = event.bytes === undefined ? '' : ` … (a line of ${event.bytes} bytes)`;
  return { receivedAt: event.t, level: 'info', kind: 'stderr', message: event.line + long, raw: event.line };
}
