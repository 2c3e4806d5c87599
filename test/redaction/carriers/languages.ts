import { tokenKinds } from '../secrets';
import { group } from './carrier';

const passwords = ['Kennwort', 'Passwort', 'Mot de passe', 'Contraseña', 'Senha', 'パスワード', '密码', '密碼', '口令'];
const keys = [
  ...['API-Schlüssel', 'Zugriffsschlüssel', 'Zugangstoken', 'Clé secrète', "Jeton d'accès", 'Clave secreta'],
  ...[
    'Chiave API',
    'Token de acceso',
    'Chave de acesso',
    'Chiave segreta',
    '秘密鍵',
    'アクセストークン',
    '密钥',
    '访问令牌',
  ],
];
const identifiers = ['kennwort', 'motDePasse', 'contrasena', 'contraseña', 'DB_SENHA', 'パスワード', '密码'];
const keyIdentifiers = ['zugriffsschluessel', 'geheimerSchlüssel', 'cle_api', 'clave_secreta', 'chiaveSegreta', '密钥'];

const sentences = ['Das Kennwort lautet', 'La contraseña es', 'A senha é', 'Le mot de passe est', 'The password is'];

const passwordKinds = { kinds: ['symbols', 'digits', 'password'], not: /["'\s\\]|[.,:)\]}|]$|^[[{(<$]/ } as const;
const keyKinds = { kinds: tokenKinds } as const;

/** Names that aren't English, as their own style: they are words already. */
export const languages = group('language', { styles: ['lower'] }, [
  ['a colon', (_name, value, random) => `${random.pick(passwords)}: ${value}`, passwordKinds],
  ['a colon, key', (_name, value, random) => `${random.pick(keys)} : ${value}`, keyKinds],
  [
    'a wide colon',
    (_name, value, random) => `用户名：root ${random.pick(['密码', 'パスワード'])}：${value}`,
    passwordKinds,
  ],
  ['a sentence', (_name, value, random) => `OK. ${random.pick(sentences)}: ${value}`, passwordKinds],
  ['=', (_name, value, random) => `${random.pick(identifiers)}=${value}`, passwordKinds],
  ['=, key', (_name, value, random) => `${random.pick(keyIdentifiers)} = "${value}"`, keyKinds],
  [
    'member',
    (_name, value, random) => JSON.stringify({ user: 'ci', [random.pick(identifiers)]: value }),
    { ...passwordKinds, isData: true },
  ],
  [
    'member, key',
    (_name, value, random) => JSON.stringify({ [random.pick(keyIdentifiers)]: value }),
    { ...keyKinds, isData: true },
  ],
]);
