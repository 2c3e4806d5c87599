import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import type { AvailableCommand, ContentBlock } from '@agentclientprotocol/sdk';
import { methods, RequestError } from '@agentclientprotocol/sdk';
import { answer } from './answer';
import type { Level } from './connection';
import { levels as allLevels } from './connection';
import { permission } from './permission';
import { subagents } from './subagents';
import type { Command } from './turn';
import { SampleToolCall } from './turn';

const meanings: Readonly<Record<Level, string>> = {
  debug: 'information for debugging',
  info: 'informational message',
  notice: 'normal but significant event',
  warning: 'something might go wrong',
  error: 'something went wrong',
  critical: 'a critical condition',
  alert: 'action must be taken immediately',
  emergency: 'system is unusable',
};

const levels: Command = {
  name: 'levels',
  description: 'Logs one message of each of the eight levels.',
  async run(turn) {
    let sent = 0;
    for (const level of allLevels) {
      const data = { level, severity: 7 - allLevels.indexOf(level) };
      if (await turn.log(level, 'sample.levels', `This is ${level}: ${meanings[level]}`, data)) sent++;
    }
    await turn.say(
      `Sent ${sent} of ${allLevels.length} levels; the requested level is ${turn.session.connection.threshold}.`,
    );
  },
};

const notices = [
  { severity: 'info', title: 'A new version of the sample agent is available' },
  { severity: 'warning', title: 'Using another model', description: 'sample-2 is busy; this turn uses sample-1.' },
  { severity: 'error', title: "Couldn't start an MCP server", description: 'sample-server: ENOENT' },
];

const notice: Command = {
  name: 'notice',
  description: "Sends three notices (info, warning, error), as text if the client doesn't support notices.",
  async run(turn) {
    if (!turn.session.connection.notices) {
      for (const { title, description } of notices) {
        await turn.say(description === undefined ? `**${title}**\n` : `**${title}**: ${description}\n`);
      }
      return;
    }
    for (const notice of notices) await turn.session.update({ sessionUpdate: 'notice', ...notice });
    await turn.say(`Sent ${notices.length} notices.`);
  },
};

const stepMs = 500;

const slow: Command = {
  name: 'slow',
  description: 'Runs for a while and reports progress. Can be cancelled.',
  hint: 'seconds, default 10',
  async run(turn) {
    const seconds = numberOr(turn.input, { least: 0, most: 3600, otherwise: 10 });
    const total = seconds * 1000;
    await turn.log('info', 'sample.model', `Working for ${seconds} s`, { seconds });
    await turn.say('Thinking…\n');
    for (let done = 0; done < total;) {
      const step = Math.min(stepMs, total - done);
      await turn.sleep(step);
      done += step;
      const percent = Math.round((100 * done) / total);
      await turn.log('debug', 'sample.model', `${percent} % done`, { elapsedMs: done, percent });
      await turn.say(`${percent} %\n`);
    }
    await turn.say('Done.');
  },
};

const hang: Command = {
  name: 'hang',
  description: 'Never answers until it is cancelled.',
  async run(turn) {
    await turn.log('warning', 'sample.model', 'No answer from the model');
    if (!turn.signal.aborted) await once(turn.signal, 'abort');
    turn.signal.throwIfAborted();
  },
};

/** Number of messages to send before yielding, so that the output can drain and a cancel can arrive. */
const batchSize = 500;

const flood: Command = {
  name: 'flood',
  description: 'Logs many info messages as fast as the client reads them.',
  hint: 'how many, default 1000',
  async run(turn) {
    const total = Math.floor(numberOr(turn.input, { least: 0, most: 10_000_000, otherwise: 1000 }));
    const startedAt = Date.now();
    let sent = 0;
    for (let first = 1; first <= total; first += batchSize) {
      const batch = Array.from({ length: Math.min(batchSize, total - first + 1) }, (_, index) => first + index);
      const results = await Promise.all(
        batch.map((n) => turn.log('info', 'sample.flood', `Message ${n} of ${total}`, { n, of: total })),
      );
      sent += results.filter(Boolean).length;
      await setImmediate();
      turn.signal.throwIfAborted();
    }
    const seconds = (Date.now() - startedAt) / 1000;
    await turn.say(`Sent ${sent} of ${total} messages in ${seconds.toFixed(1)} s.`);
  },
};

