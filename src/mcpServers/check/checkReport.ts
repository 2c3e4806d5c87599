import { markdownCode, markdownText } from '../../text/markdown';
import { oneLine } from '../../text/text';
import type { Translator, Words } from '../../text/translator';
import { displayedIn, english, inEnglish, mapArgs, t } from '../../text/translator';
import type { CheckedServer, CheckSource } from './checkedServer';
import { placeOf } from './checkTarget';
import type { CheckUp } from './checkUp';
import { slotTime } from './checkUp';
import type { PastCalls } from './pastCalls';
import { weightOf } from './rules/checkTools';
import type { Finding, Severity } from './rules/finding';
import { declared } from './rules/listRules';

/** How many tools of a finding are named. */
const maxTools = 8;
/** How many tools have their past calls described. */
const maxPast = 10;
/** How many findings about one server, or about several, are described; the JSON has more. */
const maxFindings = 60;
const maxJsonFindings = 1000;
const maxJsonTools = 200;
/** Of a settings file, in characters. */
const maxPath = 1000;
/** Longer names of tools are cut, in characters. */
const maxName = 200;

const severityWords: Readonly<Record<Severity, Words>> = { error: t('error'), warning: t('warning'), info: t('info') };

/** Whether a server failed, or one of its tools is refused. */
export function hasErrors({ servers, findings }: CheckUp): boolean {
  return servers.some(({ failure }) => failure) || findings.some(({ severity }) => severity === 'error');
}

/** A check-up as Markdown that reads well as plain text, too. The caller redacts its lines. */
export function describeCheckUp(checked: CheckUp, translator: Translator = english): string {
  const say = (words: Words): string => displayedIn(words, translator);
  const { servers, findings, unreadable } = checked;
  const all = servers.reduce((sum, server) => sum + weightOf(server), 0);
  const sections = servers.map((server) => {
    const { label } = server.target;
    const own = findings.filter((finding) => finding.server === label);
    return [`## ${markdownText(label)}`, '', ...serverLines(server, all, say), ...findingsLines(own, say)];
  });
  const common = findings.filter(({ server }) => server === undefined);
  return [
    `# ${say(headline(checked))}`,
    '',
    say(t('All lists of tools take about {0} tokens of a context. Tokens are estimated.', { tokens: all })),
    ...startLines(checked, say),
    ...(unreadable.length > 0 ? [''] : []),
    ...unreadable.map(({ message, file }) => {
      const inMarkdown = (part: string): string =>
        part === file ? markdownCode(part, maxPath) : markdownText(part, { max: 500 });
      return `- ${mark('warning', say)} ${say(mapArgs(message, inMarkdown))}`;
    }),
    ...sections.flatMap((lines) => ['', ...lines]),
    ...(common.length > 0 ? ['', `## ${say(t('Several servers'))}`, ''] : []),
    ...findingsLines(common, say),
    '',
  ].join('\n');
}

/** How servers were started, which their times and lists depend on. */
function startLines({ servers, atOnce, slow }: CheckUp, say: (words: Words) => string): readonly string[] {
  const started = servers.filter(({ source, conduct }) => source.type === 'started' && conduct);
  const [first] = started;
  if (!first) return [];
  const most = Math.min(atOnce, started.filter(({ target }) => target.start.type === 'process').length);
  const names = declared(first.conduct?.clientDeclares);
  return [
    ...(most === 1 ? ['', say(t('Servers were started one at a time, so that none slowed another down.'))] : []),
    ...(most > 1 ? ['', say(t('Up to {0} servers were started at a time, one for each processor core.', most))] : []),
    ...(slow > 0
      ? [
          '',
          say(
            t(
              'Servers that took over {0} didn’t keep the next from starting ({1}): times measured beside them may be longer than usual.',
              { ms: slotTime },
              slow,
            ),
          ),
        ]
      : []),
    '',
    say(
      t(
        'Which tools a server lists may depend on its client. This one declares {0}, but not sampling or elicitation.',
        names,
      ),
    ),
  ];
}

