import * as assert from 'node:assert/strict';
import { AddressGuard, kindOf, RefusedAddress } from '../../../src/live/addresses';

describe('addresses in a login', () => {
  const kinds = {
    loopback:
      'localhost localhost. a.localhost LOCALHOST 127.0.0.1 127.9.9.9 2130706433 0x7f.1 0 [::1] [::] [::ffff:127.0.0.1] [::127.0.0.1] [64:ff9b::7f00:1] [2002:7f00:1::]',
    private:
      '10.1.2.3 172.16.0.1 172.31.255.255 192.168.1.1 100.64.0.1 [fd00::1] [fc00::1] [fec0::1] [::ffff:10.0.0.1]',
    linkLocal: '169.254.169.254 [fe80::1] [febf::1] [::ffff:a9fe:a9fe]',
    special: '192.0.2.1 198.18.0.1 224.0.0.1 240.0.0.1 255.255.255.255 [ff02::1] [2001:db8::1] [2001::1]',
    public: '8.8.8.8 172.32.0.1 172.15.0.1 100.128.0.1 11.0.0.1 [2606:4700::1] [::ffff:8.8.8.8] [64:ff9b::808:808]',
  };
  for (const [kind, hosts] of Object.entries(kinds)) {
    it(`knows those that are ${kind}`, () => {
      for (const host of hosts.split(' ')) assert.equal(kindOf(new URL(`http://${host}/`).hostname), kind, host);
    });
  }

  it('leaves names to the resolver', () => {
    for (const host of ['example.com', 'localhost.example.com', 'mylocalhost', '127.0.0.1.nip.io']) {
      assert.equal(kindOf(host), undefined, host);
    }
  });

  const names: Readonly<Record<string, readonly string[]>> = {
    'mcp.example': ['8.8.8.8'],
    'mcp.corp': ['10.0.0.5', '::ffff:10.0.0.5'],
    'rebinds.example': ['8.8.8.8', '::ffff:127.0.0.1'],
    'zone.example': ['fe80::1%eth0'],
    'auth.corp': ['10.0.0.6'],
  };
  async function isAllowed(server: string, target: string): Promise<boolean> {
    const resolve = (name: string): Promise<readonly string[]> => {
      const found = names[name];
      return found ? Promise.resolve(found) : Promise.reject(new Error('ENOTFOUND'));
    };
    try {
      await new AddressGuard(new URL(server), resolve).check(new URL(target));
      return true;
    } catch (error) {
      assert.ok(error instanceof RefusedAddress);
      return false;
    }
  }

  it('are allowed if public, or of the kind of the server', async () => {
    for (const [server, expected, targets] of [
      ['https://mcp.example', true, ['https://8.8.4.4', 'https://unknown.example', 'https://mcp.example:444']],
      ['https://mcp.example', false, ['http://localhost:8080', 'https://rebinds.example', 'https://zone.example']],
      ['https://mcp.example', false, ['https://auth.corp', 'data:application/json,{}']],
      ['https://mcp.corp', true, ['https://auth.corp']],
      ['https://mcp.corp', false, ['http://127.0.0.1', 'http://169.254.169.254']],
      ['http://127.0.0.1:3000', true, ['http://localhost:4000']],
      ['http://127.0.0.1:3000', false, ['https://auth.corp']],
    ] as const) {
      for (const to of targets) assert.equal(await isAllowed(server, to), expected, `${server} → ${to}`);
    }
  });
});
