import assert from 'node:assert/strict';
import { reasonOf, unreachable } from '../../../../src/live/connection/unreachable';

describe('unreachable servers', () => {
  const url = new URL('https://mcp.example/mcp?key=1');

  const told = (code: string): string => unreachable(url, 'POST', failed(code, 'what Node.js says')).message;

  /** An error as `fetch` throws it. */
  function failed(code: string, message: string): Error {
    return new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code }) });
  }

  it('are reachable if only the certificate is invalid', () => {
    assert.equal(
      told('DEPTH_ZERO_SELF_SIGNED_CERT'),
      "The server at https://mcp.example/mcp can't be trusted: its certificate isn't trusted. " +
        'Add the certificate authority that signed it to those that the system trusts.',
    );
    assert.equal(
      told('CERT_HAS_EXPIRED'),
      "The server at https://mcp.example/mcp can't be trusted: its certificate has expired. " +
        "Renew the server's certificate, or correct its `url` in agentLogs.agents.",
    );
    assert.match(told('ERR_TLS_CERT_ALTNAME_INVALID'), /can't be trusted: its certificate is for another host\./);
  });

  it("are described by what happened to the connection, otherwise by Node.js's message", () => {
    assert.match(told('ECONNREFUSED'), /^No response from https:\/\/mcp\.example\/mcp: the connection was refused\./);
    assert.deepEqual(reasonOf(failed('ECONNREFUSED', 'connect ECONNREFUSED')), ['ECONNREFUSED']);
    assert.deepEqual(reasonOf(failed('EWHAT', 'what Node.js says')), ['what Node.js says']);
    assert.match(told('ETIMEDOUT'), /: the connection timed out\. Check that the server runs/);
  });
});
