import { tokenKinds } from '../secrets';
import { group } from './carrier';

const token = { kinds: tokenKinds };
/** Not allowed in an unquoted shell word. */
const special = /[\s!$&()<>;|*?[\]{}#~^]/;

export const commands = group('command line', { styles: ['kebab'] }, [
  ['--name value', 'tool deploy --%n %v --verbose', { not: special }],
  ['--name=value', 'tool deploy --%n=%v --verbose', { not: special }],
  ['--name "value"', 'tool deploy --%n "%v" --verbose'],
  ["--name 'value'", "$ tool --%n '%v'"],
  ['--name="value"', 'tool deploy --%n="%v" --verbose'],
  ['--token', 'tool login --token %v', token],
  ['--auth', 'redis-cli --auth %v ping', { not: special }],
  ['--key', 'tool sync --key %v', token],
  ['--bearer', 'tool call --bearer %v /v1/me', token],
  ['--pat', 'tool login --pat %v', token],
  ['curl -u', 'curl -u me:%v https://api.example.com/', { not: special }],
  ['curl -u, quoted', "curl -s -u 'me:%v' https://api.example.com/"],
  ['curl --user', 'curl --user "me:%v" https://api.example.com/', { not: /[$!]/ }],
  ['-D property', 'java -D%n=%v -jar app.jar', { styles: ['dotted', 'camel'], not: special }],
  ['docker -e', 'docker run -e %n=%v --rm app', { styles: ['upper'], not: special }],
  ['JSON argv', (name, value) => JSON.stringify({ command: ['tool', `--${name}`, value, '--verbose'] })],
  ['JSON argv, =', (name, value) => JSON.stringify(['tool', `--${name}=${value}`])],
  ['Python argv', "Popen(['tool', '--%n', '%v'])"],
  ['shell -c', '/bin/bash -lc \'tool --%n "%v" && echo ok\''],
  ['npm config set', 'npm config set //registry.example.com/:_authToken %v', token],
  ['JSON argv, -p', (_name, value) => JSON.stringify({ args: ['docker', 'login', '-u', 'ci', '-p', value, 'x.io'] })],
  [
    'JSON argv, -pX',
    (_name, value) => JSON.stringify(['mysql', '-h', 'db', '-uroot', `-p${value}`, 'app']),
    { not: /^-/ },
  ],
  ['Python argv, -a', "run(['redis-cli', '-a', '%v', 'ping'])", { not: /['\\]/ }],
  ['-P', 'sqlcmd -S db -U sa -P %v -Q "select 1"', { not: special }],
  ['sshpass', "sshpass -p '%v' ssh me@host"],
]);
