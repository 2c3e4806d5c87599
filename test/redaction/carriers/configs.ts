import { base62 } from '../random';
import { tokenKinds } from '../secrets';
import type { Carrier } from './carrier';
import { group } from './carrier';

const snake = { styles: ['snake'] } as const;
/** Not allowed unquoted in YAML; several words would be prose. */
const notYaml = /^[[\]{}<>!&*?|%@~,-]|:$|[\s#]/;
/** In XML `<`, `>` and `&` are written as entities. */
const notXml = /[<>&]/;

const base64 = { kinds: ['base64'] } as const;

/** A text with a user and a password as registries have them. */
function docker(text: (auth: string) => string): Carrier['text'] {
  return (_name, value) => {
    const secret = Buffer.from(`me:${value}`).toString('base64');
    return { text: text(secret), secret };
  };
}

export const configs = group('config file', { styles: ['snake', 'camel', 'kebab'] }, [
  ['YAML', 'database:\n  host: db\n  %n: %v', { not: notYaml }],
  ['YAML, quoted', 'database:\n  %n: "%v"'],
  ['YAML, list', 'env:\n  - name: %n\n    value: "%v"', { styles: ['upper'], needsLines: true }],
  ['YAML, in a line', '{host: db, %n: %v}', { not: /[\s[\]{},:#&*!|>'"%@`]|^[<$~?-]/ }],
  ['TOML', '[database]\nhost = "db"\n%n = "%v"'],
  ['INI', '[database]\nhost = db\n%n = %v', { not: /[\s;#]/ }],
  ['properties', 'app.name=demo\napp.%n=%v', { styles: ['dotted', 'kebab', 'camel'], not: /\s/ }],
  ['properties, blanks', 'app.%n = %v', { styles: ['dotted', 'kebab', 'camel'], not: /\s/ }],
  ['XML element', '<server><host>db</host><%n>%v</%n></server>', { styles: ['camel', 'kebab'], not: notXml }],
  ['XML attribute', '<datasource user="app" %n="%v" pool="5"/>', { styles: ['camel', 'snake'], not: notXml }],
  ['XML add', '<add key="%n" value="%v" />', { styles: ['pascal', 'camel'], not: notXml }],
  ['XML property', '<property name="%n" value="%v"/>', { styles: ['camel', 'dotted'], not: notXml }],
  ['Dockerfile ENV', 'ENV %n %v', { styles: ['upper'], not: /[\s$]/ }],
  ['Dockerfile ENV =', 'ENV PORT=80 %n=%v', { styles: ['upper'], not: /[\s$]/ }],
  ['Dockerfile ARG', 'ARG %n=%v', { styles: ['upper'], not: /[\s$]/ }],
  ['Terraform', 'resource "db" "x" {\n  %n = "%v"\n}', { styles: ['snake'], not: /[$%]\{/ }],
  ['Terraform plan', '      + %n = "%v" -> null', snake],
  [
    'Kubernetes Secret',
    (name, value) => {
      const secret = Buffer.from(value).toString('base64');
      return { text: `apiVersion: v1\nkind: Secret\ndata:\n  ${name}: ${secret}`, secret };
    },
  ],
  [
    'kubeconfig key',
    (_name, value, random) => {
      const secret = `LS0t${random.text(base62, 120)}=`;
      return { text: `users:\n- name: ${value.slice(0, 2)}\n  user:\n    client-key-data: ${secret}`, secret };
    },
    { kinds: ['base64'] },
  ],
  ['kubeconfig token', 'users:\n- name: ci\n  user:\n    token: %v', { kinds: tokenKinds }],
  ['Docker auth', docker((auth) => `{"auths":{"registry.example.com":{"auth":"${auth}"}}}`)],
  ['Docker auth, pretty', docker((auth) => JSON.stringify({ auths: { 'ghcr.io': { auth } } }, undefined, 2))],
  ['DOCKER_AUTH_CONFIG', docker((auth) => `DOCKER_AUTH_CONFIG={"auths":{"ghcr.io":{"auth":"${auth}"}}}`)],
  ['.npmrc', '//registry.example.com/:_authToken=%v', { kinds: tokenKinds }],
  ['.npmrc, _auth', '//registry.example.com/:_auth=%v', base64],
  ['.netrc', 'machine api.example.com login me password %v', { not: /\s/ }],
  ['AWS credentials', '[default]\naws_secret_access_key = %v', base64],
  ['webhook variable', 'SLACK_WEBHOOK_URL=https://chat.example.com/hooks/%v', { kinds: ['alnum', 'hex'] }],
  ['mnemonic', 'MNEMONIC="%v"', { kinds: ['passphrase'] }],
  [
    'private key',
    (_name, _value, random) => {
      const secret = random.text(`${base62}+/`, 64);
      const rest = Array.from({ length: 3 }, () => random.text(`${base62}+/`, 64)).join('\n');
      return { text: `-----BEGIN RSA PRIVATE KEY-----\n${secret}\n${rest}\n-----END RSA PRIVATE KEY-----`, secret };
    },
    { kinds: ['base64'] },
  ],
  [
    'private key in JSON',
    (_name, _value, random) => {
      const secret = random.text(`${base62}+/`, 64);
      const key = `-----BEGIN PRIVATE KEY-----\n${secret}\n${random.text(base62, 40)}==\n-----END PRIVATE KEY-----\n`;
      return { text: JSON.stringify({ type: 'service_account', private_key: key }), secret };
    },
    { kinds: ['base64'] },
  ],
]);
