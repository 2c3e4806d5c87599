import { changed, example, purposes } from './assigned/told';
import { positionPieces } from './placed/positions';
import { shapePieces } from './shapes/shapes';
import { stemsByAnchor } from './stems';

const purpose = `(?:,? [(]?(?:${purposes}|which)(?: [A-Za-zÀ-ÿ'’-]{1,16}){0,4})?`;
const wrapped = String.raw`[([{<]?(?:${example})?(?:\\{0,3}["'\`]|[“„‘‚]|«[ \u00a0\u202f]?|\*{1,2})?(?=\S{0,32}\d)\S{8}`;
const newLine = String.raw`(?:\s|\\{1,8}[rnt]){1,4}(?:\`{3}\w{0,12}(?:\s|\\{1,8}[rn]){1,2})?`;

/** What follows a name whose value a sentence tells (see `assigned/told.ts`): a word that says that it comes, brackets, quotes, or nothing. */
const told = [
  String.raw`(?:[ ,][\w@.À-ÿ'’,() -]{0,40}[:=→>]|${purpose} (?:is|was|ist|war|lautet|est?|[èé])(?: now)?:?|(?:entials| are| sind)[: ]{1,2}[\w@.-]{1,32} /)${newLine}${wrapped}`,
  String.raw`(?:\*{0,2}${purpose}(?: [-–—])? (?=[([{<"'\`\\“„‘‚«*])|(?=\())${wrapped}`,
  String.raw`\*{0,2},?(?:${changed})?(?: (?:to|from|auf|von|à|a|de))?(?:[ \t]|\\{1,8}t){1,40}(?:[-–—] )?(?:(?=[\w.~%+/=#-]{20})(?=\S{0,20}\d)|(?=\S{8})(?=\S{0,12}\d)(?=\S{0,12}[A-Z])|${example})`,
].join('|');

/** A code that is used once, after its name. */
const once = String.raw`(?<=[eEpPN][sS]?)(?: (?:is|ist|lautet))? ["'*(\x60]{0,3}(?:\d{4,8}|\d{3} \d{3}|[A-Z\d]{4}-[A-Z\d]{4}|(?=[A-Z]{0,9}\d)[A-Z\d]{6,10})\b`;

/**
 * What follows a name that has a value: more of the name, then a quote, an escape, a bracket, a colon or an equals sign, with a type
 * between; in a table the next cell, other headings or the end of the line; after an option or an instruction a space. And what ends the
 * first line of a private key.
 */
