import { base62 } from '../random';
import { tokenKinds } from '../secrets';
import { group } from './carrier';

const uri = encodeURIComponent;
const token = { kinds: tokenKinds };

export const urls = group('URL', { styles: ['snake', 'camel', 'lower'] }, [
  ['query', (name, value) => `GET https://api.example.com/v1/items?page=2&${name}=${uri(value)}&limit=10`],
  ['query, first', (name, value) => `fetching https://api.example.com/v1/items?${name}=${uri(value)}`],
  ['path and query', (name, value) => `POST /hook?${name}=${uri(value)} 200 12ms`],
  [
    'query, key',
    (_name, _value, random) => {
      const secret = `AIza${random.text(`${base62}_-`, 35)}`;
      return { text: `https://maps.googleapis.com/maps/api/json?key=${secret}&sensor=false`, secret };
    },
    { kinds: ['vendor shape'] },
  ],
  ['fragment', (name, value) => `https://app.example.com/callback#${name}=${uri(value)}&state=x`, token],
  ['form body', (name, value) => `grant_type=refresh_token&${name}=${uri(value)}&scope=all`],
  ['user and password', (_name, value) => `cloning https://deploy:${uri(value)}@git.example.com/team/app.git`],
  ['token for a user', (_name, value) => `git clone https://${uri(value)}@github.com/team/app.git`, token],
  ['oauth2 user', (_name, value) => `https://oauth2:${uri(value)}@gitlab.example.com/team/app.git`, token],
  ['PostgreSQL', (_name, value) => `DATABASE_URL=postgres://app:${uri(value)}@db.internal:5432/app?sslmode=require`],
  ['MongoDB', (_name, value) => `connecting to mongodb+srv://app:${uri(value)}@cluster0.mongodb.net/test`],
  ['Redis', (_name, value) => `redis://:${uri(value)}@cache.internal:6379/0`],
  ['AMQP', (_name, value) => `amqp://guest:${uri(value)}@queue:5672/%2f`],
  ['proxy', (_name, value) => `HTTPS_PROXY=http://corp:${uri(value)}@proxy.internal:3128`],
  ['in a JSON string', (_name, value) => JSON.stringify({ url: `https://deploy:${uri(value)}@git.example.com/a.git` })],
  ['JDBC', (_name, value) => `jdbc:postgresql://db:5432/app?user=app&password=${uri(value)}`],
  [
    'signature',
    (_name, value) => `https://acct.blob.core.windows.net/c/f?sv=2024-08-04&se=2026-12-01&sig=${uri(value)}`,
    { kinds: ['base64'] },
  ],
  ['presigned', 'https://b.s3.amazonaws.com/k?X-Amz-Date=20261120T100000Z&X-Amz-Signature=%v', { kinds: ['hex'] }],
  [
    'in a query, encoded',
    (name, value) => `https://login.example.com/?next=${uri(`https://api.example.com/cb?${name}=${uri(value)}&a=1`)}`,
  ],
  [
    'in a query, encoded twice',
    (name, value) => `https://l.example.com/?u=${uri(uri(`https://api.example.com/cb?${name}=${uri(value)}`))}`,
    token,
  ],
  ['webhook path', 'POST https://hooks.slack.com/services/T0AB12CD3/B0EF45GH6/%v', { kinds: ['alnum'] }],
]);
