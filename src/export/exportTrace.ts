import { t } from '../text/translator';
import { writeFile } from 'node:fs/promises';
import { HumanError } from '../text/humanError';
import type { RunView } from '../runLog/runView';
import type { RunTrace } from './chromeTrace';
import { chromeTrace } from './chromeTrace';
import { checkTarget } from './exportFile';
import type { TraceFormat } from './exportFormat';

export interface TraceOptions {
  readonly path: string;
  readonly format: TraceFormat;
  /** End time of spans that are still running, in milliseconds since the epoch. */
  readonly now: number;
  /** The other ends of its calls. */
  readonly ends?: RunTrace['ends'];
}

/**
 * Writes the spans of a run that are in memory to a file; the oldest of a long run are dropped.
 * @throws HumanError if the run has no spans or the file is the run's own; or file system errors
 */
export async function exportTrace(run: RunView, { path, format, now, ends = new Map() }: TraceOptions): Promise<void> {
  const spans = run.log.spans();
  if (spans.length === 0) throw new HumanError(t('This run has no turns, tool calls or requests to export.'));
  await checkTarget(path, run.journal?.paths ?? []);
  const write = format === 'chrome' ? chromeTrace : (await import('./otlpTrace')).otlpTrace;
  await writeFile(path, await write({ runId: run.id, name: run.name, spans, now, ends }));
}
