import { thresholds } from '../../text/level';

type TextOrTexts =
  { readonly type: 'string' } | { readonly type: 'array'; readonly items: { readonly type: 'string' } };

/** An object with these numbers. */
interface Numbers {
  readonly type: 'object';
  readonly required: readonly string[];
  readonly additionalProperties: false;
  readonly properties: Readonly<Record<string, { readonly type: 'number'; readonly minimum: 0 }>>;
}

const price = { type: 'number', minimum: 0 } as const;

/** What the manifest says of a setting. Its description is in `package.nls.json`, under `settings.` and its name. */
export interface SettingEntry {
  readonly type: 'boolean' | 'number' | 'string' | 'array' | 'object';
  readonly default: unknown;
  /** The least and the greatest number. */
  readonly min?: number;
  readonly max?: number;
  /** Texts of the values are in `package.nls.json`, under their names. */
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly items?: { readonly type: 'string' };
  readonly additionalProperties?: { readonly type: 'string' } | { readonly anyOf: readonly TextOrTexts[] } | Numbers;
  /** Who may set it: with `machine`, only the user; with `application`, only for all windows. */
  readonly scope: 'window' | 'resource' | 'machine' | 'machine-overridable' | 'application';
  /** An untrusted workspace can't set it: it starts programs, or names files or addresses. */
  readonly isRestricted: boolean;
  /** Whether its description is Markdown. */
  readonly isMarkdown?: boolean;
}

/** Every setting, in the order of the Settings editor. `npm run docs` writes `package.json` and the tables of the documents from it. */
export const settings = {
  agents: { type: 'object', scope: 'machine-overridable', default: {}, isRestricted: true, isMarkdown: true },
  level: { type: 'string', scope: 'window', default: 'info', isRestricted: false, isMarkdown: true, enum: thresholds },
  permissions: {
    type: 'string',
    scope: 'machine-overridable',
    default: 'ask',
    isRestricted: true,
    enum: ['ask', 'reject'],
  },
  'activity.show': { type: 'boolean', scope: 'window', default: true, isRestricted: false },
  'wire.show': { type: 'boolean', scope: 'window', default: false, isRestricted: false },
  'lsp.showMessages': { type: 'boolean', scope: 'window', default: false, isRestricted: false, isMarkdown: true },
  initializeTimeout: {
    type: 'number',
    scope: 'window',
    default: 60,
    isRestricted: false,
    min: 1,
    max: 86_400,
    isMarkdown: true,
  },
  'diagnosis.silence': {
    type: 'number',
    scope: 'window',
    default: 60,
    isRestricted: false,
    min: 5,
    max: 86_400,
    isMarkdown: true,
  },
  'diagnosis.toolSilence': {
    type: 'number',
    scope: 'window',
    default: 1200,
    isRestricted: false,
    min: 5,
    max: 86_400,
    isMarkdown: true,
  },
  alerts: { type: 'array', scope: 'application', default: [], isRestricted: false, isMarkdown: true },
  'attention.after': { type: 'number', scope: 'machine', default: 30, min: 0, max: 86_400, isRestricted: true },
  'attention.command': {
    type: 'array',
    scope: 'machine',
    default: [],
    isRestricted: true,
    isMarkdown: true,
    items: { type: 'string' },
  },
  prices: {
    type: 'object',
    scope: 'machine',
    default: {},
    isRestricted: true,
    isMarkdown: true,
    additionalProperties: {
      type: 'object',
      required: ['input', 'output'],
      additionalProperties: false,
      properties: { input: price, output: price, cachedRead: price, cacheWrite: price },
    },
  },
  'restart.policy': { type: 'string', scope: 'window', default: 'off', isRestricted: true, enum: ['off', 'on-crash'] },
  'redaction.enabled': { type: 'boolean', scope: 'machine', default: true, isRestricted: true, isMarkdown: true },
  'redaction.patterns': {
    type: 'array',
    scope: 'machine',
    default: [],
    isRestricted: true,
    isMarkdown: true,
    items: { type: 'string' },
  },
  'journal.enabled': { type: 'boolean', scope: 'window', default: true, isRestricted: true },
  'journal.maxFileSize': { type: 'number', scope: 'window', default: 64, min: 1, max: 4096, isRestricted: true },
  'journal.maxTotalSize': {
    type: 'number',
    scope: 'machine',
    default: 1024,
    min: 1,
    max: 1_048_576,
    isRestricted: true,
  },
  'journal.maxAge': { type: 'number', scope: 'machine', default: 30, min: 1, max: 3650, isRestricted: true },
  'store.maxMemory': { type: 'number', scope: 'window', default: 28, min: 1, max: 4096, isRestricted: true },
  watch: {
    type: 'array',
    scope: 'resource',
    default: [],
    isRestricted: true,
    isMarkdown: true,
    items: { type: 'string' },
  },
  'savedSessions.show': { type: 'boolean', scope: 'window', default: true, isRestricted: false, isMarkdown: true },
  'savedSessions.folders': {
    type: 'object',
    scope: 'machine-overridable',
    default: {},
    isRestricted: true,
    isMarkdown: true,
    additionalProperties: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
  },
  'savedSessions.keep': { type: 'object', scope: 'machine', default: {}, isRestricted: true, isMarkdown: true },
  'otlp.endpoint': {
    type: 'string',
    scope: 'machine',
    default: '',
    isRestricted: true,
    isMarkdown: true,
    pattern: '^(\\s*$|https?://|\\$\\{)',
  },
  'otlp.headers': {
    type: 'object',
    scope: 'machine',
    default: {},
    isRestricted: true,
    isMarkdown: true,
    additionalProperties: { type: 'string' },
  },
  'otlp.traces': { type: 'boolean', scope: 'machine', default: false, isRestricted: true, isMarkdown: true },
  'otlp.metrics': { type: 'boolean', scope: 'machine', default: false, isRestricted: true, isMarkdown: true },
} as const satisfies Readonly<Record<string, SettingEntry>>;

export type SettingName = keyof typeof settings;
