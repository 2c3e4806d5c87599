import { secretKind } from '../names';
import { shapes } from '../shapes/shapeTable';
import { marker } from '../span';
import type { Words } from '../../text/translator';
import { t } from '../../text/translator';

/** How much of a text shows what was cut out of it, in characters before the marker. */
const maxBefore = 100;

/** The public part of a token, which the redactor keeps. */
const publicPart = /([\w.+:/-]{1,40} ?)…$/;
const privateKey = /PRIVATE KEY(?: BLOCK)?-----(?:\\+[nr]|\s){0,8}…$/;
const scheme = /(?:^|[^\w-])(Bearer|Basic|Digest|Token|Negotiate) (?:[\w.+:/-]{1,40} ?)?…?$/i;
const inUrl = /:\/\/[^\s/@]{0,60}:$/;
const assignedName =
  /((?:--?)?[\p{L}_$][\p{L}\d_.-]{0,60})(?:\\{0,8}["'`])?\]?\s{0,4}(?:[:=]>?|：|\s|,)\s{0,4}(?:\\{0,8}["'`])?(?:[\w.+:/-]{1,40} ?…)?$/u;

/** What was cut out of a text, place by place, as far as what is around the marker tells. The name is that of the text's field. */
export function redactionsIn(text: string, name?: string): readonly Words[] {
  const found: Words[] = [];
  for (let at = text.indexOf(marker); at >= 0; at = text.indexOf(marker, at + marker.length)) {
    found.push(redactionAfter(text.slice(Math.max(0, at - maxBefore), at), at <= maxBefore ? name : undefined));
  }
  return found;
}

function redactionAfter(before: string, field: string | undefined): Words {
  if (privateKey.test(before)) return t('Private key');
  const prefix = publicPart.exec(before)?.[1] ?? '';
  const shape = prefix === '' ? undefined : shapes.find((one) => prefix.endsWith(one.prefix));
  if (shape) return t('{0} token', shape.vendor);
  const [, type] = scheme.exec(before) ?? [];
  if (type !== undefined) return t('{0} authorization', type);
  if (inUrl.test(before)) return t('Password in a URL');
  const name = assignedName.exec(before)?.[1]?.replace(/^-+/, '');
  if (name !== undefined && secretKind(name)) return t('Value of {0}', name);
  // The text is the value, or a part of it.
  return field !== undefined && secretKind(field) ? t('Value of {0}', field) : t('Other secret');
}
