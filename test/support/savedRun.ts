import { readFileSync } from 'node:fs';
import { Line } from '../../src/text/bytes/line';
import { Redactor } from '../../src/redact/redactor';
import { RecordStore } from '../../src/store/store';
import { documentLines, savers } from '../../src/agents/agents';
import { LogReader } from '../../src/runLog/reading/logReader';
import { replayedLines } from '../../src/past/saved/list/readDetails';
import { RunLog } from '../../src/runLog/runLog';
import { RunLogSink } from '../../src/past/files/runLogSink';

/** The log of a saved session, as read by a run. */
export function readSaved(path: string): RunLog {
  const text = readFileSync(path, 'utf8');
  const lines = path.endsWith('.json')
    ? (documentLines(JSON.parse(text) as unknown) ?? []).map(({ line }) => JSON.stringify(line))
    : savedLines(text.split('\n'));
  return readSavedLines(lines);
}

/** The lines that a run reads: those of the file, or what its changes are converted into. */
export function savedLines(lines: readonly string[]): readonly string[] {
  const forms = savers.flatMap(({ saved }) => (saved.type === 'changes' ? saved.changes : []));
  const changes = forms.find((form) => form.recognises(lines[0] ?? ''));
  return changes ? replayedLines(changes, lines) : lines;
}

export function readSavedLines(lines: readonly string[]): RunLog {
  const log = new RunLog(new RecordStore(1e8), 0);
  const reader = new LogReader(new RunLogSink(log, 1), { redactor: new Redactor() });
  for (const line of lines) reader.line(Line.of(line), 1);
  reader.complete();
  return log;
}

/** The messages of a run so far. */
export function messagesOf({ log }: { readonly log: RunLog }): string[] {
  return log.store.query().map(({ message }) => message);
}

/** Settles when a message of a run that is followed has this text, the nth one or a later one. */
export async function untilSays(run: { readonly log: RunLog }, text: string, nth = 1): Promise<void> {
  while (!messagesOf(run).some((message, index) => message.includes(text) && index + 1 >= nth)) {
    await new Promise<void>((resolve) => {
      const listener = run.log.onDidChange(() => {
        listener.dispose();
        resolve();
      });
    });
  }
}

/** Words for how a turn ended. */
const words: ReadonlyMap<string, string> = new Map([
  ['ok', 'completed'],
  ['error', 'failed'],
]);

/** `time level [session] kind logger: message` of each record, with the session's title if it has one. */
export function describeSaved(log: RunLog): string {
  const lines = log.store.query().map((record) => {
    const { receivedAt, level, kind, sessionId, logger, message, data } = record;
    const title = sessionId === undefined ? '' : `[${log.find(sessionId)?.title ?? ''}] `;
    const usage = data === undefined ? '' : ` ${JSON.stringify(data)}`;
    // The tests of the diagnosis check their texts.
    if (kind === 'diagnosis') {
      return `${new Date(receivedAt).toISOString().slice(11)} ${level} ${title}${kind} ${logger ?? '-'}`;
    }
    const text = message.replaceAll('\n', '\\n').slice(0, 200);
    return `${new Date(receivedAt).toISOString().slice(11)} ${level} ${title}${kind} ${logger ?? '-'}: ${text}${usage}`;
  });
  const sessions = log.sessions.map(({ id, parent, title, summary }) => {
    const from = parent === undefined ? '' : ` of ${parent.slice(-8)}`;
    const { outcome } = summary?.lastTurn ?? {};
    return `session ${id.slice(-8)}${from}: ${title ?? ''} (${outcome ? (words.get(outcome) ?? outcome) : 'no turn ended'})`;
  });
  return `${[...lines, ...sessions].join('\n')}\n`;
}
