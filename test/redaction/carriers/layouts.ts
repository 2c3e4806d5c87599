import { group } from './carrier';

/** What a cell has around it is no part of it, and columns have no spaces. */
const notCell = /[|"'`*\s]/;

export const layouts = group('layout', { styles: ['snake', 'camel', 'upper'], needsLines: true }, [
  ['YAML block', 'database:\n  %n: |\n    %v\n  port: 5432'],
  ['YAML folded block', '%n: >-\n  %v\nport: 5432'],
  ['next line', 'database:\n  %n:\n    %v\n  port: 5432', { not: /["'`\s]|[:.,]$/ }],
  ['Markdown column', '| user | %n | note |\n|------|:---:|---|\n| ci | %v | ok |', { not: notCell }],
  ['Markdown column, quoted', '|`%n`|user|\n|-|-|\n|`%v`|ci|', { not: notCell }],
  ['Markdown row', '| host | db |\n| **%n** | %v |\n', { not: notCell }],
  ['database client', ' id | %n   | role\n----+------------+------\n  7 | %v | ci\n(1 row)', { not: notCell }],
  ['CSV', 'id,user,%n,role\n1,root,none,ci\n2,ci,%v,ci', { not: /[,;|"'`*\s]/ }],
  ['CSV, quoted', '"user","%n"\n"ci","%v"', { not: /["'`*|\s]/ }],
  ['TSV', '%n\tuser\n%v\tci', { not: notCell }],
  ['HTML password', '<input class="x" type="password" name="pw" value="%v" required>', { not: /[<>&"]/ }],
  ['HTML hidden field', '<input value="%v" type="hidden" name="%n">', { not: /[<>&"]/, styles: ['snake'] }],
]);
