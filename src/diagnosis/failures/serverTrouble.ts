import { reaches } from '../../text/level';
import { oneLine } from '../../text/text';
import type { SaidLine } from '../../work/facts';
import { isReport } from '../../work/failures/failurePatterns';
import { tellsOfRetry } from '../../work/troubleText';

/** What an agent says about MCP servers that it starts. */
export interface ServerTrouble {
  readonly servers: readonly string[];
  readonly words: string;
}

const maxText = 1000;
const maxWords = 240;
const maxServers = 20;
const quoted = String.raw`['"\x60\u2018\u201c]([^'"\x60\u2019\u201d]{1,80})['"\x60\u2019\u201d]`;
/** A word that may be a name: "MCP server failed" and "MCP server is" have none. */
const word = String.raw`(?!(?:fail|start|connect|is|was|are|has|had|can|could|did|does|not|no|error|timed|and|for|from|to|in|on|of|with|config|process|startup|that|which)\w*\b)([\w.@/-]{1,80})`;
const name = String.raw`(?:${quoted}|${word})`;
/** Codex, Claude Code, Gemini CLI, OpenCode and those that word it like them. */
const patterns = [
  new RegExp(String.raw`\bMCP (?:client|server)s?(?: for(?: remote| local)? server| for| named)? ${quoted}`, 'i'),
  new RegExp(String.raw`\bMCP client for (?:(?:remote|local) )?(?:server )?${name}`, 'i'),
  new RegExp(String.raw`\bmcp: ${name} (?:failed|timed out|cancelled)\b`, 'i'),
  new RegExp(String.raw`\bservice=mcp\b.{0,80}\b(?:key|name|server)=${name}`, 'i'),
  new RegExp(String.raw`\bMCP server ${name}(?:[: ]|$)`, 'i'),
];
/** `MCP startup incomplete (failed: a, b)`, `MCP servers failed to connect: a, b`. */
const listed =
  /\bMCP startup \w+ \((?:failed|timed out): ([^()]{1,500})\)|\bMCP servers? (?:that )?(?:failed|could(?: not|n['’]t))(?: \w+){0,3}: ((?:[\w.@/-]{1,80}, )*[\w.@/-]{1,80})$/i;
/** Words of the start, so that a call that fails isn't trouble of the server. */
const starts =
  /\b(?:start(?:s|ed|ing|[- ]?up)?|initiali[sz]\w*|connect(?:ed|ing|ion)?|handshak\w*|launch\w*|spawn\w*|discover\w*|register\w*|startup_timeout\w*)\b/i;
const fails =
  /\b(?:time[ds]?[- ]?out|fail(?:s|ed|ure)?|could(?: not|n['’]t)|can(?:not|['’]t)|unable|refused|error|exited|crashed|closed|ENOENT|not found|unreachable|gave up|incomplete)\b/i;
const works = /\b(?:connected|ready|initiali[sz]ed|started|listening|registered|loaded|\d+ tools)\b/i;
const ofCall = /\bcall(?:ing|ed|s)?\b|\bdoes not support\b|\bMethod not found\b/i;

/** What a line says about MCP servers that couldn't be started; `undefined` for most lines. */
export function readServerTrouble({ level, logger = '', message, text }: SaidLine): ServerTrouble | undefined {
  if (level !== undefined && !reaches(level, 'warning')) return undefined;
  // Structured lines have the name in fields that aren't part of the message.
  const head = (text.includes(message) ? text : `${logger} ${message}`).slice(0, maxText);
  if (!/mcp/i.test(head) || !fails.test(head) || !starts.test(head)) return undefined;
  if (ofCall.test(head) || tellsOfRetry(head) || isReport(head)) return undefined;
  const servers = serversIn(head);
  return servers.length === 0 ? undefined : { servers, words: oneLine(message, maxWords) };
}

function serversIn(text: string): readonly string[] {
  const [, inParentheses, atEnd] = listed.exec(text) ?? [];
  const names = inParentheses ?? atEnd;
  if (names !== undefined) return names.split(/,\s*/).slice(0, maxServers);
  for (const pattern of patterns) {
    const [, quotedName, plainName] = pattern.exec(text) ?? [];
    const found = quotedName ?? plainName;
    if (found !== undefined) return [found];
  }
  return [];
}

/** Which of the servers a line reports to be ready. */
export function serversReadyIn(text: string, servers: readonly string[]): readonly string[] {
  const head = text.slice(0, maxText);
  if (!works.test(head) || fails.test(head.replace(/\b(?:no|0|without) errors?\b/gi, ''))) return [];
  return servers.filter((server) => server !== '' && head.includes(server));
}
