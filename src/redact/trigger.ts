import { shapePieces } from './shapes/shapes';

/**
 * What follows a name that has a value: more of the name, then a quote, an escape, a bracket, a colon or an equals sign, with a type
 * between; in a table the next cell, other headings or the end of the line; after an option or an instruction a space. And what ends the
 * first line of a private key.
 */
const assigned = `(?=${[
  String.raw`[\w-]{0,40}(?![\w-])(?:["'\`:=\\%&<>\]|│：＝\r\n]|[({][ \t]{0,4}["'\`\\]|[?!]{1,2}[ \t]{0,4}[:=]|\[\w{0,8}\]`,
  String.raw`\s{1,8}(?::?=|[:：]|["'\`]|(?:lautet|ist|is|es|est|[èé])\s?:|[\w*&<>.[\]]{1,32}\s{0,4}:?=|\{ get)|\s{1,40}(?:value|\||│|\\{1,8}[rn]|(?<=\n))`,
  String.raw`\*\*[ \t]{0,40}\||(?:[,;\t] ?\w[\w .-]{0,40}){1,20}(?:[\r\n]|\\{1,8}[rn])`,
  String.raw`\s(?<=_auth(?:Token)?\s|(?:-{1,2}|(?:ENV|ARG|set|setx|setenv|export|define|-gx|-x|login \S{1,64}) )[\w-]{1,64}\s))`,
  '(?: BLOCK)?-----)',
].join('|')}`;

/**
 * What follows the first letter in a piece of every name in `names.ts`: KEy, toKEn, cooKIe, PASSword, PWd, seCREt, autHorization. In other
 * languages: KENNWORT, CONTRASEÑA, CLAVE, CHIAVE, CHAVE, CLÉ API, sCHLÜSSEL, acCESO, acCÈS, senHA, geHEIMnis.
 */
const nameParts: Readonly<Record<string, string>> = {
  k: String.raw`(?:[eE](?:[yY]|[nN](?:[nN][wW][oO][rR][tT]|(?![sS]|_?[cC]ount)(?<=(?<!progress)[tT][oO]...)))|[iI][eE]|(?=[-_]?[uU])(?<=[wW][eE][bB][hH][oO][oO][kK]))`,
  p: String.raw`(?:[aA][sS][sS]|[wW](?:[dD]|(?![a-zA-Z]))|[hH][rR][aA][sS][eE]|[aA][tT](?<=[a-z]P[aA][tT]|[_-]pat)(?![a-zA-Z]))`,
  c: `(?:${[
    '(?![a-z])(?<=[mM][nN][eE][mM][oO][nN][iI][cC])|(?=[rRlLhHoOeèÈ])(?:[rR](?:[eE](?:[tT]|[dD](?![iI]))|[èÈ][tT])',
    '[oO][nN][tT][rR][aA][sS][eE][nNñÑ][aA]|ess?o(?![a-z])|[èÈ][sS]|[lL][eéEÉ][fF]?[ _-][aA][pP][iI]',
    String.raw`(?:[lL]|[hH][iI]?)[aA][vV][eE](?:[ _-](?:d[aei] )?\w{3,10})?|[hH][lL](?:[uU][eE]?|[üÜ])[sS]{2}[eE][lL])`,
  ].join('|')})`,
  h: String.raw`(?:(?:(?![\w-])|oriz)(?<=[aA][uU]th(?:oriz)?)|[aA](?<=[sS][eE][nN]..)|eim(?<=[gG]eh...))`,
  A: String.raw`(?:[uU]th(?:(?![\w-])|oriz)|UTH(?!OR(?!I)|EN)|(?<=SENHA))`,
  _: '(?:PAT|JWT|jwt|PSK|psk)(?![a-zA-Z])',
};

/** A Bearer or Basic header, hosts and parameters of URLs that grant access, options with credentials: what follows the first letter. */
const places: Readonly<Record<string, string>> = {
  B: `(?:earer|asic|EARER|ASIC|Y ["'](?<=IDENTIFIED BY .))`,
  C: String.raw`lient(?:V2)?\(\\{0,8}["'](?=[A-Za-z0-9]{40}[\\"'])(?<=cohere\.\w{0,5}Client.{1,12})`,
  '-': String.raw`(?:bearer[= ]|pass(?:in|out)? pass:|[pawP](?=\S| \S)(?<=["' ]-.)(?<=(?:login|mongo|cqlsh|mysql|mariadb|sshpass|redis-cli|ldap|zip|7z|sqlcmd|bcp)[^\n|;&]{0,160}-.))`,
  '&': '(?:amp;)?(?:(?:X-(?:Amz|Goog)-)?[sS]ignature|sp)=',
  '?': '(?:(?:X-(?:Amz|Goog)-)?[sS]ignature|sp)=',
  c: String.raw`(?:ore\.windows|\.azure(?<=logic\.azure)|url["',\s\\])`,
  k: String.raw`(?:\.c(?<=slack\.c)|\.o(?<=hook\.o)|s(?=\\*\/\d)(?<=webhooks))`,
  p: String.raw`ier\.(?<=zapier.)|["',= \\](?<=(?:sshpass|docker login)["',\s\\]{1,6}-p.)`,
};

/** Something that a secret may be at. */
export interface Trigger {
  readonly text: string;
  readonly index: number;
  /** Whether it is part of a name; most such names are harmless. */
  readonly isName: boolean;
}

const namePiece =
  /^(?:k(?:ey|en|ie|ennwort)?|p(?:ass|wd?|hrase|at)|cr[eè][td]|c(?:ontrase.a|ess?o|ès|l[eé]f?.api|(?:l|hi?)ave.*|hl.{1,2}ssel)?|h(?:oriz|a|eim)?|a(?:uth(?:oriz)?)?|_(?:pat|jwt|psk))$/i;

/**
 * The search for what every secret of the built-in rules has in it or before it. Most lines have none, and for them it is all that
 * redaction costs: about 1 ns a character. V8 skips quickly what no match can begin with, as long as matches begin with sixteen
 * different characters at the most; with one more it takes several times as long. These are rare in logs, the commonest first.
 */
const search = compiled(new RegExp(Array.from('pch-y_kvCAPBGK?&', piecesOf).join('|'), 'g'));

function piecesOf(first: string): string {
  const isCapital = first !== first.toLowerCase();
  const name = nameParts[first] ?? (isCapital ? nameParts[first.toLowerCase()] : undefined);
  const pieces = [name === undefined ? [] : name + assigned, places[first] ?? [], shapePieces(first)].flat();
  return `${first === '?' ? '\\?' : first}(?:${pieces.join('|')})`;
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

function isNamePiece(text: string, { 0: piece, index }: RegExpExecArray): boolean {
  // A single letter may also be that of a shape.
  if (/^[ak]$/i.test(piece)) return /(?:webhook|senha)$/i.test(text.slice(Math.max(0, index - 6), index + 1));
  return namePiece.test(piece);
}

/** The first one from a place on. */
export function nextTrigger(text: string, from: number): Trigger | undefined {
  search.lastIndex = from;
  const found = search.exec(text);
  return found === null ? undefined : { text: found[0], index: found.index, isName: isNamePiece(text, found) };
}
