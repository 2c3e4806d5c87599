import { ownHead } from '../../text/ownText';
import { oneLine } from '../../text/text';
import type { JsonObject } from '../../text/json';
import { arrayOf, objectOf, textOf, textsOf } from '../../text/json';
import { contentText } from '../../work/tools/contentText';
import { subjectOf } from '../../protocols/jsonrpc/exchangeText';
import { subjectOfParams } from '../../protocols/lsp/subject';
import type { NotificationFact, ObjectFact, RequestFact } from '../../work/facts';

/** What a message is about, as far as its method doesn't say it. */
export interface Carried {
  /** Its kind, such as `tool_call`: one of few, unlike the rest. */
  readonly kind: string;
  /** Such as a tool's title, a file, or the beginning of a prompt. */
  readonly about: string;
}

/** The title of a tool call that a message names by its ID. */
export type TitleOf = (sessionId: string, toolCallId: string) => string | undefined;

const maxKind = 60;
const maxAbout = 100;
/** More characters than that aren't looked at; a copy, because a part would keep the whole text in memory. */
const maxRead = 400;
const nothing: Carried = { kind: '', about: '' };

export function carriedBy(fact: RequestFact | NotificationFact | ObjectFact, titleOf: TitleOf): Carried {
  switch (fact.type) {
    case 'request':
      return { kind: '', about: line(aboutRequest(fact)) };
    case 'notification':
      return carriedByNotification(fact, titleOf);
    case 'object':
      return carriedByObject(fact.msg);
  }
}

function aboutRequest({ request, params }: RequestFact): string {
  const { prompt } = params;
  if (prompt !== undefined) return contentText(prompt);
  const command = params['command'];
  if (typeof command === 'string' && Array.isArray(params['args'])) {
    return textsOf(command, ...arrayOf(params['args']).slice(0, 20)).join(' ');
  }
  return subjectOf(request) ?? fieldOf(params) ?? '';
}

function carriedByNotification({ params, sessionId = '' }: NotificationFact, titleOf: TitleOf): Carried {
  const { update } = params;
  if (update === undefined) {
    // LSP reports progress in `value`.
    const value = objectOf(params['value']);
    return { kind: kindIn(value['kind']), about: line(fieldOf(params) ?? fieldOf(value) ?? '') };
  }
  const fields = objectOf(update);
  const kind = kindIn(fields['sessionUpdate']);
  if (!kind.startsWith('tool_call')) return { kind, about: line(fieldOf(fields) ?? '') };
  const id = textOf(fields['toolCallId']);
  const title = textOf(fields['title']) ?? (id === undefined ? undefined : titleOf(sessionId, id));
  const status = kind === 'tool_call' ? undefined : textOf(fields['status']);
  return { kind, about: line(textsOf(title, status && `(${status})`).join(' ')) };
}

/** An event of an agent's stream: the block of a message, an item, or a part. */
function carriedByObject(msg: JsonObject): Carried {
  const event = objectOf(msg['event']);
  const block = objectOf(arrayOf(objectOf(msg['message'])['content']).at(-1));
  const part = [block, objectOf(msg['item']), objectOf(msg['part'])].find(({ type }) => type !== undefined);
  if (!part) return { ...nothing, kind: kindIn(event['type']) };
  return { kind: kindIn(part['type']), about: line(fieldOf(part) ?? textOf(part['text']) ?? '') };
}

/** What the fields of protocols call their subjects. */
function fieldOf(fields: JsonObject): string | undefined {
  const { path, cwd, title, name, tool, modeId, modelId, configId, level, message, reason } = fields;
  const call = objectOf(fields['toolCall']);
  const [subject] = textsOf(title, call['title'], name, tool, subjectOfParams(fields), path, cwd);
  return subject ?? textsOf(modeId, modelId, configId, level, message, reason)[0];
}

function kindIn(value: unknown): string {
  return oneLine(ownHead(textOf(value) ?? '', maxRead), maxKind);
}

function line(text: string): string {
  return oneLine(ownHead(text, maxRead), maxAbout);
}

/** `assistant` or `system/init`: the type of a stream event. */
export function objectName({ msg }: ObjectFact): string {
  const type = textOf(msg['type']) ?? '';
  const subtype = textOf(msg['subtype']);
  return subtype === undefined ? type : `${type}/${subtype}`;
}
