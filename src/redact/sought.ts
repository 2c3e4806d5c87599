import type { Fragment, Prefix, Sought } from '../kernel/fragment';
import { maxFragment } from '../kernel/fragment';
import { Kernel } from '../kernel/kernel';
import { easternSpellings, foreignCodes } from './foreignNames';
import type { Shape } from './shapes/shape';
import { positionNames } from './placed/positions';
import { shapes } from './shapes/shapeTable';
import { codeWords, grantWords, stemFragments } from './stems';

/** So many bytes of a token are looked for, unless it may have fewer. */
const tokenBytes = 16;
/** What a token is made of, whose shape says nothing else. */
const onlyToken = /^[\w.~+/=%#$-]*/;

/** What `trigger.ts` looks for beside names and shapes. */
const places =
  'BASIC|Basic|-SecureString |BY "|BY \'|BY \\|FIED BY |ied by "|ied by \'|ied by \\|Client("|Client(\'|Client(\\|ClientV2|core.win|ic.azure|slack.c|hook.o|webhooks|zapier.|"api"|"api\\|\'api\'|\'api\\'.split(
    '|',
  );
const options = ['"', "'", ' ', '\t', ',', '\\'].flatMap((before) =>
  Array.from('pawPkUS', (letter) => `${before}-${letter}`),
);
/** Settings that a blank comes after (`assigned/assignments.ts`). */
const directives = ['equirepass ', 'asterauth ', 'bindpw ', 'rootpw '];
/** The ends of the names of fields that something is typed into. */
const fields = ['textbox', ' box', ' field', ' input'].flatMap((word) => ['"', '\\'].map((quote) => word + quote));
/** Words before and after a code that is a secret, however short. */
const codes = ['', ' ', '_', '-'].flatMap((between) => [
  ...grantWords.map((before) => `${before}${between}code`),
  `code${between}verifier`,
]);
/** Codes that are used once are shorter than what may be the value of a name elsewhere. */
const onceCodes = codeWords.flatMap((before) =>
  [' ', '_', '-', ''].map((between) => `${before}${between}code`.slice(0, maxFragment)),
);
/** What a secret is said to be: `… is my API key`. */
const owned = ['is my ', ...['pa', 'to', 'ap', 'ke', 'se', 've', 'lo'].map((noun) => `s the ${noun}`)];
/** Those that `hidden` of `scan.ts` finds. */
const escapes = [
  ...Array.from('01234567', (digit) => `u00${digit}`),
  ...foreignCodes.map((code) => `u${code}`),
  'x1b',
  '033',
  '/',
];

const fragments: readonly Fragment[] = [
  ...stemFragments,
  ...codes.map((text) => ({ text, anyCase: true, then: 'value' }) as const),
  ...escapes.map((text) => ({ text: `\\${text}`, anyCase: true })),
  { text: 'OTP', then: 'value', unless: 'letter' },
  { text: 'PIN', then: 'value', unless: 'letter' },
  ...onceCodes.map((text) => ({ text, anyCase: true })),
  ...[')values', ') values', '\\nvalues'].map((text) => ({ text, anyCase: true })),
  ...[
    ...places,
    'verifica',
    'PIN is ',
    'PIN ist ',
    'OTP is ',
    'sqlplus',
    'le:thin:',
    '@tcp(',
    '--stdin',
    'rd-stdin',
    'th-token',
    'ta-file=',
    ...owned,
    ...positionNames,
    ...directives,
    ...options,
    ...fields,
    ...easternSpellings,
  ].map((text) => ({ text })),
  { text: 'bearer', anyCase: true },
  { text: 'curl', unless: 'letter' },
  ...['sig=', 'Sig=', 'ature='].map((text) => ({ text, then: tokenBytes })),
  { text: '://', then: 'address' },
  ...shapes
    .filter(({ before }) => before !== undefined)
    .map(({ prefix, min }) => ({ text: prefix, then: Math.min(min, tokenBytes) })),
];

/** What every secret has in it or before it, from the tables of names, shapes and places. */
export function sought(): Sought {
  return { fragments, prefixes: shapes.filter(({ before }) => before === undefined).map(prefixOf) };
}

/** Tells which lines may have a secret: a constant, compiled when it is first asked. Its memory keeps nothing from one answer to the next. */
export const kernel = new Kernel(sought);

function prefixOf({ prefix, min }: Shape): Prefix {
  const [text = ''] = onlyToken.exec(prefix) ?? [];
  return { text, length: text.length + (text === prefix ? Math.min(min, tokenBytes) : 0) };
}
