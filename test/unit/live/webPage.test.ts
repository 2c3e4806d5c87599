import assert from 'node:assert/strict';
import { HumanError } from '../../../src/text/humanError';
import { webPage } from '../../../src/live/webPage';

describe('a page that a server wants to open', () => {
  it('is on the web, or on this machine', () => {
    const href = 'https://auth.example.com/login?x=1#y';
    assert.deepEqual(webPage(href), { href, host: 'auth.example.com' });
    for (const url of ['http://localhost:8080/', 'http://127.1/', 'http://[::1]:9/', 'http://app.localhost/']) {
      assert.equal(webPage(url).href, new URL(url).href);
    }
  });

  it('has no scheme that starts a program or reads a file, and no unencrypted address elsewhere', () => {
    const programs =
      'file:///etc/passwd ms-settings:display search-ms:query=x vscode://a.b/c smb://host/x mailto:a@b.c';
    const others = 'javascript:alert(1) data:text/html,x HTTP://example.com/ command:x ftp://h/';
    for (const url of `${programs} ${others}`.split(' ')) {
      assert.throws(() => webPage(url), { name: 'HumanError', message: /not \w[\w-]*:/ }, url);
    }
    assert.throws(() => webPage('http://localhost.example.com/'), HumanError);
    assert.throws(() => webPage('http://127.0.0.1.nip.io/'), HumanError);
  });

  it('has no user name that looks like a host', () => {
    assert.throws(() => webPage('https://good.example@evil.example/'), /evil\.example/);
  });

  it('has nothing that is opened otherwise than shown', () => {
    const odd = ['https://a.example\\@b.example/', 'https://a.example/\nb', ' https://a.example', 'https://', 'x', ''];
    for (const url of odd) {
      assert.throws(() => webPage(url), HumanError, JSON.stringify(url));
    }
    assert.equal(webPage('https://gооgle.com/').host, 'xn--ggle-55da.com');
  });
});
