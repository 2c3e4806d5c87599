// @ts-check
// The house: every room of `src`, the question it answers, and what it may import. ESLint, a unit test and ARCHITECTURE.md take it from here;
// as a program, it checks the sizes (`npm run rooms`).
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

/**
 * @typedef {object} Room
 * @property {number} floor Lower floors may be imported.
 * @property {string} question The question that its code answers.
 * @property {readonly string[]} [beside] Rooms of the same floor that it may import.
 * @property {readonly string[]} [only] Narrows the rooms that it may import to these.
 * @property {readonly string[]} [inside] Its folders, if they have floors of their own, from the lowest up.
 * @property {RegExp} [packages] The modules of Node.js and npm that it may import. Without it: none.
 */

const node = /^node:/;

/** @type {Readonly<Record<string, Room>>} */
export const rooms = {
  kernel: { floor: 0, question: 'What is in these bytes?' },
  text: {
    floor: 0,
    question: 'How are values cut, worded and formatted, and what is a record?',
    beside: ['kernel'],
  },
  time: { floor: 0, question: 'How long may something take?', packages: /^vscode-jsonrpc\/node$/ },
  redact: { floor: 1, question: 'What is secret?' },
  query: { floor: 1, question: 'What does a filter mean?' },
  store: { floor: 2, question: 'Where are records kept?' },
  machine: { floor: 3, question: 'What do the file system and the process table say?', packages: node },
  wire: { floor: 4, question: 'Which messages do the bytes contain?', packages: /^(node:|vscode-jsonrpc)/ },
  work: { floor: 5, question: 'What did the agent do, and how did each step end?' },
  protocols: {
    floor: 6,
    question: 'What does a message of this protocol say?',
    packages: /^@agentclientprotocol\/sdk$/,
  },
  agents: { floor: 7, question: "What is this vendor's way?" },
  timeline: { floor: 8, question: 'When did it happen, and for how long?' },
  diagnosis: { floor: 9, question: 'What went wrong, and what helps?', packages: /^@agentclientprotocol\/sdk$/ },
  runLog: { floor: 10, question: 'What is known of one run?' },
  matches: { floor: 11, question: 'Which records match?' },
  live: {
    floor: 12,
    question: 'How is an agent started, connected and stopped?',
    packages: /^(node:|vscode-jsonrpc|@agentclientprotocol\/sdk$|@modelcontextprotocol\/client)/,
  },
  past: {
    floor: 12,
    question: 'How are journals, files and saved sessions found and read?',
    packages: /^(node:|vscode-jsonrpc|jsonc-parser$)/,
  },
  alerts: { floor: 13, question: 'What does the user want to hear of?', packages: node },
  explorer: { floor: 13, question: 'What does the Log Explorer show?' },
  otlp: { floor: 13, question: 'How do records and spans get to a collector?', packages: /^(node:|@opentelemetry\/)/ },
  export: {
    floor: 13,
    question: 'How does a run become a file?',
    beside: ['otlp'],
    packages: /^(node:|@opentelemetry\/|vscode-jsonrpc)/,
  },
  runs: {
    floor: 13,
    question: 'Which runs are there, and what can be done with them?',
    beside: ['alerts'],
    packages: /^jsonc-parser$/,
  },
  search: { floor: 13, question: 'In which sessions does it say that?', beside: ['runs'], packages: node },
  mcpServers: {
    floor: 13,
    question: 'Which MCP servers are configured, and do they work?',
    packages: /^(node:|vscode-jsonrpc|jsonc-parser$|toml-eslint-parser$)/,
  },
  share: {
    floor: 13,
    question: 'What leaves in a shared file?',
    beside: ['explorer'],
    packages: /^(node:|vscode-jsonrpc)/,
  },
  answers: {
    floor: 13,
    question: 'What does an agent get to read of runs?',
    beside: ['runs'],
    packages: /^(node:stream$|vscode-jsonrpc\/node$|@modelcontextprotocol\/server(\/stdio)?$)/,
  },
  ui: {
    floor: 14,
    question: 'How does VS Code show it?',
    inside: ['manifest', 'kit', 'services', 'surfaces'],
    packages: /^(node:|vscode$|vscode-languageclient\/node$|jsonc-parser$)/,
  },
  cli: { floor: 14, question: 'How does the terminal show it?', packages: node },
  explorerPage: {
    floor: 14,
    question: "What does the explorer's page draw?",
    only: ['text', 'query', 'work', 'timeline', 'runLog', 'explorer', 'share'],
    packages: /^(preact(\/hooks)?$|@vscode\/codicons\/)/,
  },
  sharedPage: {
    floor: 15,
    question: 'How does a shared file answer its own page?',
    only: [
      'text',
      'time',
      'query',
      'store',
      'work',
      'timeline',
      'runLog',
      'matches',
      'explorer',
      'share',
      'explorerPage',
    ],
    packages: /^(preact(\/hooks)?$|@vscode\/codicons\/)/,
  },
  sampleAgent: {
    floor: 0,
    question: 'What does a small agent that logs look like?',
    only: [],
    packages: /^(node:|zod|@agentclientprotocol\/sdk$)/,
  },
};

