import type { JsonObject } from '../../text/json';
import { isObject, objectOf, textOf } from '../../text/json';
import { contentTextOf } from '../../work/tools/contentText';
import { plainAttributes } from '../ndjson/otelLog';
import type { Content, GenAi } from './genAi';
import { callsIn, genAiOf, json, resultsIn, stopReasonOf, text } from './genAi';

/** What an event says of a model request. */
export type EventContent = Content;

/** The event that has a whole request. */
export const detailsName = 'gen_ai.client.inference.operation.details';
const messages =
  /^gen_ai\.(?:system|user|assistant|tool)\.message$|^gen_ai\.choice$|^gen_ai\.content\.(?:prompt|completion)$/;

/** Whether an event is one of the messages of a request, as older conventions have them. */
export function isMessage(name: string): boolean {
  return messages.test(name);
}

/** Adds what only events say. */
export function withContent(about: GenAi, events: readonly EventContent[]): GenAi {
  if (events.length === 0) return about;
  const calls = events.flatMap((event) => event.calls ?? []);
  const results = events.flatMap((event) => event.results ?? []);
  const answers = events.flatMap(({ answer }) => answer ?? []);
  return {
    ...about,
    prompt: about.prompt ?? events.findLast(({ prompt }) => prompt !== undefined)?.prompt,
    answer: about.answer ?? (answers.length === 0 ? undefined : answers.join('\n')),
    thought: about.thought ?? events.find(({ thought }) => thought !== undefined)?.thought,
    stopReason: about.stopReason ?? events.find(({ stopReason }) => stopReason !== undefined)?.stopReason,
    ...(about.calls === undefined && calls.length > 0 && { calls }),
    ...(about.results === undefined && results.length > 0 && { results }),
  };
}

/** What an event in a span says of it. */
export function spanEventContent({ name, attributes }: JsonObject): EventContent | undefined {
  const type = textOf(name) ?? '';
  if (!isMessage(type) && type !== detailsName) return undefined;
  const plain = plainAttributes(attributes);
  return type === detailsName ? genAiOf(plain, type) : messageContent(type, plain);
}

/** The message is in the body, in an attribute as JSON (Azure), or in attributes (Strands). */
function fieldsOf(attributes: JsonObject, body: unknown): JsonObject {
  const given = [body, attributes['gen_ai.event.content']].map(json).find(isObject);
  return given ?? attributes;
}

/** What one of the messages of a model request says. */
export function messageContent(name: string, attributes: JsonObject, body?: unknown): EventContent {
  const fields = fieldsOf(attributes, body);
  switch (name) {
    case 'gen_ai.user.message':
      return { prompt: text(contentTextOf(json(fields['content']))) };
    case 'gen_ai.content.prompt':
      return { prompt: text(lastContent(fields['gen_ai.prompt'])) };
    case 'gen_ai.content.completion':
      return { answer: text(lastContent(fields['gen_ai.completion'])) };
    case 'gen_ai.tool.message':
      return { results: resultsIn({ ...fields, role: 'tool' }) };
    case 'gen_ai.choice': {
      const given = json(fields['message']);
      const message = isObject(given) ? given : { content: given };
      const calls = callsIn(message);
      return {
        answer: text(contentTextOf(json(message['content']))),
        stopReason: stopReasonOf(fields['finish_reason']),
        ...(calls.length > 0 && { calls }),
      };
    }
    default:
      return {}; // The system's message, and earlier answers.
  }
}

/** The text, or that of the last message. */
function lastContent(value: unknown): string | undefined {
  const given = json(value);
  if (!Array.isArray(given)) return textOf(given);
  return contentTextOf(objectOf(given.at(-1))['content']);
}