const assigned = `(?=${[
  String.raw`[\w-]{0,40}(?![\w-])(?:["'\`:=\\%&<>\]|│：＝\r\n]|[({][ \t]{0,4}["'\`\\]|[?!]{1,2}[ \t]{0,4}[:=]|\[\w{0,8}\]`,
  String.raw`\s{1,8}(?::?=|[:：]|["'\`]|(?:lautet|ist|is|es|est|[èé])\s?:|[\w*&<>.[\]]{1,32}\s{0,4}:?=|<<<|\{ get)|\s{1,40}(?:-{0,2}[vV]alue|\||│|\\{1,8}[rn]|(?<=\n))`,
  String.raw`(?:\s(?:text ?box|field|input|box)){1,3}\\{0,8}["']`,
  String.raw`\*{1,2}(?::|[ \t]{0,40}\|)|(?:[,;\t] ?\w[\w .-]{0,40}){1,20}(?:[\r\n]|\\{1,8}[rn])`,
  String.raw`\s(?<=_auth(?:Token)?\s|requirepass\s|masterauth\s|bindpw\s|rootpw\s|(?:-{1,2}|(?:ENV|ARG|set|setx|setenv|export|define|-gx|-x|login \S{1,64}) )[\w-]{1,64}\s))`,
  '(?: BLOCK)?-----',
  `(?:word|wort|phrase|entials?|s|e|nis)?(?:${told})`,
  String.raw`wd(?<=(?:ht|ch|ssl )passwd)`,
  once,
  String.raw`(?:word|phrase)?(?![\w-])(?<=\S{6} is (?:my|the) [\w -]{0,24})`,
].join('|')})`;

/** A Bearer or Basic header, hosts and parameters of URLs that grant access, options with credentials: what follows the first letter. */
const places: Readonly<Record<string, string>> = {
  A: String.raw`LUES(?<=\)(?:\s|\\n){0,4}VALUES)`,
  B: String.raw`(?:earer|asic|EARER|ASIC|Y(?<=IDENTIFIED (?:WITH \S{1,40} )?BY) )`,
  v: String.raw`alues(?<=\)(?:\s|\\n){0,4}values)`,
  P: String.raw`(?:IN|(?<=OTP))(?=["'\s:=islauten]{1,9}\d{4})`,
  y: String.raw` \\{0,8}["'](?<=identified (?:with \S{1,40} )?by \\{0,8}.)`,
  C: String.raw`onvertTo-SecureString (?:-String )?\\{0,8}["']|lient(?:V2)?\(\\{0,8}["'](?=[A-Za-z0-9]{40}[\\"'])(?<=cohere\.\w{0,5}Client.{1,12})`,
  '-': String.raw`(?:bearer[= ]|pass(?:in|out)? pass:|-(?:(?:password-)?stdin\b|with-token\b|data-file=-)|[pawPkUS](?=\S| \S)(?<=["' ]-.)(?<=(?:login|mongo|cqlsh|mysql|mariadb|sshpass|redis-cli|ldap|zip|7z|sqlcmd|bcp|rabbitmqadmin|twine|psexec|ncftp|user(?:add|mod)|unrar|ipmitool|mosquitto_|smbclient|sudo|security|openssl enc|nuget push|https?|xh)[^\n|;&]{0,160}-.))`,
  '=': String.raw`(?<=[sS]ig(?:nature)?=)(?=[\w%+/~-]{16})`,
  c: String.raw`(?:ore\.windows|\.azure(?<=logic\.azure)|url["',\s\\])`,
  k: String.raw`(?:\.c(?<=slack\.c)|\.o(?<=hook\.o)|s(?=\\*\/\d)(?<=webhooks))`,
  p: String.raw`i(?=\\{0,8}["'])(?<=type\\{0,8}["']\s{0,4}:\s{0,4}\\{0,8}["']api)|ier\.(?<=zapier.)|["',= \\](?<=(?:sshpass|docker login)["',\s\\]{1,6}-p.)`,
};

/** Something that a secret may be at. */
export interface Trigger {
  readonly text: string;
  readonly index: number;
  /** Whether it is part of a name; most such names are harmless. */
  readonly isName: boolean;
}

const stemAt = new RegExp(Array.from(stemsByAnchor, ([first, stems]) => `${first}(?:${stems})`).join('|'), 'y');

/**
 * The search for what every secret of the built-in rules has in it or before it. Most lines have none, and for them it is all that
 * redaction costs: about 1 ns a character. V8 skips quickly what no match can begin with, as long as matches begin with sixteen
 * different characters at the most; with one more it takes several times as long. These are rare in logs, the commonest first.
 */
const search = compiled(new RegExp(`(?:${each(namesOf)})${assigned}|${each(othersOf)}`, 'g'));

/** V8 doesn't optimize an expression of more than 20,480 characters, so what follows a name is in it once. */
function each(piecesOf: (first: string) => readonly string[]): string {
  return Array.from('pch-y_kvCAPBGK=', (first) => ({ first, pieces: piecesOf(first) }))
    .filter(({ pieces }) => pieces.length > 0)
    .map(({ first, pieces }) => `${first}(?:${pieces.join('|')})`)
    .join('|');
}

function namesOf(first: string): readonly string[] {
  return [stemsByAnchor.get(first) ?? []].flat();
}

function othersOf(first: string): readonly string[] {
  return [places[first] ?? [], positionPieces(first), shapePieces(first)].flat();
}

/**
 * V8 makes its machine code for what it is first tried on: it looks which letters are frequent there. After a text of nothing but an `x`
 * every later search took up to three times as long.
 */
function compiled(expression: RegExp): RegExp {
  const without = '0123456789'.repeat(30);
  for (let n = 0; n < 3; n++) expression.test(without); // first it is interpreted
  return expression;
}

/** What is found may as well be the beginning of a shape. */
function isStem(text: string, { 0: found, index }: RegExpExecArray): boolean {
  stemAt.lastIndex = index;
  return stemAt.exec(text)?.[0] === found;
}

/** The first one from a place on. */
export function nextTrigger(text: string, from: number): Trigger | undefined {
  search.lastIndex = from;
  const found = search.exec(text);
  return found === null ? undefined : { text: found[0], index: found.index, isName: isStem(text, found) };
}
