import { tokenKinds } from '../secrets';
import { group } from './carrier';

const token = { kinds: tokenKinds };
/** Not allowed in an unquoted shell word. */
const special = /[\s!$&()<>;|*?[\]{}#~^]/;

export const commands = group('command line', { styles: ['kebab'] }, [
  ['--name value', (name, value) => `tool deploy --${name} ${value} --verbose`, { not: special }],
  ['--name=value', (name, value) => `tool deploy --${name}=${value} --verbose`, { not: special }],
  ['--name "value"', (name, value) => `tool deploy --${name} "${value}" --verbose`],
  ["--name 'value'", (name, value) => `$ tool --${name} '${value}'`],
  ['--name="value"', (name, value) => `tool deploy --${name}="${value}" --verbose`],
  ['--token', (_name, value) => `tool login --token ${value}`, token],
  ['--auth', (_name, value) => `redis-cli --auth ${value} ping`, { not: special }],
  ['--key', (_name, value) => `tool sync --key ${value}`, token],
  ['--bearer', (_name, value) => `tool call --bearer ${value} /v1/me`, token],
  ['--pat', (_name, value) => `tool login --pat ${value}`, token],
  ['curl -u', (_name, value) => `curl -u me:${value} https://api.example.com/`, { not: special }],
  ['curl -u, quoted', (_name, value) => `curl -s -u 'me:${value}' https://api.example.com/`],
  ['curl --user', (_name, value) => `curl --user "me:${value}" https://api.example.com/`, { not: /[$!]/ }],
  [
    '-D property',
    (name, value) => `java -D${name}=${value} -jar app.jar`,
    { styles: ['dotted', 'camel'], not: special },
  ],
  ['docker -e', (name, value) => `docker run -e ${name}=${value} --rm app`, { styles: ['upper'], not: special }],
  ['JSON argv', (name, value) => JSON.stringify({ command: ['tool', `--${name}`, value, '--verbose'] })],
  ['JSON argv, =', (name, value) => JSON.stringify(['tool', `--${name}=${value}`])],
  ['Python argv', (name, value) => `Popen(['tool', '--${name}', '${value}'])`],
  ['shell -c', (name, value) => `/bin/bash -lc 'tool --${name} "${value}" && echo ok'`],
  ['npm config set', (_name, value) => `npm config set //registry.example.com/:_authToken ${value}`, token],
  ['JSON argv, -p', (_name, value) => JSON.stringify({ args: ['docker', 'login', '-u', 'ci', '-p', value, 'x.io'] })],
  [
    'JSON argv, -pX',
    (_name, value) => JSON.stringify(['mysql', '-h', 'db', '-uroot', `-p${value}`, 'app']),
    { not: /^-/ },
  ],
  ['Python argv, -a', (_name, value) => `run(['redis-cli', '-a', '${value}', 'ping'])`, { not: /['\\]/ }],
  ['-P', (_name, value) => `sqlcmd -S db -U sa -P ${value} -Q "select 1"`, { not: special }],
  ['sshpass', (_name, value) => `sshpass -p '${value}' ssh me@host`],
]);
