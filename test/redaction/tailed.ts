import { Line } from '../../src/text/bytes/line';
import { LogReader } from '../../src/runLog/reading/logReader';
import type { LineRedactor } from '../../src/runLog/reading/redactEvent';
import type { Entry } from '../../src/cli/context';
import { JsonFormat } from '../../src/cli/tail/recordLines';
import { TailSink } from '../../src/cli/tail/tailSink';

/** What `agent-logs tail --json` prints for a file, without starting a process. Without a redactor, secrets are kept. */
export function tailedHere(file: string, redactor?: LineRedactor): readonly string[] {
  const lines: string[] = [];
  const print = ({ lead, text }: Entry): void => void lines.push(lead + text);
  const sink = new TailSink({ format: new JsonFormat(), level: 'debug', session: undefined, print, titles: new Map() });
  const reader = new LogReader(sink, { redactor });
  sink.readFrom(reader);
  for (const text of file.split('\n')) if (text !== '') reader.line(Line.of(text), 0);
  reader.complete();
  return lines;
}
