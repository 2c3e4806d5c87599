import { base62 } from '../random';
import { tokenKinds } from '../secrets';
import { group } from './carrier';

const snake = { styles: ['snake'] } as const;
/** Not allowed unquoted in YAML; several words would be prose. */
const notYaml = /^[[\]{}<>!&*?|%@~,-]|:$|[\s#]/;
/** In XML `<`, `>` and `&` are written as entities. */
const notXml = /[<>&]/;

const base64 = { kinds: ['base64'] } as const;

export const configs = group('config file', { styles: ['snake', 'camel', 'kebab'] }, [
  ['YAML', (name, value) => `database:\n  host: db\n  ${name}: ${value}`, { not: notYaml }],
  ['YAML, quoted', (name, value) => `database:\n  ${name}: "${value}"`],
  [
    'YAML, list',
    (name, value) => `env:\n  - name: ${name}\n    value: "${value}"`,
    { styles: ['upper'], needsLines: true },
  ],
  ['YAML, in a line', (name, value) => `{host: db, ${name}: ${value}}`, { not: /[\s[\]{},:#&*!|>'"%@`]|^[<$~?-]/ }],
  ['TOML', (name, value) => `[database]\nhost = "db"\n${name} = "${value}"`],
  ['INI', (name, value) => `[database]\nhost = db\n${name} = ${value}`, { not: /[\s;#]/ }],
  [
    'properties',
    (name, value) => `app.name=demo\napp.${name}=${value}`,
    { styles: ['dotted', 'kebab', 'camel'], not: /\s/ },
  ],
  [
    'properties, blanks',
    (name, value) => `app.${name} = ${value}`,
    { styles: ['dotted', 'kebab', 'camel'], not: /\s/ },
  ],
  [
    'XML element',
    (name, value) => `<server><host>db</host><${name}>${value}</${name}></server>`,
    { styles: ['camel', 'kebab'], not: notXml },
  ],
  [
    'XML attribute',
    (name, value) => `<datasource user="app" ${name}="${value}" pool="5"/>`,
    { styles: ['camel', 'snake'], not: notXml },
  ],
  ['XML add', (name, value) => `<add key="${name}" value="${value}" />`, { styles: ['pascal', 'camel'], not: notXml }],
  [
    'XML property',
    (name, value) => `<property name="${name}" value="${value}"/>`,
    { styles: ['camel', 'dotted'], not: notXml },
  ],
  ['Dockerfile ENV', (name, value) => `ENV ${name} ${value}`, { styles: ['upper'], not: /[\s$]/ }],
  ['Dockerfile ENV =', (name, value) => `ENV PORT=80 ${name}=${value}`, { styles: ['upper'], not: /[\s$]/ }],
  ['Dockerfile ARG', (name, value) => `ARG ${name}=${value}`, { styles: ['upper'], not: /[\s$]/ }],
  [
    'Terraform',
    (name, value) => `resource "db" "x" {\n  ${name} = "${value}"\n}`,
    { styles: ['snake'], not: /[$%]\{/ },
  ],
  ['Terraform plan', (name, value) => `      + ${name} = "${value}" -> null`, snake],
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
  ['kubeconfig token', (_name, value) => `users:\n- name: ci\n  user:\n    token: ${value}`, { kinds: tokenKinds }],
  [
    'Docker auth',
    (_name, value) => {
      const secret = Buffer.from(`me:${value}`).toString('base64');
      return { text: `{"auths":{"registry.example.com":{"auth":"${secret}"}}}`, secret };
    },
  ],
  [
    'Docker auth, pretty',
    (_name, value) => {
      const secret = Buffer.from(`me:${value}`).toString('base64');
      return { text: JSON.stringify({ auths: { 'ghcr.io': { auth: secret } } }, undefined, 2), secret };
    },
  ],
  [
    'DOCKER_AUTH_CONFIG',
    (_name, value) => {
      const secret = Buffer.from(`me:${value}`).toString('base64');
      return { text: `DOCKER_AUTH_CONFIG={"auths":{"ghcr.io":{"auth":"${secret}"}}}`, secret };
    },
  ],
  ['.npmrc', (_name, value) => `//registry.example.com/:_authToken=${value}`, { kinds: tokenKinds }],
  ['.npmrc, _auth', (_name, value) => `//registry.example.com/:_auth=${value}`, base64],
  ['.netrc', (_name, value) => `machine api.example.com login me password ${value}`, { not: /\s/ }],
  ['AWS credentials', (_name, value) => `[default]\naws_secret_access_key = ${value}`, base64],
  [
    'webhook variable',
    (_name, value) => `SLACK_WEBHOOK_URL=https://chat.example.com/hooks/${value}`,
    { kinds: ['alnum', 'hex'] },
  ],
  ['mnemonic', (_name, value) => `MNEMONIC="${value}"`, { kinds: ['passphrase'] }],
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
