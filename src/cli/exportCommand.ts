import { hintWords } from '../query/hintWords';
import { parseSessionFilter } from '../past/saved/list/sessionFilter';
import { HumanError } from '../text/humanError';
import type { Words } from '../text/translator';
import { inEnglish } from '../text/translator';
import type { JournalSet } from '../wire/journal/journalFolder';
import { JournalFolder } from '../wire/journal/journalFolder';
import { tapFolder } from '../wire/journal/tapFolder';
import type { ExportOptions } from './commands/export';
import type { Cli } from './context';
import { savedSessionsHere } from './sessionsCommand';

/** How often to say how far the export is, in milliseconds. */
const progressInterval = 10_000;
const usageExit = 2;
const names = { address: '--otlp', headers: 'OTEL_EXPORTER_OTLP_HEADERS' };

/** Sends saved sessions and past runs to a collector. The exit code is 1 if something is left or was rejected. */
export async function exportPast({ otlp, filter, journals, again }: ExportOptions, cli: Cli): Promise<number> {
  const { machine, redaction } = cli;
  for (const hint of parseSessionFilter(filter)?.hints ?? []) cli.warn(inEnglish(hintWords(hint)));
  const folders = [tapFolder(machine), ...(journals === undefined ? [] : [journals])];
  const journalSets = (): Promise<readonly (readonly JournalSet[])[]> =>
    Promise.all(folders.map((folder) => new JournalFolder(folder).list()));
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  // The second time, the process ends at once.
  process.once('SIGINT', stop);
  let saidAt = Date.now();
  const say = (words: Words): void => cli.warn(inEnglish(words));
  // Its libraries are large.
  const { exportWords, sendPastRuns } = await import('../otlp/engine/sendPastRuns');
  try {
    const result = await sendPastRuns({
      url: otlp,
      names,
      headers: {},
      filter,
      again,
      machine,
      sources: { sessions: savedSessionsHere(cli), journals: journalSets, redaction },
      signal: stopping.signal,
      onProblem: (problem) => cli.fail(inEnglish(problem)),
      onWait: (reason, ms) => cli.warn(`${inEnglish(reason)}. Trying again in ${ms / 1000} s.`),
      onProgress: (done, total) => {
        if (Date.now() - saidAt < progressInterval) return;
        saidAt = Date.now();
        cli.warn(`${done} of ${total} sessions`);
      },
    });
    const { reason, isCancelled, left, rejected } = result;
    if (isCancelled) cli.warn('Stopped. Run the command again to send the rest.');
    else if (reason) say(reason);
    if (left > 0 || rejected > 0) cli.exitWith(1);
    cli.print(inEnglish(exportWords(result)));
    return cli.exitCode;
  } catch (error) {
    if (!(error instanceof HumanError)) throw error;
    cli.fail(error.message, usageExit);
    return cli.exitCode;
  } finally {
    process.off('SIGINT', stop);
  }
}