/** A check-up for programs, in English. */
export function checkUpJson({ at, atOnce, servers, findings, unreadable }: CheckUp): object {
  const all = servers.reduce((sum, server) => sum + weightOf(server), 0);
  return {
    at: new Date(at).toISOString(),
    startedAtOnce: atOnce,
    servers: servers.map((server) => {
      const { target, source, failure, startMs, listMs, pingMs, tools, prompts, resources, notes, past, conduct } =
        server;
      const { serverName, serverVersion, protocolVersion } = server;
      const tokens = weightOf(server);
      return {
        name: target.name,
        label: target.label,
        clients: target.clients.map(({ id }) => id),
        file: target.file,
        ok: failure === undefined,
        source: source.type,
        ...('at' in source && { recordedAt: new Date(source.at).toISOString() }),
        ...(failure && { error: englishOf(failure.message), needsLogin: failure.needsLogin === true }),
        ...(failure?.advice && { advice: englishOf(failure.advice) }),
        serverName,
        serverVersion,
        protocolVersion,
        startMs: rounded(startMs),
        listMs: rounded(listMs),
        pingMs: rounded(pingMs),
        ...(conduct?.clientDeclares && { clientDeclares: conduct.clientDeclares.map((one) => oneLine(one, maxName)) }),
        tools: tools.map((tool) => ({ name: oneLine(tool.name, maxName), estimatedTokens: tool.tokens })),
        prompts,
        resources,
        estimatedTokens: tokens,
        share: all === 0 ? 0 : Math.round((1000 * tokens) / all) / 1000,
        notes: notes.map(englishOf),
        ...(past && { past: pastJson(past) }),
      };
    }),
    findings: findings.slice(0, maxJsonFindings).map(({ message, advice, tools, at, ...finding }) => ({
      ...finding,
      ...(at !== undefined && { at: oneLine(at, maxName) }),
      tools: tools.slice(0, maxJsonTools).map((tool) => oneLine(tool, maxName)),
      message: englishOf(message),
      advice: englishOf(advice),
    })),
    unreadable: unreadable.map(({ file, message }) => ({ file, message: englishOf(message) })),
  };
}

function pastJson({ tools, since, ...past }: PastCalls): object {
  return {
    ...past,
    since: new Date(since).toISOString(),
    tools: tools.slice(0, maxJsonTools).map((one) => ({
      ...one,
      tool: oneLine(one.tool, maxName),
    })),
  };
}

/** `MCP servers: 3 checked, 1 failed; errors: 2, warnings: 5`. A server that failed is an error. */
function headline({ servers, findings }: CheckUp): Words {
  const failed = servers.filter(({ failure }) => failure).length;
  const count = (severity: Finding['severity']): number => findings.filter((one) => one.severity === severity).length;
  return t(
    'MCP servers: {0} checked, {1} failed; errors: {2}, warnings: {3}',
    servers.length,
    failed,
    failed + count('error'),
    count('warning'),
  );
}

function serverLines(server: CheckedServer, all: number, say: (words: Words) => string): readonly string[] {
  const { target, failure, serverName, serverVersion, protocolVersion, notes } = server;
  const versions = [
    [serverName, serverVersion].filter((part) => part !== undefined).join(' '),
    protocolVersion === undefined ? '' : `MCP ${protocolVersion}`,
    target.clients.map(({ label }) => label).join(', '),
  ];
  return [
    `- ${versions
      .filter((part) => part !== '')
      .map((part) => markdownText(part, { max: 200 }))
      .join(' · ')}`,
    ...(failure ? [`- ${mark('error', say)} ${sentences(say, failure.message, failure.advice)}`] : []),
    ...sourceLines(server.source, say),
    ...timeLines(server, say),
    ...(failure ? [] : [`- ${say(contents(server, all))}`]),
    ...clientLines(server, say),
    ...notes.map((note) => `- ${markdownText(say(note), { max: 500 })}`),
    ...pastLines(server.past, say),
    `- ${say(t('settings: {0}', markdownCode(placeOf(target), maxPath)))}`,
  ];
}

function sourceLines(source: CheckSource, say: (words: Words) => string): readonly string[] {
  switch (source.type) {
    case 'started':
      return [];
    case 'running':
      return [`- ${say(t('from the recording of the running server, started at {0}', { at: source.at }))}`];
    case 'unknown':
      return [
        `- ${say(t('It has been running since {0}, so it was not started again. Its client asked for no tools so far, or they have changed since.', { at: source.at }))}`,
      ];
    case 'recorded':
      return [`- ${say(recordedWords(source.why, source.at))}`];
    case 'unrecorded':
      return [
        `- ${say(t("No recorded run says which tools it has, and it wasn't started. Check it with `agent-logs check-mcp`."))}`,
      ];
  }
}

