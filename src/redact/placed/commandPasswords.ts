import type { ValueEnds } from '../ends';
import type { Span } from '../span';
import { marker, maskedEnd } from '../span';
import { isNumber, isPath, isPlaceholder } from '../values';

const login = '(?:docker|podman|nerdctl|buildah|skopeo|helm registry|az|oc|cf) login';

/** Programs by the option that their password follows, with a gap between them or none, or a user and what comes after it. */
const programs = [
  [
    '-p ',
    `${login}|mongo(?:sh)?|mongodump|mongorestore|cqlsh|sshpass|rabbitmqadmin|twine upload|[pP]s[eE]xec|ncftp\\w*|useradd|usermod|security unlock-keychain`,
  ],
  ['-p', 'mysql|mysqldump|mysqladmin|mariadb|mariadb-dump|sshpass|7z[az]?|unrar'],
  ['-a ', 'redis-cli'],
  ['-a :', 'https?|xh'],
  ['-U %', 'smbclient'],
  ['-k ', 'openssl enc|nuget push'],
  ['-w ', 'ldap(?:search|modify|add|delete|whoami|passwd)|security add-(?:generic|internet)-password'],
  ['-P ', 'unzip|zip|sqlcmd|bcp|ipmitool|mosquitto_\\w+'],
  ['-P', 'sqlcmd|bcp'],
  ['-pass:', 'openssl'],
].map(([option = '', names = '']) => ({ option, program: new RegExp(`(?<![.\\w-])(?:${names})\\b[^\\n|;&]{0,160}$`) }));

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
  const option = /(?:(-pass)(?:in|out)?["',\s]{1,8}(pass:)|(-[pawPkU])(["',\s]{0,8}))(?=[^\s])/y;
  option.lastIndex = at;
  const found = option.exec(text);
  if (found === null) return undefined;
  const [, pass = '', colon = '', letter = '', gap = ''] = found;
  const isApart = /[,\s]/.test(gap);
  const wanted = pass === '' ? `${letter}${isApart ? ' ' : ''}` : pass + colon.slice(-1);
  const before = text.slice(Math.max(0, at - maxBefore), at).replace(between, ' ');
  const row = programs.find((one) => one.option.startsWith(wanted) && one.program.test(before));
  if (row === undefined) return undefined;
  // `-p ''`: there is none.
  if (/(["'])\1/.test(gap)) return undefined;
  const user = new RegExp(String.raw`[^\s"'%:$]{1,64}${row.option.at(-1) ?? ''}`, 'y');
  user.lastIndex = option.lastIndex;
  const hasUser = /[:%]$/.test(row.option) && !row.option.startsWith('-pass');
  if (hasUser && !user.test(text)) return undefined;
  const start = hasUser ? user.lastIndex : option.lastIndex;
  // The quote that opens before the value, or before its option.
  const opening = /["']$/.exec(gap)?.[0] ?? (isApart ? '' : /["']$/.exec(text.slice(at - 1, at))?.[0]);
  const end = ends.opened(opening, start, 'word');
  const value = text.slice(start, end);
  const isNone =
    value.length < 2 || value.startsWith('-') || isPlaceholder(value) || isShortNumber(value) || isPath(value);
  return isNone || maskedEnd(text, start) > 0 ? undefined : { start, end, text: marker };
}
