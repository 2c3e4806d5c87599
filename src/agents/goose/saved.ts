import type { JsonObject } from '../../text/json';
import { objectOf, textOf } from '../../text/json';
import type { AgentReader } from '../../protocols/agentWriter/agentReader';
import type { AgentWriter } from '../../protocols/agentWriter/agentWriter';
import { partsOf } from '../reading/saved/parts';
import type { SavedForm } from '../savedForm';
import { readContent, usageIn } from './content';
import { database } from './database';
import { failureIn } from './failure';
import { exportLines } from './lines';

/** goose: `sessions/sessions.db`, as lines for the session and each message. Written from its source, not tried with the agent. */
export const saved: SavedForm = {
  type: 'database',
  tried: {},
  waits: { records: [], tools: {}, permissions: 'unrecorded' },
  deletion: { rule: 'not known' },
  recognises: (line) => line['type'] === 'goose.session' || line['type'] === 'goose.message',
  reader: (): AgentReader => ({ read }),
  document: { list: 'conversation', lines: exportLines },
  programs: ['goose'],
  roots: [
    ['GOOSE_PATH_ROOT', 'data'],
    ['XDG_DATA_HOME', 'goose'],
    ['APPDATA', 'Block', 'goose', 'data'],
    ['~', '.local', 'share', 'goose'],
  ],
  database,
};

function read(line: JsonObject, writer: AgentWriter): void {
  writer.settle();
  if (line['type'] === 'goose.session') return readSession(line, writer);
  if (line['type'] !== 'goose.message') return writer.unknown(textOf(line['type']));
  readMessage(textOf(line['key']), objectOf(line['message']), writer);
}

function readSession(line: JsonObject, writer: AgentWriter): void {
  writer.in({ id: textOf(line['id']) ?? 'session' });
  writer.started({ agent: 'goose', model: textOf(line['model']), folder: textOf(line['folder']) });
  writer.title(textOf(line['title']));
}

function readMessage(key: string | undefined, message: JsonObject, writer: AgentWriter): void {
  const isUser = message['role'] === 'user';
  const { inference, usage } = objectOf(message['metadata']);
  const { resolvedModel, requestedModel } = objectOf(inference);
  if (!isUser) writer.answeredBy(textOf(resolvedModel) ?? textOf(requestedModel));
  let error: string | undefined;
  const asked: string[] = [];
  readContent(message, writer, (text, isThought) => {
    if (isUser) return void asked.push(text);
    if (isThought) return writer.thought(text);
    error ??= failureIn(text);
    writer.answer(text);
  });
  writer.usage(key, usageIn(objectOf(usage)));
  if (isUser) return writer.prompt(asked.join('\n'));
  if (error !== undefined) return writer.turnEnded({ outcome: 'error', error });
  const hasCall = partsOf(message['content']).some(({ type }) => type === 'toolRequest');
  if (!hasCall) writer.mayEnd({ outcome: 'ok' });
}
