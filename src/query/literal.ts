import { patternOf } from '../text/text';

/** An expression that matches exactly this text, ignoring case. */
export function literal(text: string, flag: 'g' | 'y'): RegExp {
  return new RegExp(patternOf(text), `${flag}i`);
}
