import { inEnglish } from '../../../src/text/translator';
import assert from 'node:assert/strict';
import { otlpTarget, shownUrl } from '../../../src/otlp/otlpTarget';

const env = { TOKEN: 'secret', WHERE: 'https://logs.example.com/otlp' };

function urlOf(endpoint: unknown): string {
  const target = otlpTarget(endpoint, undefined, env);
  assert.equal(target.type, 'on');
  return target.url;
}

function messageFor(endpoint: unknown, headers?: unknown): string {
  const target = otlpTarget(endpoint, headers, env);
  assert.equal(target.type, 'invalid');
  return inEnglish(target.message);
}

describe('OTLP target', () => {
  it('is off without an endpoint', () => {
    for (const endpoint of [undefined, '', '  ', '${env:NONE}']) {
      assert.deepEqual(otlpTarget(endpoint, { 'X-Key': 'a' }, env), { type: 'off' });
    }
  });

  it("is the collector's URL for logs", () => {
    assert.equal(urlOf('http://127.0.0.1:4318'), 'http://127.0.0.1:4318/v1/logs');
    assert.equal(urlOf('http://127.0.0.1:4318/'), 'http://127.0.0.1:4318/v1/logs');
    assert.equal(urlOf('http://h/insert/opentelemetry/v1/logs/?a=b#c'), 'http://h/insert/opentelemetry/v1/logs?a=b');
    assert.equal(urlOf('${env:WHERE}'), 'https://logs.example.com/otlp/v1/logs');
    const target = otlpTarget('http://h/otlp/v1/logs?a=b', undefined, env);
    assert.equal(target.type === 'on' && target.tracesUrl, 'http://h/otlp/v1/traces?a=b');
    assert.equal(shownUrl('http://h/v1/logs?key=secret'), 'http://h/v1/logs');
  });

  it('has the headers, with variables of the environment', () => {
    const target = otlpTarget('http://h', { Authorization: 'Bearer ${env:TOKEN}', Empty: '${env:NONE}' }, env);
    assert.deepEqual(target.type === 'on' && target.headers, { Authorization: 'Bearer secret', Empty: '' });
  });

  it('reports invalid settings without showing secrets', () => {
    for (const url of ['localhost:4318', '127.0.0.1', 'grpc://h:4317']) {
      assert.match(messageFor(url), /must be an http:.* URL/);
    }
    assert.match(messageFor(4318), /must be a URL/);
    assert.match(messageFor('http://me:pw@h'), /in agentLogs\.otlp\.headers instead/);
    assert.match(messageFor('http://h', ['a']), /object of strings/);
    assert.match(messageFor('http://h', { a: 1 }), /object of strings/);
    assert.match(messageFor('http://h', { 'a b': 'c' }), /'a b'/);
    const broken = messageFor('http://h', { Authorization: '${env:TOKEN}\nX: y' });
    assert.match(broken, /['`]Authorization['`]/);
    assert.ok(!broken.includes('secret'));
  });
});
