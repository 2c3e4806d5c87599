import { base62, upperCase } from '../random';
import { tokenKinds } from '../secrets';
import { group } from './carrier';

export const headers = group('header', { styles: ['header'], kinds: tokenKinds }, [
  ['Authorization: Bearer', 'Authorization: Bearer %v'],
  ['authorization, raw', '> GET /v1/me HTTP/1.1\n> authorization: Bearer %v\n> accept: */*'],
  ['Authorization: token', 'Authorization: token %v'],
  [
    'Authorization: Basic',
    (_name, value) => {
      const secret = Buffer.from(`me:${value}`).toString('base64');
      return { text: `Authorization: Basic ${secret}`, secret };
    },
  ],
  ['named', 'X-%n: %v', { styles: ['header'] }],
  ['x-api-key', 'x-api-key: %v'],
  ['Private-Token', 'PRIVATE-TOKEN: %v'],
  ['Proxy-Authorization', 'Proxy-Authorization: Basic %v'],
  ['Cookie', 'Cookie: theme=dark; sid=%v', { kinds: ['alnum', 'hex'] }],
  ['Set-Cookie', 'Set-Cookie: session=%v; Path=/; HttpOnly', { kinds: ['alnum', 'hex'] }],
  ['curl -H', 'curl -s -H "Authorization: Bearer %v" https://api.example.com/v1/me'],
  ['curl -H, single quotes', "curl -H 'X-Api-Key: %v' https://api.example.com/v1/me"],
  ['Python dict', "headers={'Accept': '*/*', 'Authorization': 'Bearer %v'}"],
  ['Python dict, key', "{'%n': '%v', 'Accept': '*/*'}"],
  ['Go map', 'map[Accept:[*/*] Authorization:[Bearer %v] User-Agent:[go]]'],
  ['Go header', 'http.Header{"Authorization":[]string{"Bearer %v"}, "Accept":[]string{"*/*"}}'],
  ['JSON', (_name, value) => JSON.stringify({ headers: { accept: '*/*', authorization: `Bearer ${value}` } })],
  ['JSON, key', (_name, value) => JSON.stringify({ headers: { 'x-api-key': value } })],
  ['JSON, list', (_name, value) => JSON.stringify([{ name: 'Authorization', value: `Bearer ${value}` }])],
  ['JS object', "headers: { Authorization: 'Bearer %v', Accept: '*/*' }"],
  ['JS template', (_name, value) => 'headers: { "Authorization": `Bearer ' + value + '` }'],
  ['Ruby hash', '{"Authorization"=>"Bearer %v", "Accept"=>"*/*"}'],
  ['Java setHeader', 'request.setHeader("Authorization", "Bearer %v");'],
  ['raw headers', "[ 'accept', '*/*', 'x-api-key', '%v' ]"],
  ['Java map', '{accept=[*/*], authorization=[Bearer %v]}'],
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
  ['in a log sentence', 'request failed with 401, sent Authorization: Bearer %v'],
  ['bare bearer', 'using bearer auth "Bearer %v" for upstream'],
  [
    'Digest',
    (_name, _value, random) => {
      const secret = random.text(base62, 32);
      return { text: `Authorization: Digest username="me", realm="x", response="${secret}"`, secret };
    },
    { kinds: ['alnum'] },
  ],
]);
