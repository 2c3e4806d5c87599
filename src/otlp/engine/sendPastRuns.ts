import { dirname, join } from 'node:path';
import { stillAlive } from '../../machine/processAlive';
import { parseSessionFilter } from '../../past/saved/list/sessionFilter';
import { HumanError } from '../../text/humanError';
import type { Words } from '../../text/translator';
import { t } from '../../text/translator';
import type { StateHome } from '../../wire/journal/tapFolder';
import { tapFolder } from '../../wire/journal/tapFolder';
import { otlpLogs, otlpTraces } from '../otlpHttp';
import { otlpUrls, shownUrl } from '../otlpTarget';
import { otlpVariables } from './environment';
import type { ExportResult, RunExport } from './exportRuns';
import { exportRuns } from './exportRuns';
import type { RequestTime } from './requestSender';
import type { PastSources } from './pastRuns';
import { pastRuns } from './pastRuns';
import { SentMemory } from './sentMemory';

export interface PastExport extends Pick<RunExport, 'signal' | 'onProblem'>, Pick<RequestTime, 'onWait'> {
  /** The collector's address; `undefined` for that of OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly url: string | undefined;
  /** Where the user sets the address and the headers. */
  readonly names: Parameters<typeof otlpUrls>[1];
  /** For all requests, besides those of OTEL_EXPORTER_OTLP_HEADERS. */
  readonly headers: Readonly<Record<string, string>>;
  /** As for lists of sessions. */
  readonly filter: string;
  /** Send also what was sent before. */
  readonly again: boolean;
  readonly sources: PastSources;
  readonly machine: StateHome;
  readonly onProgress: (done: number, total: number) => void;
}

const variables = { address: 'OTEL_EXPORTER_OTLP_ENDPOINT', headers: 'OTEL_EXPORTER_OTLP_HEADERS' };

/** What was sent, and where. */
export interface PastExported extends ExportResult {
  /** Without what may be secret. */
  readonly to: string;
}

/**
 * Sends saved sessions and past runs to a collector.
 * @throws HumanError if the address or a variable is invalid, or what was sent can't be remembered
 */
export async function sendPastRuns(given: PastExport): Promise<PastExported> {
  const { filter, sources, machine, headers, onProblem, onProgress, signal, again } = given;
  const { encoding, timeout, attributes } = otlpVariables(machine.env);
  const { address, ...urls } = collectorOf(given, machine.env);
  const folder = join(dirname(tapFolder(machine)), 'sent');
  const time = { now: Date.now, sleep: pause, onWait: given.onWait };
  const memory = await SentMemory.open({ folder, url: urls.url, isAlive: stillAlive(), now: time.now, again });
  try {
    const runs = await pastRuns(sources, parseSessionFilter(filter), onProblem, signal);
    const result = await exportRuns(runs, {
      sendRecords: otlpLogs({ url: urls.url, headers, timeout, encoding }),
      sendSpans: otlpTraces({ url: urls.tracesUrl, headers, timeout, encoding }),
      memory,
      redaction: sources.redaction,
      attributes,
      time,
      signal,
      onProgress: (done) => onProgress(done, runs.length),
      onProblem,
    });
    return { ...result, to: shownUrl(address) };
  } finally {
    await memory.close();
  }
}

/**
 * The collector that is asked for.
 * @throws HumanError if there is none, or its address is invalid
 */
export function collectorOf(
  { url, names }: Pick<PastExport, 'url' | 'names'>,
  env: StateHome['env'],
): { readonly address: string; readonly url: string; readonly tracesUrl: string } {
  const address = url ?? otlpVariables(env).endpoint;
  if (address === undefined) {
    throw new HumanError(t('Name the collector in {0} or OTEL_EXPORTER_OTLP_ENDPOINT.', names.address));
  }
  const urls = otlpUrls(address, url === undefined ? variables : names);
  if (urls.type === 'invalid') throw new HumanError(urls.message);
  return { ...urls, address };
}

/** What an export did, as a line. */
export function exportWords({ to, sessions, spans, records, unchanged, rejected, left }: PastExported): Words {
  const sent = t('Sent to {0}: sessions {1}, spans {2}, records {3}.', to, sessions, spans, records);
  return t('{0} Sent before {1}, rejected {2}, left {3}.', sent, unchanged, rejected, left);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}
