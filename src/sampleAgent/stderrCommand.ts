import type { Command } from './command';

export const stderrCommand: Command = {
  name: 'stderr',
  description: 'Writes to stderr in the shapes that real agents use.',
  async run(turn) {
    const time = turn.host.clock.now().toISOString();
    const lines = [
      'a plain line without a level',
      JSON.stringify({ level: 'warn', time, msg: 'a JSON line', attempt: 2 }),
      `timestamp=${time} level=ERROR message="a logfmt line" cause="ECONNREFUSED 127.0.0.1:8099"`,
      '[WARN] a line with its level in brackets',
      `${time} DEBUG sample::model: a line as Rust's tracing writes it`,
      'TypeError: a stack of several lines',
      '    at read (/sample/tools.js:12:7)',
      '    at async run (/sample/turn.js:40:3) {',
      "  code: 'ERR_SAMPLE'",
      '}',
      '\u001b[33mwarning:\u001b[0m a line in colour',
    ];
    await turn.host.writeError(lines.map((line) => `${line}\n`).join(''));
    await turn.say(`Wrote ${lines.length} lines to stderr.`);
  },
};
