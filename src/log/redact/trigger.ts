/**
 * What follows a name with a value: more of the name, then a quote, an escape, a colon or an equals sign; after a flag a space. And what
 * ends the first line of a private one.
 */
const assigned = String.raw`(?=[\w-]{0,40}(?:["'\`:=\\]|\s{1,8}[:=]|\s(?<=--[\w-]{1,64}\s))|(?: BLOCK)?-----)`;

/** A piece of every name that `names.ts` knows: KEy, toKEn, cooKIe, PASSword, PWd, seCREt, CREdential, authoriZATion, _auth. */
const nameParts = [
  String.raw`[kK](?:[eE](?:[yY]|[nN](?![sS])(?<=[tT][oO]...))|[iI][eE])`,
  '[pP](?:[aA][sS][sS]|[wW][dD])',
  '[cC][rR][eE](?:[tT]|[dD](?![iI]))',
  '[zZ][aA][tT][iI]',
  '_auth',
];

/**
 * A piece of the prefix of every shape in `shapes.ts`: sK-, gsK_, gitlab's glPat-, ghP_, npM_, AKIA, ATATT3, eYJ, tvlY-, XOxb-,
 * gh_. Each takes its part of the time: those of services that few agents talk to are worth no more than 3 % of it.
 */
const shapeParts = [
  String.raw`k[-_](?<=(?:\b|_|[cg]|\\[a-z]|u00[0-9a-fA-F]{2})[sr]k.)`,
  'p(?:at[-_]|lx-|p-|m_|_|ypi-)',
  'A(?:[KS]IA|Iza|TT3)',
  'y(?:J|a29|-(?<=tvly-))',
  'x(?:ox|ai-)',
  '_(?:v1_|(?<=(?:gh[ousr]|hf|r8|ntn|figd|lin_api)_))',
];

/** Places: the `@` of a URL with a user, a Bearer or Basic header, the signature of a URL, the hosts of webhooks. */
const places = [
  String.raw`@(?<=\/[^\s/"'<>@]{1,512}@)`,
  'B(?:earer|asic)',
  '=(?<=(?:[sS][iI][gG]|[tT][uU][rR][eE])=)',
  String.raw`k(?:\.c(?<=slack\.c)|s(?=\\*\/\d)(?<=webhooks))`,
];

/**
 * The bracket of a colour that is written out, as in strings of JSON and of Python: it may part a name from its value. Looking for the
 * character before it takes the search four times as long: it shares no letter with the others.
 */
const colour = String.raw`\[(?<=\\(?:u001[bB]|x1[bB]|033)\[)`;

type TriggerKind = 'name' | 'shape' | 'place' | 'colour';

/** Something that a secret may be at. */
export interface Trigger {
  readonly kind: TriggerKind;
  readonly text: string;
  readonly index: number;
  /** Where the search goes on. */
  readonly end: number;
}

/**
 * The search for what every secret of the built-in rules has in it or before it. Most lines have none, and for them it is all that
 * redaction costs. So each piece begins with a letter that is rare in logs: one pass sorts out by that, which takes about 1 ns a
 * character. Looking for the words themselves without regard to case takes three times as long, several indexOf as well.
 */
const search = compiled(
  new RegExp(`((?:${nameParts.join('|')})${assigned})|(${shapeParts.join('|')})|${places.join('|')}|${colour}`, 'g'),
);

/**
 * V8 makes its machine code for what it is first tried on: it looks which letters are frequent there. After a text of nothing but an `x`
 * every later search took up to three times as long.
 */
function compiled(expression: RegExp): RegExp {
  const without = '0123456789'.repeat(30);
  for (let n = 0; n < 3; n++) expression.test(without); // first it is interpreted
  return expression;
}

/** The first one from a place on. */
export function nextTrigger(line: string, from: number): Trigger | undefined {
  search.lastIndex = from;
  const found = search.exec(line);
  if (found === null) return undefined;
  return { kind: kindOf(found), text: found[0], index: found.index, end: search.lastIndex };
}

function kindOf([text, name, shape]: RegExpExecArray): TriggerKind {
  if (name !== undefined) return 'name';
  if (shape !== undefined) return 'shape';
  return text === '[' ? 'colour' : 'place';
}
