import type { JsonObject } from '../../text/json';
import { objectOf } from '../../text/json';
import { parsedJson } from '../../text/jsonText';
import type { BesideForm } from '../beside';

const usageType = 'droid.usage';

/** `UUID.settings.json`, which alone has a session's tokens: their sum, as a line at its end. */
export const beside: BesideForm = {
  linesAre: "tokens from the session's settings",
  async lines({ names, lastAt }, files) {
    const settings = [...names.slice(0, -1), (names.at(-1) ?? '').replace(/\.jsonl$/, '.settings.json')];
    const { tokenUsage } = objectOf(parsedJson((await files.text(settings)) ?? ''));
    if (lastAt === undefined || tokenUsage === undefined) return [];
    return [{ type: usageType, timestamp: new Date(lastAt).toISOString(), tokenUsage }];
  },
};

export function isUsage(line: JsonObject): boolean {
  return line['type'] === usageType;
}
