// @ts-check
// A scripted, realistic coding agent for the README screenshots. The prompt decides what it does.
import { FakeAgent, noAnswer, sleep } from './lib/fakeAgent.mjs';

const agent = new FakeAgent();
agent.on('initialize', () => ({
  protocolVersion: 1,
  agentInfo: { name: 'bookshop-agent', title: 'Bookshop Agent', version: '2.3.0' },
  agentCapabilities: { sessionCapabilities: { close: {} } },
  authMethods: [],
}));

agent.on('session/new', () => ({ sessionId: `shop-${++agent.sessions}` }));

/** The notifications of one turn. */
class Turn {
  /** @param {unknown} sessionId */
  constructor(sessionId) {
    this.sessionId = sessionId;
  }

  /**
   * @param {string} level
   * @param {string} logger
   * @param {string} message
   * @param {object} [data]
   */
  log(level, logger, message, data) {
    agent.log(level, message, { sessionId: this.sessionId, logger, data });
  }

  /** @param {object} update */
  update(update) {
    agent.notify('session/update', { sessionId: this.sessionId, update });
  }

  /**
   * @param {string} toolCallId
   * @param {string} title
   */
  begin(toolCallId, title) {
    this.update({ sessionUpdate: 'tool_call', toolCallId, title, kind: 'execute', status: 'in_progress' });
  }

  /**
   * @param {string} toolCallId
   * @param {object} rawOutput
   */
  complete(toolCallId, rawOutput) {
    this.update({ sessionUpdate: 'tool_call_update', toolCallId, status: 'completed', rawOutput });
  }

  /** @param {string} text */
  say(text) {
    this.update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
  }
}

/** Does the task. @param {Turn} turn */
async function round(turn) {
  turn.log('info', 'index', 'Found 3 places that round', { file: 'src/basket.js' });
  turn.begin('edit', 'Edit src/basket.js');
  await sleep(300);
  turn.log('notice', 'edit', 'Only one place rounds now, as README.md has it');
  turn.complete('edit', { added: 2, removed: 3 });
  turn.say('The discount is rounded once for each item.');
  return { stopReason: 'end_turn' };
}

/** Fails twice, but reports success both times. @param {Turn} turn */
async function runTests(turn) {
  turn.log('info', 'model', 'Asking shop-large', { tokens: 18_204 });
  turn.begin('test', 'npm test');
  await sleep(400);
  turn.complete('test', { output: '1 of 12 tests failed: the discount of a school', metadata: { exit: 3 } });
  for (const attempt of [1, 2]) {
    const additionalDetails = 'Rate limit reached for shop-large (status 429)';
    const error = { message: `Reconnecting... ${attempt}/2`, willRetry: true, additionalDetails };
    turn.update({ sessionUpdate: 'session_info_update', _meta: { shop: { error } } });
    await sleep(300);
  }
  turn.log('error', 'model', 'No answer from shop-large', { status: 429 });
  turn.say('Error: Rate limit reached for shop-large (status 429)');
  return { stopReason: 'end_turn' };
}

/** A test fails and the model is busy, but the turn succeeds. @param {Turn} turn */
async function fix(turn) {
  turn.begin('before', 'npm test');
  turn.complete('before', { output: '1 of 12 tests failed', metadata: { exit: 1 } });
  const error = { message: 'Reconnecting... 1/2', willRetry: true, additionalDetails: 'The model is overloaded (529)' };
  turn.update({ sessionUpdate: 'session_info_update', _meta: { shop: { error } } });
  turn.begin('edit', 'Edit src/basket.js');
  turn.complete('edit', { added: 1, removed: 1 });
  turn.begin('after', 'npm test');
  await sleep(100);
  turn.complete('after', { output: '12 tests passed', metadata: { exit: 0 } });
  turn.say('All tests pass now.');
  return { stopReason: 'end_turn' };
}

/** Works until it is cancelled. @param {Turn} turn */
function importPrices(turn) {
  turn.log('info', 'tools', 'Reading prices.csv', { rows: 4200 });
  turn.begin('import', 'node import.js prices.csv');
  return noAnswer;
}

/** Crashes. @param {Turn} turn */
function crash(turn) {
  turn.log('warning', 'tools', 'Row 17 of prices.csv has no price', { row: 17 });
  const stack = [
    'WARN  import: 1 row was skipped',
    "TypeError: Cannot read properties of undefined (reading 'cents')",
    '    at priceOf (src/basket.js:14:25)',
    '    at importRow (src/import.js:41:9)',
  ];
  process.stderr.write(`${stack.join('\n')}\n`, () => process.exit(7));
  return noAnswer;
}

/** By the first word of the prompt. @type {Record<string, (turn: Turn) => unknown>} */
const turns = { Round: round, Run: runTests, Fix: fix, Import: importPrices, Crash: crash };

agent.on('session/prompt', ({ sessionId, prompt }) => {
  const [{ text }] = /** @type {[{ text: string }]} */ (prompt);
  const turn = new Turn(sessionId);
  turn.update({ sessionUpdate: 'session_info_update', title: text.replace(/\.$/, '') });
  return turns[text.split(' ')[0] ?? '']?.(turn) ?? { stopReason: 'refusal' };
});
