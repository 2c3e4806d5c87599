import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { OtlpReceiver } from '../support/otlpReceiver';
import { agentLogs, configureUser, endAll, fake, withAgents } from './support';
import { eventually } from './waiting';

const configure = (name: string, value: unknown): Promise<void> => configureUser(`otlp.${name}`, value);

describe('Export to a collector', () => {
  let receiver: OtlpReceiver;

  withAgents({ Traced: fake('logsTrace') });

  beforeEach(async () => {
    receiver = await OtlpReceiver.start();
  });

  afterEach(async () => {
    for (const name of ['endpoint', 'headers', 'traces', 'metrics']) await configure(name, undefined);
    await receiver.close();
    await endAll();
  });

  it('is off by default, and can be switched while an agent runs', async () => {
    const run = await (await agentLogs()).start('Traced');
    const session = await run.newSession();
    await run.prompt(session, 'go');
    await configure('endpoint', `http://127.0.0.1:${receiver.port}`);
    await run.prompt(session, 'go');
    await receiver.until(({ logs }) => logs.some(({ scope }) => scope === 'db'));
    assert.equal(receiver.logs.filter(({ scope }) => scope === 'db').length, 1);
    await configure('endpoint', undefined);
    const { length } = receiver.requests;
    await run.prompt(session, 'go');
    await new Promise((resolve) => setTimeout(resolve, 1500)); // longer than the delay of a batch
    assert.equal(receiver.requests.length, length);
  });

  it('sends the records of an agent with their traces and shortened session IDs', async () => {
    process.env['AGENT_LOGS_TEST_TOKEN'] = 'of-the-environment';
    await configure('headers', { 'X-Token': 'token ${env:AGENT_LOGS_TEST_TOKEN}' });
    await configure('endpoint', `http://127.0.0.1:${receiver.port}/`);
    const run = await (await agentLogs()).start('Traced');
    const session = await run.newSession();
    await run.prompt(session, 'go');
    await receiver.until(({ logs }) => logs.some(({ body }) => body === 'in no trace'));

    const [request] = receiver.requests;
    assert.equal(request?.path, '/v1/logs');
    assert.equal(request.headers['x-token'], 'token of-the-environment');
    const traced = receiver.logs.find(({ scope }) => scope === 'db');
    assert.ok(traced);
    assert.deepEqual(traced.resource, { 'service.name': 'Traced', 'service.instance.id': run.id });
    assert.equal(`${traced.traceId} ${traced.spanId}`, '0af7651916cd43dd8448eb211c80319c b7ad6b7169203331');
    assert.equal(traced.attributes['session.id'], session.slice(-8));
    assert.ok(!JSON.stringify(receiver.logs).includes(session));
    assert.equal(receiver.logs.find(({ body }) => body === 'in no trace')?.traceId, undefined);
    assert.deepEqual([receiver.spans, receiver.points], [[], []]);
    // All kinds of records are exported, not only log messages.
    assert.ok(receiver.logs.some(({ attributes }) => attributes['agent_logs.kind'] === 'lifecycle'));
  });

  it('sends turns as traces and metrics if asked to, with the ids that their records carry, and no prompt', async () => {
    await configure('traces', true);
    await configure('metrics', true);
    await configure('endpoint', `http://127.0.0.1:${receiver.port}`);
    const run = await (await agentLogs()).start('Traced');
    await run.prompt(await run.newSession(), 'private words');
    const isTurn = ({ name }: { readonly name: string }): boolean => name === 'invoke_agent Traced';
    await receiver.until(({ spans, logs }) => spans.some(isTurn) && logs.some(({ body }) => body === 'in no trace'));

    const turn = receiver.spans.find(isTurn);
    assert.ok(turn);
    assert.ok(receiver.requests.some(({ path }) => path === '/v1/traces'));
    assert.equal(turn.attributes['gen_ai.operation.name'], 'invoke_agent');
    assert.deepEqual(turn.resource, { 'service.name': 'Traced', 'service.instance.id': run.id });
    const logged = receiver.logs.find(({ body }) => body === 'in no trace');
    assert.deepEqual([logged?.traceId, logged?.spanId], [turn.traceId, turn.spanId]);
    assert.doesNotMatch(JSON.stringify(receiver.spans), /private words/);
    await receiver.until(({ points }) => points.length > 0);
    const [point] = receiver.points.flat();
    assert.deepEqual([point?.metric, point?.count], ['gen_ai.invoke_agent.duration', 1]);
    assert.deepEqual(point?.resource, turn.resource);
  });

  it("can't be enabled by a repository, which can't disable redaction either", async () => {
    const file = vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, '.vscode', 'settings.json');
    const before = await vscode.workspace.fs.readFile(file);
    const withoutComments = Buffer.from(before)
      .toString()
      .replace(/^\s*\/\/.*$/gm, '');
    const foreign = {
      ...(JSON.parse(withoutComments) as object),
      'agentLogs.level': 'alert',
      'agentLogs.otlp.endpoint': `http://127.0.0.1:${receiver.port}`,
      'agentLogs.redaction.enabled': false,
      'agentLogs.redaction.patterns': ['nothing'],
    };
    const settings = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration('agentLogs');
    const levelIs = (level: string): Promise<unknown> => eventually(() => settings().get('level') === level);
    const level = settings().get<string>('level')!;
    try {
      await vscode.workspace.fs.writeFile(file, Buffer.from(JSON.stringify(foreign)));
      await levelIs('alert'); // the settings were read
      const names = ['otlp.endpoint', 'redaction.enabled', 'redaction.patterns'];
      const found = names.map((name) => settings().get(name));
      assert.deepEqual(found, ['', true, []]);
    } finally {
      await vscode.workspace.fs.writeFile(file, before);
      await levelIs(level);
    }
  });

  it('uses the proxy from VS Code settings', async () => {
    const http = vscode.workspace.getConfiguration('http');
    await http.update('proxy', `http://127.0.0.1:${receiver.port}`, vscode.ConfigurationTarget.Global);
    try {
      await configure('endpoint', 'http://collector.invalid:4318');
      await (await agentLogs()).start('Traced');
      await receiver.until(({ requests }) => requests.length > 0);
      assert.equal(receiver.requests[0]?.path, 'http://collector.invalid:4318/v1/logs');
    } finally {
      await http.update('proxy', undefined, vscode.ConfigurationTarget.Global);
    }
  });
});
