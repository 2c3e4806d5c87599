import assert from 'node:assert/strict';
import { HumanError } from '../../../../../src/text/humanError';
import { McpLogin } from '../../../../../src/live/mcp/login/mcpLogin';
import { HeadlessLogin } from '../../../../support/headlessLogin';
import { McpHttpServer } from '../../../../support/mcpHttpServer';
import { OAuthServer } from '../../../../support/oauthServer';
import { describeUnless, isWine } from '../../../../support/platform';

describeUnless(isWine, "under Wine, Node's fetch can't connect")('MCP login', () => {
  const wellKnown = ['protected-resource/mcp', 'authorization-server'].map((name) => `/.well-known/oauth-${name}`);
  for (const path of [...wellKnown, '/register', '/token']) {
    it(`doesn't follow a redirect of ${path} to another origin`, async () => {
      const redirects: Record<string, string> = {};
      const oauth = new OAuthServer({ redirects });
      const server = await McpHttpServer.start({ oauth });
      redirects[path] = server.url.replace('127.0.0.1', 'localhost').replace('/mcp', '/elsewhere');
      try {
        const login = new McpLogin('Remote', { url: server.url, headers: {}, cwd: '/' }, new HeadlessLogin());
        await login.logIn().catch((error: unknown) => assert.ok(error instanceof HumanError));
      } finally {
        await server.close();
      }
      const asked = oauth.requests.map((request) => request.split(' ')[1]);
      assert.ok(asked.includes(path));
      assert.ok(!asked.includes('/elsewhere'));
    });
  }
});
