import { t } from '../../../../../src/text/translator';
import * as assert from 'node:assert/strict';
import { get } from 'node:http';
import { Redactor } from '../../../../../src/redact/redactor';
import type { OAuthSettings } from '../../../../../src/live/config/launchSpec';
import { LoopbackRedirect } from '../../../../../src/live/mcp/login/loopbackRedirect';
import { McpLogin } from '../../../../../src/live/mcp/login/mcpLogin';
import type { Run } from '../../../../../src/live/run';
import { Cancelled } from '../../../../../src/time/waiting';
import { describeUnless, isWine } from '../../../../support/platform';
import { HeadlessLogin } from '../../../../support/headlessLogin';
import { McpHttpServer } from '../../../../support/mcpHttpServer';
import type { OAuthServerOptions } from '../../../../support/oauthServer';
import { OAuthServer } from '../../../../support/oauthServer';
import { human, linesOf, recordOf, start, TestRuns } from '../../../../support/testRun';
import { textOf, WireNotes } from '../../../../support/wireNotes';

describeUnless(isWine, "under Wine, Node's fetch can't connect")('MCP login', () => {
  const runs = TestRuns.ofSuite();
  let server: McpHttpServer;
  let oauth: OAuthServer;
  let login: HeadlessLogin;

  beforeEach(() => (login = new HeadlessLogin()));
  afterEach(() => server.close());

  async function serve(options: OAuthServerOptions = {}): Promise<void> {
    oauth = new OAuthServer(options);
    server = await McpHttpServer.start({ oauth });
  }

  function create(): Run {
    return runs.createRemote(server.url, { mcp: { login } });
  }

  async function connected(): Promise<Run> {
    await serve();
    await logInNow();
    const run = create();
    await start(run);
    return run;
  }

  function logInNow(oauthSettings?: OAuthSettings): Promise<void> {
    const settings = { url: server.url, headers: {}, cwd: '/', ...(oauthSettings && { oauth: oauthSettings }) };
    return new McpLogin('Remote', settings, login).logIn();
  }

  /** Requests for tokens. */
  const tokenRequests = (): number => oauth.requests.filter((request) => request === 'POST /token').length;

  const fails = (message: RegExp, oauthSettings?: OAuthSettings): Promise<void> =>
    assert.rejects(logInNow(oauthSettings), human(message));

  it('is needed before a start, without asking the user or registering a client', async () => {
    await serve();
    const run = create();
    const message =
      'The server requires you to log in (HTTP 401): Unauthorized. Run **Agent Logs: Log In…** to log in.';
    await assert.rejects(start(run), { name: 'HumanError', message, remedies: ['logIn', 'output'] });
    assert.deepEqual(login.reasons, []);
    assert.deepEqual([...new Set(oauth.requests)], ['POST /mcp'], 'nothing is fetched before the user agrees');
    assert.deepEqual(run.log.connection.summary?.worst?.cause, t('not logged in'));
  });

  it('registers a client, asks for the scopes of the server, and lets a run connect', async () => {
    const run = await connected();
    assert.equal(textOf(await run.callTool('work', {})), 'worked');
    assert.deepEqual(login.reasons, [{ type: 'requested' }]);
    assert.equal(oauth.clients.size, 1);
    assert.equal(login.stored.tokens?.scope, 'read');
    await start(create()); // after a restart
    assert.equal(login.reasons.length, 1);
  });

  it('is refreshed silently, once for several requests', async () => {
    const run = await connected();
    const wire = new WireNotes(run);
    oauth.expire();
    await Promise.all([1, 2, 3].map(() => run.callTool('work', {})));
    assert.equal(tokenRequests(), 2);
    assert.equal(login.reasons.length, 1);
    assert.deepEqual(wire.methods, ['tools/call', 'tools/call', 'tools/call']);
    assert.deepEqual(wire.processEvents, []);
  });

  describe('with a client of the user', () => {
    const oauthSettings = { clientId: 'mine', clientSecret: 'mine-secret' };
    const client = { id: 'mine', redirectUri: /^http:\/\/127\.0\.0\.1:\d+\/callback$/ };
    const wrongServer = /^Remote now wants a login at http:\/\/127\S+ instead of http:/;
    const leaked = (): readonly string[] => oauth.requests.filter((request) => /token|register/.test(request));

    it('is refreshed silently', async () => {
      await serve({ client });
      await logInNow(oauthSettings);
      oauth.expire();
      await start(runs.createRemote(server.url, { mcp: { login }, oauth: oauthSettings }));
      assert.equal(tokenRequests(), 2);
    });

    it('keeps its secret from another authorization server, also after a restart, until the user logs out', async () => {
      await serve({ client });
      await logInNow(oauthSettings);
      const first = server;
      login.stored = JSON.parse(JSON.stringify(login.stored)) as typeof login.stored;
      await serve({ client });
      for (let times = 0; times < 2; times++) await fails(wrongServer, oauthSettings);
      assert.deepEqual(leaked(), []);
      login.stored = {};
      await logInNow(oauthSettings);
      await first.close();
    });

    it('keeps a secret that needs no user from another authorization server', async () => {
      const settings = { ...oauthSettings, grant: 'client_credentials' } as const;
      await serve({ client });
      await assert.rejects(logInNow(settings), /invalid_grant/); // The fake knows no such grant, but has the secret now.
      login.stored = { ...login.stored, discovery: undefined } as unknown as typeof login.stored;
      const first = server;
      await serve({ client });
      await fails(wrongServer, settings);
      assert.deepEqual(leaked(), []);
      await first.close();
    });
  });

  for (const [what, options] of Object.entries({
    'resource metadata': { resourceMetadata: 'http://169.254.169.254/latest' },
    registration: { metadata: { registration_endpoint: 'http://[::ffff:10.0.0.1]:1/register' } },
    tokens: { metadata: { token_endpoint: 'https://192.168.0.1:1/token' } },
  })) {
    it(`stops if ${what} would come from a private network`, async () => {
      await serve(options);
      await fails(/was stopped: it leads to (?:169|\[::ffff:a00:1\]:1|192)/);
    });
  }

  it("prompts during a run once it can't be refreshed", async () => {
    const run = await connected();
    oauth.revoke();
    assert.equal(textOf(await run.callTool('work', {})), 'worked');
    assert.deepEqual(login.reasons.at(-1), { type: 'expired' });
  });

  it('gets more scopes when a tool needs them, and keeps existing ones', async () => {
    const run = await connected();
    oauth.scopes.set('work', 'write');
    assert.equal(textOf(await run.callTool('work', {})), 'worked');
    assert.deepEqual(login.reasons.at(-1), { type: 'scope', scope: 'write' });
    assert.equal(login.stored.tokens?.scope, 'read write');
  });

  it('fails the request if the user declines', async () => {
    const run = await connected();
    oauth.scopes.set('work', 'write');
    login.declines = true;
    const declined = human(/^Remote requires more permissions than your login has \(write\)/);
    await assert.rejects(run.callTool('work', {}), declined);
    assert.equal(run.log.requests.length, 0);
    assert.equal(run.state.type, 'running');
    login.declines = false;
    oauth.scopes.clear();
    assert.equal(textOf(await run.callTool('work', {})), 'worked');
  });

  it('is cancelled with the run that needs it', async () => {
    const run = await connected();
    oauth.revoke();
    const asked = new Promise<void>((resolve) => {
      login.openPage = () => {
        resolve();
        return Promise.resolve(true);
      };
    });
    const call = run.callTool('work', {});
    call.catch(() => undefined);
    await asked;
    await run.stop();
    await assert.rejects(call);
  });

  it('falls back to a loopback address if the server accepts no other', async () => {
    await serve({ loopbackOnly: true });
    await logInNow();
    assert.match(login.stored.redirectUrl ?? '', /^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    await start(create());
  });

  it('rejects requests to the loopback address that are no redirect', async () => {
    await serve();
    const redirect = await LoopbackRedirect.listen((address) => Promise.resolve(address));
    const { hostname, port } = new URL(redirect.url);
    const statusOf = (path: string): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        get({ hostname, port, path }, ({ statusCode }) => resolve(statusCode)).on('error', reject);
      });
    const statuses = await Promise.all(['//', '/', '/callback', '/callback?state=other'].map(statusOf));
    redirect.dispose();
    assert.deepEqual(statuses, [404, 404, 404, 404]);
  });

  it('registers again if the address of the window has changed', async () => {
    await serve();
    await logInNow();
    const { stored } = login;
    login = new HeadlessLogin('vscode://agent-logs.agent-logs/login?windowId=2');
    login.stored = stored;
    await logInNow();
    assert.equal(oauth.clients.size, 2);
  });

  const noClients =
    /doesn't accept new clients: This address is not allowed\. Register one there, and set its ID as `"oauth/;
  const refusals: readonly (readonly [what: string, options: OAuthServerOptions, message: RegExp])[] = [
    ['the user denies it there', { denies: true }, /^The login to Remote was denied\.$/],
    ['another server answers', { issuer: 'https://evil.example' }, /another server than the requested one answered/],
    ['the server registers no clients', { closed: true }, noClients],
  ];
  for (const [what, options, message] of refusals) {
    it(`ends with the reason if ${what}, or silently if the user cancels it here`, async () => {
      await serve(options);
      await fails(message);
      login.declines = true;
      await assert.rejects(logInNow(), Cancelled);
      assert.deepEqual([login.stored.tokens, oauth.tokens.size], [undefined, 0]);
    });
  }

  it('times out', async () => {
    await serve();
    login.openPage = () => Promise.resolve(true);
    login.timeout = 10;
    await fails(/^The login to Remote timed out\.$/);
  });

  it('ignores a browser that returns with another state', async () => {
    await serve();
    login.timeout = 100;
    login.rewrite = (address) => (address.searchParams.set('state', 'another'), address);
    await fails(/timed out/);
    assert.equal(oauth.tokens.size, 0);
  });

  it('opens no page that could start a program, and shows the host of others', async () => {
    for (const page of ['file:///bin/true', 'ms-settings:x', 'vscode://a.b/c', 'http://example.com/']) {
      await serve({ metadata: { authorization_endpoint: page } });
      await fails(/^Only https: pages are opened/);
      await server.close();
    }
    assert.deepEqual(login.hosts, []);
    await serve();
    await logInNow();
    assert.deepEqual(login.hosts, [new URL(server.url).host]);
  });

  it('says so if the server has no login', async () => {
    server = await McpHttpServer.start({ statuses: [401, 404, 404, 404, 404, 404] });
    await fails(/^Couldn't log in to Remote: /);
  });

  it('leaves nothing secret in the log, even if the server repeats it', async () => {
    await serve();
    await logInNow();
    const redactor = new Redactor();
    login.onSecrets = (secrets) => redactor.learn(secrets);
    const run = runs.createRemote(server.url, { mcp: { login }, redactor });
    const wire = new WireNotes(run);
    await start(run);
    oauth.expire(); // The redactor doesn't know the next token yet.
    await run.callTool('work', {});
    const token = login.stored.tokens?.access_token ?? '';
    assert.match(token, /^access-/);
    await run.callTool('echo', { text: `your token is ${token}` });
    await recordOf(run, ({ message }) => message.startsWith('echo'));
    const log = JSON.stringify([linesOf(run), run.log.store.query(), wire.events]);
    assert.ok(!log.includes(token));
    assert.match(log, /\[redacted\]/);
  });
});
