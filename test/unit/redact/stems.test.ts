import assert from 'node:assert/strict';
import { Redactor } from '../../../src/redact/redactor';
import { secretKind } from '../../../src/redact/names';
import { stemSpellings } from '../../../src/redact/stems';

const value = 'Zk3vQ9xT7mB2pLw8RnYc4HdJ6sFg';
const phrase = 'tundra-moss-river-glass-olive-stone';

/** For each spelling of a stem: words that end a name with it. */
const endings: Readonly<Record<string, readonly string[]>> = {
  key: ['api_key', 'session_key', 'secret_keys', 'openai_key', 'client_key_data'],
  code: ['code', 'auth_code', 'authorization_code', 'device_code', 'code_verifier'],
  pkce: ['pkce_verifier'],
  access: ['access'],
  token: ['access_token', 'mytoken'],
  cookie: ['session_cookie', 'cookies'],
  pass: 'password passwd passphrase passcode passwort pass storepass keypass mot_de_passe palavra_passe db_pass'.split(
    ' ',
  ),
  pwd: ['db_pwd'],
  pw: ['db_pw'],
  phrase: ['seed_phrase', 'recovery_phrase'],
  secret: ['client_secret', 'cle_secrete', 'clave_secreta'],
  secrèt: ['clé_secrète'],
  segret: ['chiave_segreta'],
  cred: ['db_creds', 'aws_credential', 'aws_credentials'],
  mnemonic: ['wallet_mnemonic'],
  auth: ['_auth', 'docker_auth_config'],
  authoriz: ['proxy_authorization'],
  pat: ['github_pat'],
  psk: ['wifi_psk'],
  jwt: ['session_jwt'],
  bearer: ['github_bearer'],
  webhook: ['slack_webhook_url'],
  kennwort: ['db_kennwort'],
  contrasena: ['db_contrasena'],
  contraseña: ['db_contraseña'],
  senha: ['db_senha'],
  geheim: ['app_geheimnis', 'geheimschluessel'],
  schlüssel: ['api_schlüssel', 'zugriffsschlüssel'],
  schluessel: ['api_schluessel', 'privater_schluessel'],
  schlussel: ['api_schlussel'],
  acces: ['jeton_d_acces'],
  accès: ['jeton_d_accès'],
  acceso: ['token_de_acceso'],
  accesso: ['token_di_accesso'],
  acesso: ['token_de_acesso'],
  cle: ['cle_api', 'cle_privee'],
  clé: ['clé_api', 'clé_privée'],
  clef: ['clef_api', 'clef_privee'],
  clave: ['clave_api', 'app_clave', 'clave_privada'],
  chave: ['chave_api', 'chave_privada'],
  chiave: ['chiave_api', 'chiave_privata'],
};

const capitalized = (text: string): string =>
  text.replace(/(^|_)(\p{L})/gu, (_, __, letter: string) => letter.toUpperCase());

describe('stems of names of secrets', () => {
  it('have examples, each of which is a name', () => {
    assert.deepEqual(Object.keys(endings), stemSpellings);
    for (const [spelling, names] of Object.entries(endings)) {
      for (const name of names) {
        assert.ok(name.includes(spelling), `${name} has no ${spelling} in it`);
        assert.ok(secretKind(name) ?? secretKind(name.toUpperCase()), name);
      }
    }
  });

  for (const [spelling, names] of Object.entries(endings)) {
    it(`are found in a text: ${spelling}`, () => {
      const missed = names
        .flatMap((name) => [name, name.toUpperCase(), capitalized(name), name.replaceAll('_', '-')])
        .filter((name) => secretKind(name) !== undefined)
        // The value of such a name gives itself away.
        .filter((name) => !name.endsWith('Jwt'))
        .filter((name) => {
          const secret = secretKind(name) === 'mnemonic' ? phrase : value;
          return new Redactor().line(`${name}="${secret}"`).includes(secret);
        });
      assert.deepEqual(missed, []);
    });
  }
});
