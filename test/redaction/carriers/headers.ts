import { base62, upperCase } from '../random';
import { tokenKinds } from '../secrets';
import { group } from './carrier';

export const headers = group('header', { styles: ['header'], kinds: tokenKinds }, [
  ['Authorization: Bearer', (_name, value) => `Authorization: Bearer ${value}`],
  ['authorization, raw', (_name, value) => `> GET /v1/me HTTP/1.1\n> authorization: Bearer ${value}\n> accept: */*`],
  ['Authorization: token', (_name, value) => `Authorization: token ${value}`],
  [
    'Authorization: Basic',
    (_name, value) => {
      const secret = Buffer.from(`me:${value}`).toString('base64');
      return { text: `Authorization: Basic ${secret}`, secret };
    },
  ],
  ['named', (name, value) => `X-${name}: ${value}`, { styles: ['header'] }],
  ['x-api-key', (_name, value) => `x-api-key: ${value}`],
  ['Private-Token', (_name, value) => `PRIVATE-TOKEN: ${value}`],
  ['Proxy-Authorization', (_name, value) => `Proxy-Authorization: Basic ${value}`],
  ['Cookie', (_name, value) => `Cookie: theme=dark; sid=${value}`, { kinds: ['alnum', 'hex'] }],
  ['Set-Cookie', (_name, value) => `Set-Cookie: session=${value}; Path=/; HttpOnly`, { kinds: ['alnum', 'hex'] }],
  ['curl -H', (_name, value) => `curl -s -H "Authorization: Bearer ${value}" https://api.example.com/v1/me`],
  ['curl -H, single quotes', (_name, value) => `curl -H 'X-Api-Key: ${value}' https://api.example.com/v1/me`],
  ['Python dict', (_name, value) => `headers={'Accept': '*/*', 'Authorization': 'Bearer ${value}'}`],
  ['Python dict, key', (name, value) => `{'${name}': '${value}', 'Accept': '*/*'}`],
  ['Go map', (_name, value) => `map[Accept:[*/*] Authorization:[Bearer ${value}] User-Agent:[go]]`],
  ['Go header', (_name, value) => `http.Header{"Authorization":[]string{"Bearer ${value}"}, "Accept":[]string{"*/*"}}`],
  ['JSON', (_name, value) => JSON.stringify({ headers: { accept: '*/*', authorization: `Bearer ${value}` } })],
  ['JSON, key', (_name, value) => JSON.stringify({ headers: { 'x-api-key': value } })],
  ['JSON, list', (_name, value) => JSON.stringify([{ name: 'Authorization', value: `Bearer ${value}` }])],
  ['JS object', (_name, value) => `headers: { Authorization: 'Bearer ${value}', Accept: '*/*' }`],
  ['JS template', (_name, value) => 'headers: { "Authorization": `Bearer ' + value + '` }'],
  ['Ruby hash', (_name, value) => `{"Authorization"=>"Bearer ${value}", "Accept"=>"*/*"}`],
  ['Java setHeader', (_name, value) => `request.setHeader("Authorization", "Bearer ${value}");`],
  ['raw headers', (_name, value) => `[ 'accept', '*/*', 'x-api-key', '${value}' ]`],
  ['Java map', (_name, value) => `{accept=[*/*], authorization=[Bearer ${value}]}`],
  [
    'AWS signature',
    (_name, _value, random) => {
      const secret = random.text('0123456789abcdef', 64);
      const credential = `${random.text(upperCase, 20)}/20261120/eu-central-1/s3/aws4_request`;
      return {
        text: `Authorization: AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=host, Signature=${secret}`,
        secret,
      };
    },
    { kinds: ['hex'] },
  ],
  ['in a log sentence', (_name, value) => `request failed with 401, sent Authorization: Bearer ${value}`],
  ['bare bearer', (_name, value) => `using bearer auth "Bearer ${value}" for upstream`],
  [
    'Digest',
    (_name, _value, random) => {
      const secret = random.text(base62, 32);
      return { text: `Authorization: Digest username="me", realm="x", response="${secret}"`, secret };
    },
    { kinds: ['alnum'] },
  ],
]);
