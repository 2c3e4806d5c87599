import { contentText } from '../../contentText';
import type { JsonObject } from '../../json';
import { arrayOf, objectOf, textOf } from '../../json';

/**
 * Converts version 2's form of an update to version 1's: plans are updated, the first update of a tool call creates it, its content comes
 * in chunks, and summaries are content. Returns any other update unchanged.
 * @param isNewCall whether this is the first update of its tool call
 */
export function asVersion1(update: JsonObject, isNewCall: boolean): JsonObject {
  switch (textOf(update['sessionUpdate'])) {
    case 'tool_call_update':
      return isNewCall ? { ...withName(update), sessionUpdate: 'tool_call' } : update;
    case 'tool_call_content_chunk':
      return { ...update, sessionUpdate: 'tool_call_update', content: [update['content']] };
    case 'plan_update': {
      const { entries } = objectOf(update['plan']);
      return Array.isArray(entries) ? { sessionUpdate: 'plan', entries: arrayOf(entries) } : update;
    }
    case 'compaction_update': {
      const { summary } = update;
      if (!Array.isArray(summary)) return update;
      return {
        ...update,
        summary: arrayOf(summary)
          .map((block) => contentText(block))
          .join(' '),
      };
    }
    default:
      return update;
  }
}

/** Titles a tool call without a title by its tool, or else by its ID. */
function withName(update: JsonObject): JsonObject {
  const name = textOf(update['title']) ?? textOf(update['name']) ?? textOf(update['toolCallId']);
  return name === undefined ? update : { ...update, title: name };
}
