import { hides, keeps } from '../../support/redactionRows';

/** As Python writes JSON: ASCII only. */
const inAscii = (text: string): string =>
  JSON.stringify({ text }).replace(
    /[\u007f-\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

describe('redaction of names in other languages', () => {
  const rows = [
    ['Das Kennwort lautet: ', 'tundraMoss88', ''],
    ['API-Schlüssel: ', 'Zk3vQ9xT7mB2pLw8RnYc', ''],
    ['zugriffsschluessel = ', 'Zk3vQ9xT7mB2pLw8RnYc', ''],
    ['geheimnis="', 'Zk3vQ9xT7mB2pLw8RnYc', '"'],
    ['Mot de passe : ', 'glass-River9', ''],
    ['{"mot_de_passe":"', 'glass-River9', '"}'],
    ['Clé API : ', 'Zk3vQ9xT7mB2pLw8RnYc', ''],
    ["Jeton d'accès : ", 'Zk3vQ9xT7mB2pLw8RnYc', ''],
    ['La contraseña es: ', 'tundraMoss88', ''],
    ['CLAVE_API=', 'Zk3vQ9xT7mB2pLw8RnYc', ''],
    ['Chiave di accesso: ', 'Zk3vQ9xT7mB2pLw8RnYc', ''],
    ['DB_SENHA="', 'glass-River9', '"'],
    ['Passord: ', 'glass-River9', ''],
    ['şifre: ', 'glass-River9', ''],
    ['{"contraseña":"', 'glass-River9', '"}'],
    ['管理者のパスワードは「', 'glass-River9', '」です'],
    ['{"パスワード":"', 'glass-River9', '"}'],
    ['用户名：root 密码：', 'Abc@12345', ''],
    ['数据库密码：', 'glass-River9', '，请妥善保管'],
    ['| 用户 | 密码 |\n|---|---|\n| root | ', 'glass-River9', ' |'],
  ];
  hides(rows, inAscii);

  keeps([
    '"passwort": "Das Passwort"',
    '{"login.passwort":"Passwort vergessen?","passwort":"Passwort"}',
    '{"motDePasse":"Mot de passe","contraseña":"Contraseña","senha":"Senha"}',
    '{"password":"密码","密码":"密码","パスワード":"パスワード"}',
    'Passwort: mindestens 8 Zeichen',
    'Mot de passe : au moins 8 caractères',
    '密码：至少8个字符',
    'パスワード：8文字以上で入力してください',
    'clave primaria: id, chave: valor, chiave: id',
    'private String senha;',
    'mongodb://username:password@host/db',
  ]);
});