/** No room may have a larger part of the source, in percent. */
const maxShare = 15;
/** No folder may have more files. */
const maxFiles = 20;

const source = resolve(import.meta.dirname, '../src');

/**
 * The room of a file, or `undefined` outside of all.
 * @param {string} file an absolute path
 */
export function roomOf(file) {
  const [room, ...rest] = relative(source, file).split(sep);
  return room && room !== '..' && rest.length > 0 ? room : undefined;
}

/**
 * Says why a file may not import a module; `undefined` if it may.
 * @param {string} file an absolute path
 * @param {string} module as in the import
 */
export function wrongImport(file, module) {
  const from = roomOf(file);
  if (from === undefined) return undefined;
  const room = rooms[from];
  if (!room) return `src/${from} is no room: give it a row in scripts/rooms.mjs.`;
  if (!module.startsWith('.')) {
    return room.packages?.test(module) ? undefined : `${from} doesn't import ${module} ("${room.question}").`;
  }
  const to = roomOf(resolve(dirname(file), module));
  if (to === undefined) return undefined; // package.json, for its version
  if (to === from) return wrongInside(from, room, folderOf(file), folderOf(resolve(dirname(file), module)));
  const target = rooms[to];
  const allowed =
    target && (target.floor < room.floor || room.beside?.includes(to)) && (!room.only || room.only.includes(to));
  return allowed ? undefined : `${from} doesn't import ${to}: imports go down the floors of scripts/rooms.mjs.`;
}

/**
 * @param {string} name
 * @param {Room} room
 * @param {string} from a folder of the room
 * @param {string} to another
 */
function wrongInside(name, { inside = [] }, from, to) {
  if (!inside.includes(from) || inside.indexOf(to) <= inside.indexOf(from)) return undefined;
  return `${name}/${from} doesn't import ${name}/${to}: ${inside.join(' < ')}.`;
}

/** @param {string} file an absolute path */
function folderOf(file) {
  return relative(source, file).split(sep)[1] ?? '';
}

/**
 * An ESLint rule: imports go through the doors.
 * @type {import('eslint').Rule.RuleModule}
 */
export const door = {
  create(context) {
    /** @param {import('eslint').Rule.Node & { source?: { type: string, value?: unknown } | null | undefined }} node */
    const check = (node) => {
      const module = node.source?.type === 'Literal' ? node.source.value : undefined;
      const message = typeof module === 'string' && wrongImport(context.filename, module);
      if (message) context.report({ node, message });
    };
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
    };
  },
};

/** Files with source code, below `src`. */
export function sourceFiles() {
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => join(source, file));
}

/** What is too large. */
export function tooLarge() {
  /** @type {Map<string, number>} */
  const lines = new Map();
  /** @type {Map<string, number>} */
  const files = new Map();
  for (const file of sourceFiles()) {
    const room = roomOf(file) ?? '';
    lines.set(room, (lines.get(room) ?? 0) + readFileSync(file, 'utf8').split('\n').length - 1);
    files.set(dirname(file), (files.get(dirname(file)) ?? 0) + 1);
  }
  const all = [...lines.values()].reduce((sum, count) => sum + count, 0);
  return [
    ...[...lines]
      .filter(([, count]) => (100 * count) / all > maxShare)
      .map(([room, count]) => `${room} has ${((100 * count) / all).toFixed(1)} % of src, more than ${maxShare}.`),
    ...[...files]
      .filter(([, count]) => count > maxFiles)
      .map(([folder, count]) => `${relative(dirname(source), folder)} has ${count} files, more than ${maxFiles}.`),
  ];
}

/** The rooms as a table of ARCHITECTURE.md, from the highest floor down. */
export function roomTable() {
  const rows = Object.entries(rooms).filter(([, { only }]) => only?.length !== 0);
  return [
    '| Floor | Room | Answers |',
    '|---|---|---|',
    ...rows
      .toSorted(([, a], [, b]) => b.floor - a.floor)
      .map(([name, { floor, question }]) => `| ${floor} | `.concat('`src/', name, '/` | ', question, ' |')),
  ].join('\n');
}

if (process.argv[1] === import.meta.filename) {
  const found = tooLarge();
  for (const line of found) console.error(line);
  process.exitCode = found.length > 0 ? 1 : 0;
}
