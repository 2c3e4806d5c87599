import assert from 'node:assert/strict';
import { panels, registered } from '../../../../support/vscodeStub';
import { ReportPanel } from '../../../../../src/ui/surfaces/records/reportPanel';

describe('a rendered report', () => {
  beforeEach(() => panels.splice(0));

  it('is HTML in a page that runs no scripts and loads nothing', () => {
    const text = '# A\n\n- `b` ![c](https://d/e.png)<img src="https://d/e.png">';
    new ReportPanel('agentLogs.report').show('MCP Servers', text);
    const [panel] = panels;
    assert.ok(panel);
    const { html } = panel.webview;
    assert.match(html, /<h1>A<\/h1><ul><li><code>b<\/code> !\[c\]/);
    const policy = /content="(default-src [^"]+)"/.exec(html)?.[1] ?? '';
    assert.match(policy, /^default-src 'none'; style-src 'nonce-[^']+'; base-uri 'none'; form-action 'none'$/);
    assert.doesNotMatch(html, /<(?:img|script|link|a|iframe)\b/);
    const enableCommandUris = ['agentLogs.report.follow'];
    assert.deepEqual(panel.options, { enableFindWidget: true, localResourceRoots: [], enableCommandUris });
  });

  it('has links to what its caller names, and no others', () => {
    let opened = 0;
    new ReportPanel('agentLogs.report').show('A', '`/a` `/b` [c](command:d)', new Map([['/a', () => opened++]]));
    const { html = '' } = panels[0]?.webview ?? {};
    const link = '<a href="command:agentLogs.report.follow?%5B%22%2Fa%22%5D"><code>/a</code></a>';
    assert.ok(html.includes(`<p>${link} <code>/b</code> [c](command:d)</p>`), html);
    assert.equal(html.match(/<a\b/g)?.length, 1);
    for (const code of ['/a', '/b']) registered.get('agentLogs.report.follow')?.(code);
    assert.equal(opened, 1);
  });

  it('replaces the one before in the same tab, or opens another once that was closed', () => {
    const report = new ReportPanel('agentLogs.report');
    report.show('One', 'a');
    report.show('Two', 'b');
    assert.deepEqual([panels.length, panels[0]?.title, panels[0]?.reveals], [1, 'Two', 2]);
    panels[0]?.dispose();
    report.show('Three', 'c');
    assert.equal(panels.length, 2);
    report.dispose();
    report.dispose();
  });
});
