import { dollars, duration, size } from './text';

/** A number of ours in a text that is translated, in milliseconds, minutes, bytes, US dollars, tokens or milliseconds since the epoch. */
export type Measure =
  | { readonly ms: number }
  | { readonly minutes: number }
  | { readonly bytes: number }
  | { readonly usd: number }
  | { readonly tokens: number }
  | { readonly at: number };

/** In English, as in logs and exports: `2.5 s`, `12.3k`, `1.2 MB`, `$0.12`, `2026-11-20T10:00:00.000Z`. */
export function measureText(measure: Measure): string {
  if ('ms' in measure) return duration(measure.ms);
  if ('minutes' in measure) return minutesText(measure.minutes);
  if ('bytes' in measure) return size(measure.bytes);
  if ('usd' in measure) return dollars(measure.usd);
  return 'tokens' in measure ? short(measure.tokens) : momentText(measure.at);
}

/** As people read it: `2,5 s` and `0,12 $` in German, and moments in local time. @param locale by default, that of the system */
export function shownMeasure(measure: Measure, locale: string | undefined): string {
  if ('at' in measure) return new Date(measure.at).toLocaleString(locale);
  const text = measureText(measure);
  const sign = (1.5).toLocaleString(locale).charAt(1);
  if (sign === '.') return text;
  const shown = text.replace('.', () => sign);
  return 'usd' in measure ? `${shown.slice(1)} $` : shown;
}

function momentText(at: number): string {
  const moment = new Date(at);
  return Number.isNaN(moment.getTime()) ? String(at) : moment.toISOString();
}

/** `20 min` instead of `20 min 0 s`. */
function minutesText(minutes: number): string {
  return minutes < 60 ? `${minutes} min` : duration(minutes * 60_000);
}

/** `12.3k` */
function short(count: number): string {
  if (count < 1000) return String(count);
  return count < 999_950 ? `${(count / 1000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}
