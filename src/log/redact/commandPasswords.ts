import type { ValueEnds } from './ends';
import type { Span } from './span';
import { marker, maskedEnd } from './span';
import { isNumber, isPlaceholder } from './values';

/** Programs, and the option of one letter that has their password, with a space after it or none. */
const command =
  /\b(?:(?:docker|podman|nerdctl|buildah|skopeo|helm registry|az|oc|cf) login\b[^\n|;&]{0,160}\s-p\s|(?:mongosh|mongodump|mongorestore|cqlsh)\b[^\n|;&]{0,160}\s-p\s|(?:mysql|mysqldump|mysqladmin|mariadb|mariadb-dump|sshpass)\b[^\n|;&]{0,160}\s-p|redis-cli\b[^\n|;&]{0,160}\s-a\s|ldap(?:search|modify|add|delete|whoami|passwd)\b[^\n|;&]{0,160}\s-w\s|openssl\b[^\n|;&]{0,160}\s-pass(?:in|out)?\spass:)$/;

/** How far back the program of an option is looked for, in characters. */
const maxBefore = 200;

/** The password of a command's short option, as in `mysql -p…`; `at` is where its dash is. */
export function commandPassword(ends: ValueEnds, at: number): Span | undefined {
  const { text } = ends;
  const option = /-(?:pass(?:in|out)?\spass:|[paw]\s|p)/y;
  option.lastIndex = at;
  if (!option.test(text)) return undefined;
  const from = option.lastIndex;
  if (!command.test(text.slice(Math.max(0, at - maxBefore), from))) return undefined;
  if (/^\s?$/.test(text.charAt(from))) return undefined;
  const quote = text.charAt(from);
  const isQuoted = quote === '"' || quote === "'";
  const start = isQuoted ? from + 1 : from;
  const end = isQuoted ? ends.quoted(quote, start) : ends.bare(start, 'word');
  const value = text.slice(start, end);
  const isNone = value.length < 2 || value.startsWith('-') || isPlaceholder(value) || isNumber(value);
  return isNone || maskedEnd(text, start) > 0 ? undefined : { start, end, text: marker };
}
