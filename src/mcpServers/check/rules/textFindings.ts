import { oneLine, plainText, withEscapes } from '../../../text/text';
import { textOf } from '../../../text/json';
import type { Words } from '../../../text/translator';
import { t } from '../../../text/translator';
import type { Finding, Severity } from './finding';
import type { ListedTool, ListingServer } from './listedTool';
import { entries } from './schemaNodes';

/** Longer texts are read so far, and so many of one tool. */
const maxText = 100_000;
const maxTexts = 20_000;

/** Instructions to the model in a text that should only describe. */
interface Instruction {
  readonly pattern: RegExp;
  readonly severity: Severity;
}

const instructions: readonly Instruction[] = [
  // Ignore all previous instructions
  {
    pattern:
      /\b(?:ignore|disregard|forget|override)\s{1,9}(?:(?:all|any|the|your|of|these|those|my)\s{1,9}){0,4}(?:previous|prior|earlier|above|preceding|other|system)\b[^.\n]{0,40}/i,
    severity: 'error',
  },
  // Do not tell the user
  {
    pattern:
      /\b(?:do not|don['’]t|never|must not|should not)\s{1,9}(?:tell|inform|mention|reveal|notify|alert|show|ask|warn|disclose)\b[^.\n]{0,40}\buser\b/i,
    severity: 'error',
  },
  {
    pattern:
      /\bwithout\s{1,9}(?:telling|informing|notifying|asking|mentioning|alerting|warning)\b[^.\n]{0,30}\buser\b/i,
    severity: 'error',
  },
  // <IMPORTANT>, but not <secret-name>
  {
    pattern:
      /<\s{0,3}\/?(?:important|system|instructions?|secret|hidden|admin|critical)\s{0,3}(?:[:!][^<>\n]{0,40}|[\w-]{1,20}=[^<>\n]{0,40})?>/i,
    severity: 'error',
  },
  // Files that hold keys
  {
    pattern: /(?:~|\$HOME|\/home|\/root)?\/?\.ssh\/[\w.]{0,20}|\bid_(?:rsa|ed25519)\b|\/etc\/(?:passwd|shadow)\b/i,
    severity: 'error',
  },
  // Always call this tool first
  {
    pattern:
      /\b(?:always|must)\s{1,9}(?:first\s{1,9})?(?:call|use|invoke|run)\s{1,9}(?:this|the)\s{1,9}(?:tool|function)\b[^.\n]{0,40}\b(?:before|first|instead)\b/i,
    severity: 'warning',
  },
];

/** Missing descriptions, hidden characters, and instructions to the model. */
export function textFindings(server: ListingServer): readonly Finding[] {
  const { label, tools, instructions: general } = server;
  const own = general === undefined ? [] : suspicious([general], label, []);
  return [...own, ...tools.flatMap((tool) => ofTool(tool, label)), ...undescribedArguments(server)];
}

function ofTool(tool: ListedTool, server: string): readonly Finding[] {
  const { name, title, description = '' } = tool;
  const inSchema = tool.nodes.flatMap(({ schema }) => [
    ...['title', 'description', '$comment', 'default'].flatMap((field) => textOf(schema[field]) ?? []),
    ...entries(schema['properties']).map(([key]) => key),
    ...(Array.isArray(schema['enum']) ? schema['enum'] : []).filter(
      (value): value is string => typeof value === 'string',
    ),
  ]);
  const found = suspicious([name, ...(title === undefined ? [] : [title]), description, ...inSchema], server, [name]);
  if (plainText(description).trim() !== '') return found;
  return [
    ...found,
    {
      severity: 'warning',
      code: 'no-description',
      server,
      tools: [name],
      message: t('Without a description, models must guess what the tool is for'),
      advice: t('Say in `description` what the tool does, and when to use it.'),
    },
  ];
}

function suspicious(texts: readonly string[], server: string, tools: readonly string[]): readonly Finding[] {
  const read = texts.slice(0, maxTexts).map((text) => text.slice(0, maxText));
  const hidden = read.map(hiddenIn).find((words) => words !== undefined);
  const found = read.flatMap((text) => {
    const visible = plainText(text);
    return instructions.flatMap(({ pattern, severity }) => {
      const match = pattern.exec(visible)?.[0];
      return match === undefined ? [] : [{ severity, match }];
    });
  });
  const worst = found.find(({ severity }) => severity === 'error') ?? found[0];
  const advice = t(
    'Read the whole text before you use this server. If you wrote it, describe only what the tool does.',
  );
  const place = { server, tools };
  return [
    ...(hidden
      ? [{ ...place, severity: 'error' as const, code: 'hidden-characters' as const, message: hidden, advice }]
      : []),
    ...(worst
      ? [
          {
            ...place,
            severity: worst.severity,
            code: 'instructions' as const,
            message: t('The text tells the model what to do: "{0}"', oneLine(worst.match, 100)),
            advice,
          },
        ]
      : []),
  ];
}

/** Which characters a text hides, with what is around them. */
function hiddenIn(text: string): Words | undefined {
  const lines = text.replaceAll('\r\n', '\n');
  const escaped = withEscapes(lines);
  if (escaped === lines) return undefined;
  let at = 0;
  while (escaped.charAt(at) === lines.charAt(at)) at++;
  const around = oneLine(escaped.slice(Math.max(0, at - 20), at + 30), 60);
  if (/[\u{e0000}-\u{e007f}]/u.test(lines)) return t('Hidden tag characters, which models can read: "{0}"', around);
  if (/[\u202a-\u202e\u2066-\u2069]/.test(lines)) return t('Hidden characters that reverse text: "{0}"', around);
  return t('Hidden characters: "{0}"', around);
}

function undescribedArguments({ label, tools }: ListingServer): readonly Finding[] {
  const all = tools.flatMap((tool) =>
    entries(tool.nodes[0]?.schema['properties']).map(([, value]) => ({ tool: tool.name, value })),
  );
  const bare = all.filter(({ value }) =>
    entries(value).every(([field, text]) => field !== 'description' || text === ''),
  );
  if (bare.length === 0) return [];
  return [
    {
      severity: 'info',
      code: 'no-description',
      server: label,
      tools: [...new Set(bare.map(({ tool }) => tool))],
      message: t('{0} of {1} arguments have no description', bare.length, all.length),
      advice: t('Say in `description` what an argument means, and its form.'),
    },
  ];
}
