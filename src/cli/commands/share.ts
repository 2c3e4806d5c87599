import type { ShareFormat } from '../../share/shareFormat';
import { shareFormats } from '../../share/shareFormat';
import { onlyOne, parsed } from '../options';
import type { TerminalCommand } from '../terminalCommand';
import { UsageError } from '../usageError';

const presets = ['full', 'minimal'] as const;

export interface ShareOptions {
  /** A file, or the end of the ID of a session or of a run that a tap recorded. */
  readonly run: string;
  /** What is in the file. */
  readonly preset: (typeof presets)[number];
  readonly format: ShareFormat;
}

const options = { preset: { type: 'string' }, format: { type: 'string' } } as const;

export const share: TerminalCommand<'share', ShareOptions> = {
  name: 'share',
  synopsis: '[options] RUN > FILE',
  options,
  help: `share prints a run as one HTML file: the Log Explorer with its records, messages and turns, to
be opened in a browser; or as Markdown for an issue or a pull request: what went wrong, then its
turns. Secrets are redacted, tokens that may be secrets are cut, and home folders and names of
users and hosts are replaced.

  --format FORMAT    html, or markdown: at most 65,536 characters, as GitHub takes (default: html)
  --preset PRESET    full, or minimal: without prompts, answers, inputs and outputs of tools,
                     bodies of messages, and standard error (default: full)`,
  parse,
  run: async (given, { open }) => (await import('../shareCommand')).share(given, await open()),
};

function parse(words: readonly string[]): ShareOptions {
  const { values, positionals } = parsed(words, options);
  const missing = 'Name the run to share: a file, a saved session, or a run that a tap recorded.';
  const run = onlyOne(positionals, missing, 'run');
  const preset = presets.find((known) => known === (values.preset ?? 'full'));
  if (!preset) throw new UsageError(`There is no preset "${values.preset}". The presets are ${presets.join(' and ')}.`);
  const format = shareFormats.find((known) => known === (values.format ?? 'html'));
  if (!format) {
    throw new UsageError(`There is no format "${values.format}". The formats are ${shareFormats.join(' and ')}.`);
  }
  return { run, preset, format };
}
