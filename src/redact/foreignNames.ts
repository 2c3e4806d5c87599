import { foreignStem } from './stems';

/** Names of secrets in German, French, Spanish, Italian and Portuguese: their words in small letters without accents, joined by `_`. */
const latin = [
  ['password', /(?:^|_)(?:kennwort|contrasena|senha|mot_de_passe|palavra_passe)$/],
  [
    'key',
    /(?:^|_)(?:(?:api|geheime[rns]?|private[rns]?)_schlue?ssel|(?:zugriffs|zugangs|geheim)schlue?ssel|(?:clef?|chiave|chave|clave)_(?:d[aei]?_)?(?:api|ac(?:ces|ceso|cesso|esso)|secrete|secreta|segreta|privee|privada|privata))$/,
  ],
  ['token', /(?:^|_)(?:jeton|token)_d[ei]?_ac(?:ces|ceso|cesso|esso)$/],
  ['perhaps key', /(?:^|_)(?:geheimnis|clave)$/],
] as const;

/** The same in Chinese, Japanese, Korean, Russian and Turkish. */
const eastern = [
  ['password', '密码 密碼 口令 パスワード 暗証番号 비밀번호 пароль Пароль şifre Şifre'],
  ['key', '密钥 密鑰 秘钥 秘鑰 私钥 私鑰 秘密鍵 秘密键 APIキー アクセスキー シークレットキー'],
  ['token', '令牌 トークン токен Токен'],
] as const;

export const easternSpellings = eastern.flatMap(([, names]) => names.split(' '));

const easternEnds = eastern.map(([kind, names]) => [kind, new RegExp(`(?:${names.replaceAll(' ', '|')})$`)] as const);

/** Such a name, if a value may follow it. No text of one byte per character has any, which shows at once. */
const easternName = new RegExp(
  String.raw`(?:${easternSpellings.join('|')})(?=[\s"'”」』*\`\\]{0,8}(?:[:：=＝|│,\t\n]|[は为為是][ 「『“"'\`\\]{0,4}[!-~]))`,
  'g',
);

/** The first and last characters of these names and of those with accents, as escapes have them. */
export const foreignCodes =
  '00e8 00e9 00f1 00fc 5bc6 53e3 4ee4 30d1 6697 79d8 79c1 30ad 30c8 be44 041f 043f 0422 0442 015e 015f'.split(' ');

export type ForeignKind = (typeof latin | typeof eastern)[number][0];

export function foreignKind(name: string): ForeignKind | undefined {
  if (!foreignStem.test(name)) return undefined;
  const plain = name.normalize('NFD').replace(/\p{M}/gu, '');
  const words = plain.replace(/(?<=[a-z])(?=[A-Z])|[^A-Za-z\d]+/g, '_').toLowerCase();
  return (easternEnds.find(([, end]) => end.test(name)) ?? latin.find(([, end]) => end.test(words)))?.[0];
}

/** The places of these names. */
export function easternNames(text: string): readonly { readonly start: number; readonly end: number }[] {
  // Most texts have none, which the other search shows in a tenth of the time.
  if (!hasEasternName(text)) return [];
  return Array.from(text.matchAll(easternName), ({ 0: name, index }) => ({ start: index, end: index + name.length }));
}

export function hasEasternName(text: string): boolean {
  return text.search(easternName) >= 0;
}
