import type { Words } from '../../text/translator';
import { t } from '../../text/translator';

/** A runtime or compiler that is too old for the program. */
export interface OldRuntime {
  readonly short: Words;
  readonly advice: Words;
}

/** How one says so. Groups: `needs` and `has` are versions, `name` the runtime if the pattern is for several. */
interface Sign {
  readonly runtime: string;
  readonly pattern: RegExp;
  /** Converts a version, such as that of a class file. */
  readonly version?: (version: string) => string;
}

const maxText = 8000;
/** Major versions of Node.js from which its syntax errors are those of the program. */
const currentNode = 22;
/** What Node.js says of programs for newer versions: of their syntax, but not of JSON, and of what it lacks. */
const unknownToNode = [
  String.raw`\bSyntaxError: (?:Unexpected|Invalid)\b(?!.*\bJSON\b)`,
  String.raw`\bSyntaxError: The requested module '(?:node:|(?:fs|module|os|path|process|stream|util|url)\b)`,
  String.raw`\bERR_(?:UNKNOWN_BUILTIN_MODULE|REQUIRE_ESM|IMPORT_A\w+)\b`,
  String.raw`\b(?:Blob|BroadcastChannel|CustomEvent|File|FormData|Headers|ReadableStream|Request|Response|WebSocket|crypto|fetch|navigator|structuredClone) is not defined\b`,
].join('|');
const number = String.raw`v?(?:\^|~|>=?\s*)?\d+(?:\.\d+)*(?:\+|\.x)?`;

const signs: readonly Sign[] = [
  {
    runtime: 'Java',
    pattern:
      /class file version (?<needs>\d{2})(?:\.\d)?\)?[^]{0,120}(?:up to|supports?) (?:class file versions? )?(?:up to )?(?<has>\d{2})/,
    version: (version) => String(Number(version) - 44),
  },
  { runtime: 'Java', pattern: /\bUnsupportedClassVersionError\b/ },
  {
    runtime: '.NET',
    pattern:
      /\b(?:You must install(?: or update)? \.NET|compatible framework version)[^]{0,600}?\bversion '(?<needs>[\d.]+)'(?:[^]{0,600}?\bfound:\s+(?<has>\d[\d.]*) at )?/,
  },
  {
    runtime: 'Node.js',
    pattern: new RegExp(
      String.raw`\bnpm (?:error|ERR!) (?:notsup|engine)[^]{0,600}?"node":\s*"(?<needs>[^"]{1,40})"(?:[^]{0,300}?"node":\s*"(?<has>[^"]{1,20})")?`,
    ),
  },
  {
    runtime: 'Node.js',
    pattern:
      /\bengine "?node"? is incompatible\b.{0,120}Expected version "(?<needs>[^"]{1,40})"\. Got "(?<has>[^"]{1,20})"/i,
  },
  {
    runtime: 'Node.js',
    // npm only warns; without such an error after it, something else is wrong.
    pattern: new RegExp(
      String.raw`\brequired: \{ node: '(?<needs>[^']{1,40})' \}[^]{0,200}\bcurrent: \{ node: '(?<has>[^']{1,20})'[^]*(?:${unknownToNode}|\bis not (?:a function|a constructor|defined)\b)`,
    ),
  },
  {
    runtime: 'Node.js',
    pattern: new RegExp(String.raw`(?:${unknownToNode})[^]{0,3000}\nNode\.js v(?<has>\d+\.\d+\.\d+)`),
  },
  {
    runtime: 'Python',
    pattern:
      /\bRequires-Python (?<needs>[<>=!~]=?[\d.*,<>=!~ ]{1,30})|\brequires (?:a )?(?:different )?Python:? ?['"]?(?:(?<has>\d[\d.]*) not in )?['"]?(?<needs2>[<>=~]=?[\d.,<>=~* ]{1,30})/i,
  },
  { runtime: 'Go', pattern: /\brequires go ?>= ?(?<needs>\d[\d.]*) \(running go ?(?<has>\d[\d.]*)/ },
  {
    runtime: 'Rust',
    pattern: /\brequires rustc (?<needs>\d[\d.]*)(?: or newer)?.{0,80}?(?:version is |rustc )(?<has>\d[\d.]*)/,
  },
  { runtime: 'glibc', pattern: /\bversion [`'"](?:GLIBC|GLIBCXX)_(?<needs>[\d.]+)' not found/ },
  ...(['Node.js', 'Python', 'Java', '.NET', 'Deno', 'Bun', 'Ruby', 'PHP'] as const).map((runtime) => ({
    runtime,
    pattern: new RegExp(
      String.raw`\b(?:requires?|needs?)(?<!(?:\bwill |(?:warn|deprecat).{0,200}\b)\w{4,8})(?: at least)?(?: an?)?(?: newer)? (?:${runtime === 'Node.js' ? String.raw`Node(?:\.js|JS)?` : runtime.split('.').join(String.raw`\.?`)})(?: version)?(?: of)? ?(?<needs>${number})(?:[^]{0,120}?\b(?:running|current(?:ly)?|found|have|using|is|got)\W{1,3}(?:\w+ ){0,2}?v?(?<has>\d+(?:\.\d+)*))?`,
      'i',
    ),
  })),
];

/** What a process that ended said about its runtime being too old. @param printed on standard error */
export function runtimeTooOld(printed: string): OldRuntime | undefined {
  const text = printed.slice(-maxText);
  for (const { runtime, pattern, version = String } of signs) {
    const groups = pattern.exec(text)?.groups;
    if (!groups && !pattern.test(text)) continue;
    const needs = groups?.['needs'] ?? groups?.['needs2'];
    const has = groups?.['has'];
    const isCurrent = runtime === 'Node.js' && needs === undefined && parseInt(has ?? '', 10) >= currentNode;
    if (!isCurrent) return described(runtime, needs && version(needs.trim()), has && version(has));
  }
  return undefined;
}

function described(runtime: string, needs: string | undefined, has: string | undefined): OldRuntime {
  const short = t('{0} too old', runtime);
  if (needs === undefined) {
    const found = has === undefined ? runtime : `${runtime} ${has}`;
    return {
      short,
      advice: t('{0} is probably too old for it: install a newer version, and start it with that.', found),
    };
  }
  const needed = `${runtime} ${needs}`;
  return {
    short,
    advice:
      has === undefined
        ? t('It needs {0}, which is newer than what runs it: install that, and start it with that.', needed)
        : t('It needs {0}, but runs with {1}: install a newer version, and start it with that.', needed, has),
  };
}