const stderr: Command = {
  name: 'stderr',
  description: 'Writes to stderr in the formats that real agents use.',
  async run(turn) {
    const time = new Date().toISOString();
    const lines = [
      'a plain line without a level',
      JSON.stringify({ level: 'warn', time, msg: 'a JSON line', attempt: 2 }),
      `timestamp=${time} level=ERROR message="a logfmt line" cause="ECONNREFUSED 127.0.0.1:8099"`,
      '[WARN] a line with its level in brackets',
      `${time} DEBUG sample::model: a line in the format of Rust's tracing`,
      'TypeError: a stack trace with several lines',
      '    at read (/sample/tools.js:12:7)',
      '    at async run (/sample/turn.js:40:3) {',
      "  code: 'ERR_SAMPLE'",
      '}',
      '\u001b[33mwarning:\u001b[0m a line in colour',
    ];
    await written(process.stderr, lines.map((line) => `${line}\n`).join(''));
    await turn.say(`Wrote ${lines.length} lines to stderr.`);
  },
};

const error: Command = {
  name: 'error',
  description: 'Fails the prompt with a JSON-RPC error.',
  async run(turn) {
    await turn.log('error', 'sample.model', 'The model refused the request', { status: 429, retryAfterSeconds: 30 });
    throw RequestError.internalError({ errorName: 'RateLimited', status: 429 }, 'the model refused the request');
  },
};

const crash: Command = {
  name: 'crash',
  description: 'Writes an error to stderr and exits in the middle of the turn.',
  hint: 'exit code, default 1',
  async run(turn) {
    const code = Math.floor(numberOr(turn.input, { least: 0, most: 255, otherwise: 1 }));
    const call = await SampleToolCall.start(turn, 'Divide by zero', 'execute', { command: 'expr 1 / 0' });
    await call.update('in_progress');
    await turn.log('critical', 'sample.session', `About to exit with code ${code}`, { code });
    const failure = new Error(`The sample agent was asked to crash with exit code ${code}`);
    await written(process.stderr, `Uncaught ${failure.stack ?? failure.message}\n`);
    await written(process.stdout, '');
    process.exit(code);
  },
};

const unknown: Command = {
  name: 'unknown',
  description: "Sends an update and a notification that clients don't know.",
  async run(turn) {
    const { client } = turn.session.connection;
    const sessionId = turn.session.id;
    const update = { sessionUpdate: '_sample_mood', mood: 'curious', confidence: 0.7 };
    await client.notify(methods.client.session.update, { sessionId, update });
    await client.notify('_sample/weather', { sessionId, sky: 'cloudy', celsius: 7 });
    await turn.say('Sent the update "_sample_mood" and the notification "_sample/weather".');
  },
};

const help: Command = {
  name: 'help',
  description: 'Lists the commands.',
  async run(turn) {
    const list = commands.map(({ name, description, hint }) =>
      hint === undefined ? `/${name}: ${description}\n` : `/${name} (${hint}): ${description}\n`,
    );
    await turn.say(`Any text gets a scripted answer. Commands:\n${list.join('')}`);
  },
};

/** All commands: `/help`, `available_commands_update` and the README use this list. */
export const commands: readonly Command[] = [
  levels,
  notice,
  permission,
  subagents,
  slow,
  hang,
  flood,
  stderr,
  error,
  crash,
  unknown,
  help,
];

/** The commands in ACP's form. */
export function availableCommands(): AvailableCommand[] {
  return commands.map(({ name, description, hint }) => ({
    name,
    description,
    ...(hint !== undefined && { input: { hint } }),
  }));
}

/** A parsed prompt. */
export interface Prompt {
  readonly text: string;
  readonly input: string;
  readonly run: Command['run'];
}

/** Finds the command in a prompt. Without one, it is plain text to answer. */
export function parsePrompt(blocks: readonly ContentBlock[]): Prompt {
  const text = blocks.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n');
  const match = /^\s*\/(\S+)\s*([^]*)$/.exec(text);
  const [, name, input = ''] = match ?? [];
  if (name === undefined) return { text, input: text, run: answer };
  const command = commands.find((each) => each.name === name);
  return { text, input, run: command ? (turn) => command.run(turn) : notThere(name) };
}

function notThere(name: string): Command['run'] {
  return async (turn) => {
    await turn.log('warning', 'sample.session', `Unknown command: /${name}`);
    await turn.say(`Unknown command: /${name}. Send /help for a list.`);
  };
}

/** Resolves once the text and everything before it are written, so that exiting doesn't lose them. */
function written(output: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((resolve) => output.write(text, () => resolve()));
}

/** Parses a number that the user typed, between `least` and `most`; `otherwise` if it isn't one. */
function numberOr(
  text: string,
  { least, most, otherwise }: Readonly<Record<'least' | 'most' | 'otherwise', number>>,
): number {
  const value = Number(text.replaceAll(/[\s,_]/g, ''));
  return text.trim() === '' || !Number.isFinite(value) ? otherwise : Math.min(most, Math.max(least, value));
}