function recordedWords(why: Extract<CheckSource, { readonly type: 'recorded' }>['why'], at: number): Words {
  switch (why) {
    case 'asks-user':
      return t('from the recording of the run of {0}, because only its client can start it', { at });
    case 'not-asked':
      return t('from the recording of the run of {0}: it is running, but was not asked for its tools', { at });
    case 'not-started':
      return t('from the recording of the run of {0}, because it was not started', { at });
  }
}

/** What its tools did in recorded runs. */
function pastLines(past: PastCalls | undefined, say: (words: Words) => string): readonly string[] {
  if (!past) return [];
  const { runs, calls, since, tools } = past;
  const more = tools.length - maxPast;
  return [
    `- ${say(t('past calls: {0}, recorded runs: {1}, since {2}', calls, runs, { at: since }))}`,
    ...tools
      .slice(0, maxPast)
      .map(
        ({ tool, calls: count, errors, timeouts, p95 }) =>
          `  - ${quoted(tool)} ${say(t('calls: {0}, errors: {1}, time-outs: {2}, p95: {3}', count, errors, timeouts, { ms: p95 }))}`,
      ),
    ...(more > 0 ? [`  - ${say(t('and {0} more', more))}`] : []),
  ];
}

function timeLines(
  { source, startMs, listMs, pingMs }: CheckedServer,
  say: (words: Words) => string,
): readonly string[] {
  if (startMs === undefined && listMs === undefined) return [];
  return [
    `- ${[
      ...(startMs === undefined
        ? []
        : [source.type === 'started' ? t('started in {0}', { ms: startMs }) : t('took {0} to start', { ms: startMs })]),
      ...(listMs === undefined ? [] : [t('tools listed in {0}', { ms: listMs })]),
      ...(pingMs === undefined ? [] : [t('ping in {0}', { ms: pingMs })]),
    ]
      .map(say)
      .join(', ')}`,
  ];
}

/** The check-up's own client is described once. */
function clientLines({ source, conduct }: CheckedServer, say: (words: Words) => string): readonly string[] {
  if (source.type === 'started' || !conduct?.clientDeclares) return [];
  const names = declared(conduct.clientDeclares);
  return [`- ${markdownText(say(t('listed to a client that declares {0}', names)), { max: 200 })}`];
}

function contents(server: CheckedServer, all: number): Words {
  const { tools, prompts = '?', resources = '?' } = server;
  const tokens = weightOf(server);
  return t(
    'tools: {0}, prompts: {1}, resources: {2}; about {3} tokens, {4} % of all (estimated)',
    server.source.type === 'unknown' || server.source.type === 'unrecorded' ? '?' : tools.length,
    prompts,
    resources,
    { tokens },
    all === 0 ? 0 : Math.round((100 * tokens) / all),
  );
}

function findingsLines(findings: readonly Finding[], say: (words: Words) => string): readonly string[] {
  const more = findings.length - maxFindings;
  return [
    ...findings.slice(0, maxFindings).flatMap((one) => findingLines(one, say)),
    ...(more > 0 ? [`- ${say(t('and {0} more', more))}`] : []),
  ];
}

function findingLines(
  { severity, tools, message, advice, at, by, source }: Finding,
  say: (words: Words) => string,
): readonly string[] {
  const named = tools.slice(0, maxTools).map(quoted);
  const more = tools.length - named.length;
  const where = [...named, ...(more > 0 ? [say(t('and {0} more', more))] : [])].join(', ');
  const place = at === undefined ? '' : ` ${say(t('(first in {0})', markdownCode(at, 100)))}`;
  const known = by === undefined ? '' : ` (${markdownText(`${by}: ${source}`, { max: 400 })})`;
  return [
    `- ${mark(severity, say)} ${sentences(say, message, advice)}${known}${where === '' ? '' : `\n  ${where}${place}`}`,
  ];
}

function sentences(say: (words: Words) => string, message: Words, advice: Words | undefined): string {
  const said = markdownText(say(message), { max: 800 });
  if (!advice) return said;
  return `${said}${/[.!?]$/.test(said) ? '' : '.'} ${markdownText(say(advice), { max: 400 })}`;
}

function mark(severity: Severity, say: (words: Words) => string): string {
  return `**${say(severityWords[severity])}**`;
}

function quoted(tool: string): string {
  return markdownCode(tool, 100);
}

function englishOf(words: Words): string {
  return oneLine(inEnglish(words), 1000);
}

function rounded(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : Math.round(ms);
}
