// Another extension, which runs an agent itself and hands its lines over; and misuses the API where it is told to.
const vscode = require('vscode');

/** @returns {Promise<import('../../api/agent-logs').AgentLogsApi>} */
function agentLogs() {
  return vscode.extensions.getExtension('agent-logs.agent-logs').activate();
}

/** A model that answers with what it was asked, word by word. */
const model = {
  provideLanguageModelChatInformation: () => [
    {
      id: 'echo',
      name: 'Echo',
      family: 'echo',
      version: '1',
      maxInputTokens: 1000,
      maxOutputTokens: 1000,
      capabilities: { toolCalling: false },
      isUserSelectable: true,
      isDefault: true,
    },
  ],
  async provideLanguageModelChatResponse(_model, messages, _options, progress) {
    const said = messages
      .at(-1)
      .content.map(({ value }) => value ?? '')
      .join('');
    for (const word of said.split(' ')) progress.report(new vscode.LanguageModelTextPart(`${word} `));
  },
  provideTokenCount: (_model, text) => Promise.resolve(String(text).length),
};

/** A participant of the chat: asks the model, or fails, or goes on until it is cancelled. */
async function answer(request, _context, response, token) {
  response.progress('Looking around');
  if (request.prompt.includes('fail')) throw new Error('Server error: 500');
  response.markdown('Let me see. ');
  const [echo] = await vscode.lm.selectChatModels({ vendor: 'agent-logs-test' });
  const messages = [vscode.LanguageModelChatMessage.User(request.prompt)];
  const { text } = await (echo ?? request.model).sendRequest(messages, {}, token);
  for await (const part of text) response.markdown(part);
  while (request.prompt.includes('wait') && !token.isCancellationRequested) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Older versions have no models of extensions. */
function registerChat() {
  if (!vscode.lm.registerLanguageModelChatProvider) return [];
  return [
    vscode.lm.registerLanguageModelChatProvider('agent-logs-test', model),
    vscode.chat.createChatParticipant('agent-logs-test.tester', answer),
  ];
}

exports.activate = ({ subscriptions }) => {
  subscriptions.push(...registerChat());
  return api;
};

const api = {
  /** One whole conversation of ACP, whose agent then crashes. */
  async converse() {
    const publisher = (await agentLogs()).publish({ name: 'Published', protocol: 'acp' });
    const say = (direction, message) => publisher.line(direction, JSON.stringify({ jsonrpc: '2.0', ...message }));
    say('c2a', { id: 1, method: 'initialize', params: { protocolVersion: 1 } });
    say('a2c', { id: 1, result: { protocolVersion: 1, agentInfo: { name: 'published', version: '1' } } });
    say('c2a', { id: 2, method: 'session/new', params: { cwd: '/', mcpServers: [] } });
    say('a2c', { id: 2, result: { sessionId: 'published-session-1' } });
    say('a2c', {
      method: 'log',
      params: {
        level: 'warning',
        message: 'my token is ghp_abcdefghijklmnopqrstuvwxyz0123456789',
        sessionId: 'published-session-1',
      },
    });
    publisher.line('err', 'Error: out of luck');
    publisher.end({ reason: 'error', terminatedBy: 'agent', message: 'exited with code 9', exitCode: 9 });
    return publisher.run.id;
  },

  /** Everything that must harm nobody; answers what was thrown. */
  async misuse() {
    const api = await agentLogs();
    const thrown = [];
    const attempt = (act) => {
      try {
        act();
      } catch (error) {
        thrown.push(error.name);
      }
    };
    attempt(() => api.publish());
    attempt(() => api.publish({ name: '', protocol: 'acp' }));
    attempt(() => api.publish({ name: 'x', protocol: 'smtp' }));
    const publisher = api.publish({ name: 'Misused', protocol: 'mcp' });
    attempt(() => publisher.line('sideways', 'text'));
    attempt(() => publisher.line('a2c', 42));
    for (let i = 0; i < 50_000; i++)
      publisher.line(
        'a2c',
        `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"${i}"}}`,
      );
    publisher.line('a2c', 'x'.repeat(3_000_000));
    publisher.line('a2c', '{"id":');
    publisher.end({ reason: 'nonsense', exitCode: 'seven' });
    publisher.end();
    publisher.line('a2c', 'after the end');
    publisher.dispose();
    return { id: publisher.run.id, thrown };
  },
};
