import type { Deletion } from '../deletion';
import { objectOf, textOf } from '../../text/json';

const usual = '30d';
const least = '1d';
/** Days of each unit. */
const units: Readonly<Record<string, number>> = { h: 1 / 24, d: 1, w: 7, m: 30 };

/** Gemini CLI deletes sessions of a project when it starts there. */
export const deletion: Deletion = {
  asOf: '0.61.0',
  rule: "deletes those that haven't changed for 30 days (`maxAge`), and all but the newest with `maxCount`",
  age: {
    setting: 'general.sessionRetention',
    file: '~/.gemini/settings.json',
    names: ['settings.json'],
    days(settings) {
      const {
        enabled = true,
        maxAge = usual,
        minRetention,
      } = objectOf(objectOf(settings['general'])['sessionRetention']);
      if (enabled !== true) return undefined;
      const days = daysIn(maxAge);
      // A shorter time than it allows is an error, and nothing is deleted.
      const isAllowed = days !== undefined && days >= (daysIn(textOf(minRetention) ?? least) ?? 1);
      return isAllowed ? days : undefined;
    },
  },
};

/** The days of a period such as `24h`, `30d`, `4w` or `6m`. */
function daysIn(period: unknown): number | undefined {
  const [, count = '', unit = ''] = /^(\d+)([hdwm])$/.exec(textOf(period) ?? '') ?? [];
  return Number(count) * (units[unit] ?? 0) || undefined;
}
