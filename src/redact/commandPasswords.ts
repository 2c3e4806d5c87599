import type { ValueEnds } from './ends';
import type { Span } from './span';
import { marker, maskedEnd } from './span';
import { isNumber, isPath, isPlaceholder } from './values';

const login = '(?:docker|podman|nerdctl|buildah|skopeo|helm registry|az|oc|cf) login';

/** Programs by the option that their password follows, with a gap between them or none. */
const programs = [
  ['-p ', `${login}|mongosh|mongodump|mongorestore|cqlsh|sshpass`],
  ['-p', 'mysql|mysqldump|mysqladmin|mariadb|mariadb-dump|sshpass|7z[az]?'],
  ['-a ', 'redis-cli'],
  ['-w ', 'ldap(?:search|modify|add|delete|whoami|passwd)'],
  ['-P ', 'unzip|zip|sqlcmd|bcp'],
  ['-P', 'sqlcmd|bcp'],
  ['-pass:', 'openssl'],
].map(([option, names = '']) => ({ option, program: new RegExp(`(?<![.\\w-])(?:${names})\\b[^\\n|;&]{0,160}$`) }));

/** A port or a process, rather than a password. */
function isShortNumber(value: string): boolean {
  return value.length < 6 && isNumber(value);
}

/** How far back the program of an option is looked for, in characters. */
const maxBefore = 200;

/** The arguments of a command in a list have quotes and commas between them. */
const between = /["',[\](){} \t]+/g;

/** The password of a command's short option, as in `mysql -p…`; `at` is where its dash is. */
export function commandPassword(ends: ValueEnds, at: number): Span | undefined {
  const { text } = ends;
  const option = /(?:(-pass)(?:in|out)?["',\s]{1,8}(pass:)|(-[pawP])(["',\s]{0,8}))(?=[^\s])/y;
  option.lastIndex = at;
  const found = option.exec(text);
  if (found === null) return undefined;
  const [, pass = '', colon = '', letter = '', gap = ''] = found;
  const isApart = /[,\s]/.test(gap);
  const wanted = pass === '' ? `${letter}${isApart ? ' ' : ''}` : pass + colon.slice(-1);
  const before = text.slice(Math.max(0, at - maxBefore), at).replace(between, ' ');
  if (!programs.some((row) => row.option === wanted && row.program.test(before))) return undefined;
  const start = option.lastIndex;
  // The quote that opens before the value, or before its option.
  const opening = /["']$/.exec(gap)?.[0] ?? (isApart ? '' : /["']$/.exec(text.slice(at - 1, at))?.[0]);
  const end = ends.opened(opening, start, 'word');
  const value = text.slice(start, end);
  const isNone =
    value.length < 2 || value.startsWith('-') || isPlaceholder(value) || isShortNumber(value) || isPath(value);
  return isNone || maskedEnd(text, start) > 0 ? undefined : { start, end, text: marker };
}
