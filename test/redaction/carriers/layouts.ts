import { group } from './carrier';

/** What a cell has around it is no part of it, and columns have no spaces. */
const notCell = /[|"'`*\s]/;

export const layouts = group('layout', { styles: ['snake', 'camel', 'upper'], needsLines: true }, [
  ['YAML block', (name, value) => `database:\n  ${name}: |\n    ${value}\n  port: 5432`],
  ['YAML folded block', (name, value) => `${name}: >-\n  ${value}\nport: 5432`],
  ['next line', (name, value) => `database:\n  ${name}:\n    ${value}\n  port: 5432`, { not: /["'`\s]|[:.,]$/ }],
  [
    'Markdown column',
    (name, value) => `| user | ${name} | note |\n|------|:---:|---|\n| ci | ${value} | ok |`,
    { not: notCell },
  ],
  ['Markdown column, quoted', (name, value) => `|\`${name}\`|user|\n|-|-|\n|\`${value}\`|ci|`, { not: notCell }],
  ['Markdown row', (name, value) => `| host | db |\n| **${name}** | ${value} |\n`, { not: notCell }],
  [
    'database client',
    (name, value) => ` id | ${name}   | role\n----+------------+------\n  7 | ${value} | ci\n(1 row)`,
    { not: notCell },
  ],
  ['CSV', (name, value) => `id,user,${name},role\n1,root,none,ci\n2,ci,${value},ci`, { not: /[,;|"'`*\s]/ }],
  ['CSV, quoted', (name, value) => `"user","${name}"\n"ci","${value}"`, { not: /["'`*|\s]/ }],
  ['TSV', (name, value) => `${name}\tuser\n${value}\tci`, { not: notCell }],
  [
    'HTML password',
    (_name, value) => `<input class="x" type="password" name="pw" value="${value}" required>`,
    { not: /[<>&"]/ },
  ],
  [
    'HTML hidden field',
    (name, value) => `<input value="${value}" type="hidden" name="${name}">`,
    { not: /[<>&"]/, styles: ['snake'] },
  ],
]);
