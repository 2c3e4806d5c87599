import { patternOf } from '../../text/text';
import type { Span } from '../span';

export const personalKinds = ['home', 'user', 'host', 'email'] as const;
export type PersonalKind = (typeof personalKinds)[number];

/** A place that tells who used the agent, and what to write there instead. */
export interface PersonalSpan extends Span {
  readonly kind: PersonalKind;
}

/** The names of a machine. */
export interface PersonalNames {
  readonly users: readonly string[];
  readonly hosts: readonly string[];
}

/** What a home folder becomes. Like the others, it needs no escapes anywhere. */
const home = '~';
const replacements = { home, user: 'user', host: 'host', email: 'email' } as const;

/** Not a person's: accounts of images and runners, and words that are common in any text. */
const common = new Set(
  'root user users username admin administrator ubuntu debian fedora centos alpine arch runner runneradmin node nobody daemon system developer dev vscode codespace coder code gitpod workspace project projects work agent agents build builder app apps test tester testing demo example sample shared public default all linuxbrew git github gitlab docker jenkins circleci home main master data local localhost server host name you your me my someone claude codex gemini copilot cursor opencode goose cline python java rust ruby script scripts source file files temp tmp null true false undefined none'.split(
    ' ',
  ),
);

/** Folders beside those of people. */
const notHomes = new Set(['shared', 'public', 'default', 'linuxbrew', 'all']);

/** A slash or backslash: plain, escaped as in JSON, or percent-encoded. */
const slash = String.raw`(?:\\{0,8}\/|\\{1,8}|%(?:25)?2[fF]|%(?:25)?5[cC])`;
const nameCharacter = String.raw`(?:[^\s\x00-\x1f"'\x60\\/:*?<>|%,;()[\]{}$&#=@!~]|%(?:25)?[89A-Fa-f][\dA-Fa-f])`;
/** A name of several words needs a path after it. */
const nameText = String.raw`${nameCharacter}{1,64}(?: [\w.-]{1,32}){0,2}(?=${slash})|${nameCharacter}{1,64}`;
const drive = String.raw`(?<![A-Za-z])[A-Za-z](?::|%(?:25)?3[aA]|\$)`;
/** Before a home folder: a drive, as Windows, WSL and Git Bash write it, or nothing that would make it part of another path. */
const roots = [
  String.raw`${slash}{1,2}(?:mnt${slash})?[A-Za-z]${slash}{1,2}[uU]sers`,
  String.raw`(?:${drive})${slash}{1,2}[uU]sers`,
  String.raw`(?<![\w.~-])${slash}(?:home|Users)`,
  String.raw`(?<=vscode-remote:\/\/[^\s/"']{1,100})${slash}(?:home|Users)`,
];

/** How Claude Code names the folder of a project: all but letters and digits become dashes. An option may begin like one. */
function dashed(name: string): string {
  const start = '(?:[A-Za-z]--Users|-home|-Users)';
  return String.raw`(?:(?<=[\/\\])${start}-(${name})|(?<![\w-])${start}-(${name})(?=-\w))`;
}

/** The top-level domain is none of the endings that versions and pictures have after an `@`. */
const email = String.raw`(?<![\w.+-])[\w.+-]{1,64}@(?:[A-Za-z0-9](?:[\w-]{0,61})\.){1,6}(?!(?:png|jpe?g|gif|svg|webp|ico|tgz|zip|js|ts|json|css|html?|md|lock)\b)[A-Za-z]{2,24}(?![\w.-]{0,64}@)`;

/** Addresses of services, and those of examples. */
const impersonal =
  /^(?:git|hg|svn|no-?reply|noreply|support|info|hello|security|postmaster)@|@(?:[\w-]+\.)*(?:example\.(?:com|org|net)|example|invalid|test|localhost|users\.noreply\.github\.com)$/i;

/** What may be in a text that has anything personal but a known name. Nearly all texts have none of it. */
const anchor = /home|users|@/i;

/**
 * Finds personal paths and names in texts: home folders however they are written, the names of users and hosts, e-mail addresses. The time
 * it takes grows with the length of the text and no faster.
 */
export class PersonalFinder {
  private readonly homes: RegExp;
  private readonly emails = new RegExp(email, 'g');
  private readonly names: RegExp | undefined;
  private readonly hosts: ReadonlySet<string>;

  constructor(names: PersonalNames = { users: [], hosts: [] }) {
    this.hosts = new Set(names.hosts.filter(isPersonalName).map((one) => one.toLowerCase()));
    const dashedUsers = names.users.map((one) => one.replace(/[^A-Za-z0-9]/g, '-'));
    const users = [...names.users, ...dashedUsers].filter(isPersonalName);
    const inFolder = [
      ...dashedUsers.filter((one) => /^[A-Za-z0-9-]{1,64}$/.test(one)).slice(0, 20),
      String.raw`\w{1,64}`,
    ];
    const ofPath = String.raw`(?:${roots.join('|')})${slash}{1,2}(${nameText})`;
    this.homes = new RegExp(`${ofPath}|${dashed(inFolder.join('|'))}`, 'g');
    // Longer ones first: a host is often named for its user.
    const all = [...new Set([...this.hosts, ...users])].sort((a, b) => b.length - a.length).slice(0, 50);
    const words = all.map(patternOf);
    if (words.length > 0) {
      this.names = new RegExp(String.raw`(?<![A-Za-z0-9])(?:${words.join('|')})(?![A-Za-z0-9])`, 'gi');
    }
  }

  in(text: string): readonly PersonalSpan[] {
    const found: PersonalSpan[] = [];
    if (anchor.test(text)) {
      for (const { 0: path, index, 1: name = '' } of text.matchAll(this.homes)) {
        if (notHomes.has(name.toLowerCase())) continue;
        found.push({ kind: 'home', start: index, end: index + path.length, text: home });
      }
      if (text.includes('@')) {
        for (const { 0: address, index } of text.matchAll(this.emails)) {
          if (!impersonal.test(address)) found.push(spanOf('email', index, address));
        }
      }
    }
    if (!this.names || text.search(this.names) < 0) return found;
    const names = [...text.matchAll(this.names)].map(({ 0: name, index }) =>
      spanOf(this.hosts.has(name.toLowerCase()) ? 'host' : 'user', index, name),
    );
    return [...found, ...outside(names, found)];
  }

  /** The names of people in the paths of a text. */
  usersIn(text: string): readonly string[] {
    if (!anchor.test(text)) return [];
    return [...text.matchAll(this.homes)].flatMap(({ 1: name }) => (name === undefined ? [] : [name]));
  }
}

/** Those that aren't part of a path or an address. */
function outside(names: readonly PersonalSpan[], others: readonly PersonalSpan[]): readonly PersonalSpan[] {
  const sorted = [...others].sort((a, b) => a.start - b.start);
  let next = 0;
  return names.filter(({ start, end }) => {
    while ((sorted[next]?.end ?? Infinity) <= start) next++;
    return (sorted[next]?.start ?? Infinity) >= end;
  });
}

function spanOf(kind: PersonalKind, start: number, text: string): PersonalSpan {
  return { kind, start, end: start + text.length, text: replacements[kind] };
}

/** Whether a name can be replaced wherever it is a word of its own. */
function isPersonalName(name: string): boolean {
  return name.length >= 3 && name.length <= 64 && !common.has(name.toLowerCase()) && !/^\d+$/.test(name);
}
