import { group } from './carrier';

/** Ends an unquoted value. */
const blanks = /\s/;
/** Characters with a special meaning in a shell. */
const special = /[\s!$&()<>;|*?[\]{}#~^%@,]/;

export const env = group('env', { styles: ['upper'] }, [
  ['dump', (name, value) => `LANG=C.UTF-8\n${name}=${value}\nHOME=/home/dev`],
  ['one of many in a line', (name, value) => `env: LANG=C ${name}=${value} HOME=/home/dev`, { not: blanks }],
  ['.env', (name, value) => `PORT=8080\n${name}=${value}`, { not: /[\s#]/ }],
  ['.env, quoted', (name, value) => `PORT=8080\n${name}="${value}"`],
  ['.env, single quotes', (name, value) => `${name}='${value}'`],
  ['export', (name, value) => `export ${name}=${value}`, { not: special }],
  ['export, quoted', (name, value) => `export ${name}="${value}"`],
  ['before a command', (name, value) => `${name}=${value} npm run deploy`, { not: special }],
  ['set', (name, value) => `set ${name}=${value}`, { not: /[&|<>^%!]/ }],
  ['PowerShell', (name, value) => `$env:${name} = "${value}"`, { not: /\$/ }],
  ['docker inspect', (name, value) => JSON.stringify({ Env: ['LANG=C', `${name}=${value}`, 'HOME=/root'] })],
  ['Python environ', (name, value) => `environ({'LANG': 'C', '${name}': '${value}', 'HOME': '/root'})`],
  ['Go environ', (name, value) => `[LANG=C ${name}=${value} HOME=/root]`, { not: blanks }],
  ['workflow', (name, value) => `env:\n  CI: true\n  ${name}: "${value}"`],
  ['systemd', (name, value) => `Environment="${name}=${value}"`],
]);
