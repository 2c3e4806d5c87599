import { group } from './carrier';

/** Ends an unquoted value. */
const blanks = /\s/;
/** Characters with a special meaning in a shell. */
const special = /[\s!$&()<>;|*?[\]{}#~^%@,]/;

export const env = group('env', { styles: ['upper'] }, [
  ['dump', 'LANG=C.UTF-8\n%n=%v\nHOME=/home/dev'],
  ['one of many in a line', 'env: LANG=C %n=%v HOME=/home/dev', { not: blanks }],
  ['.env', 'PORT=8080\n%n=%v', { not: /[\s#]/ }],
  ['.env, quoted', 'PORT=8080\n%n="%v"'],
  ['.env, single quotes', "%n='%v'"],
  ['export', 'export %n=%v', { not: special }],
  ['export, quoted', 'export %n="%v"'],
  ['before a command', '%n=%v npm run deploy', { not: special }],
  ['set', 'set %n=%v', { not: /[&|<>^%!]/ }],
  ['PowerShell', '$env:%n = "%v"', { not: /\$/ }],
  ['docker inspect', (name, value) => JSON.stringify({ Env: ['LANG=C', `${name}=${value}`, 'HOME=/root'] })],
  ['Python environ', "environ({'LANG': 'C', '%n': '%v', 'HOME': '/root'})"],
  ['Go environ', '[LANG=C %n=%v HOME=/root]', { not: blanks }],
  ['workflow', 'env:\n  CI: true\n  %n: "%v"'],
  ['systemd', 'Environment="%n=%v"'],
]);
