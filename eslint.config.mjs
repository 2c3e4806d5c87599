// @ts-check
// Typed lint. The import directions between the floors of the house (see ARCHITECTURE.md) are errors here.
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

/**
 * Lets the files of one floor import only what matches `allowed`.
 * @param {string} files
 * @param {string} allowed a regular expression over the import's text
 * @param {string} message
 * @returns {import('eslint').Linter.Config}
 */
function floor(files, allowed, message) {
  return {
    files: [files],
    rules: {
      'no-restricted-imports': ['error', { patterns: [{ regex: `^(?!${allowed})`, message }] }],
    },
  };
}

export default defineConfig(
  globalIgnores([
    'dist/',
    'out/',
    'node_modules/',
    '.vscode-test/',
    '.agents/',
    'screenshots/',
    'test/otherExtension/',
  ]),
  tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      curly: ['error', 'multi-line'],
      eqeqeq: 'error',
      'no-console': 'error',
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
      'no-restricted-syntax': [
        'error',
        {
          selector:
            'CallExpression[callee.property.name=/^replace(All)?$/][arguments.length=2][arguments.1.type!=/^(Literal|ArrowFunctionExpression)$/]',
          message:
            'A replacement text may have patterns ($&, $`) in it, which repeat what surrounds the match: pass `() => text`.',
        },
      ],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports' }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/prefer-readonly': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
    },
  },
  floor('src/log/*.ts', '\\./', 'Floor 0 (log) imports nothing but itself.'),
  floor('src/log/*/**', '(\\./|\\.\\./(?!\\.\\./))', 'Floor 0 (log) imports nothing but itself.'),
  floor(
    'src/wire/**',
    '(\\./|(\\.\\./)+(?!work/|agents/|protocols|diagnosis|timeline|runs|ui|extension|sampleAgent|tap/)|node:|vscode-jsonrpc)',
    'Floor 1 (wire) imports log, node and vscode-jsonrpc.',
  ),
  floor(
    'src/work/**',
    '(\\./|(\\.\\./)+(?!wire/(?!wireEvent$)|agents/|protocols|diagnosis|timeline|runs|ui|extension|sampleAgent|tap/))',
    'Floor 2 (work) is pure: it imports log and the types of wire events.',
  ),
  floor(
    'src/protocols/**',
    '(\\./|(\\.\\./)+(?!wire/(?!wireEvent$)|diagnosis|timeline|runs|ui|extension|sampleAgent|tap/)|@agentclientprotocol/sdk$)',
    'Floor 3 (protocols) is pure: it imports work, log, the types of wire events and of the protocols.',
  ),
  floor(
    'src/agents/*.ts',
    '(\\./|\\.\\./(log|work|protocols)/)',
    'The list of agents imports their rooms, protocols, work and log.',
  ),
  floor(
    'src/agents/*/**',
    '(\\./|\\.\\./[a-z]\\w*$|(\\.\\./)+((log|work|protocols)/|wire/wireEvent$|[a-z]\\w*$))',
    "An agent's room is pure, and imports no other room: protocols, work, log and the types of agents.",
  ),
  floor(
    'src/diagnosis/**',
    '(\\./|(\\.\\./)+(?!wire/(?!wireEvent$)|timeline|runs|ui|extension|sampleAgent|tap/)|@agentclientprotocol/sdk$)',
    'Floor 4 (diagnosis) is pure: it imports protocols, work and log.',
  ),
  floor(
    'src/timeline/**',
    '(\\./|(\\.\\./)+(?!wire/(?!wireEvent$)|diagnosis|runs|ui|extension|sampleAgent|tap/))',
    'Floor 4 (timeline) is pure: it imports protocols, work and log.',
  ),
  floor(
    'src/runs/**',
    '(\\./|(\\.\\./)+(?!ui/|extension|sampleAgent|tap/)|node:|vscode-jsonrpc|@agentclientprotocol/sdk$|@modelcontextprotocol/client|@opentelemetry/|jsonc-parser$|toml-eslint-parser$)',
    'Floor 5 (runs) imports diagnosis, timeline, protocols, work, wire, log, node, vscode-jsonrpc, the MCP client, OpenTelemetry and parsers of settings, never vscode.',
  ),
  floor(
    'src/ui/**',
    '(\\./|(\\.\\./)+(?!extension|sampleAgent|tap)|node:|vscode$|vscode-languageclient/node$|jsonc-parser$)',
    'Floor 6 (ui) imports the floors below it, vscode, vscode-languageclient and jsonc-parser.',
  ),
  floor(
    'src/tap/**',
    '(\\./|\\.\\./(\\.\\./)?(log|wire|work|agents|protocols|diagnosis|timeline|runs|check|relay|replay|journal|tail|tap)/|\\.\\./[a-z]+[A-Z]?[A-Za-z]*$|\\.\\./\\.\\./package\\.json$|node:)',
    'The tap stands apart: it imports log, wire, work, protocols, timeline and the reading of files, and nothing from npm.',
  ),
  floor(
    'src/explorerPage/**',
    '(\\./|(\\.\\./)+(?!log/|ui/|wire|work/|protocols|diagnosis|timeline|runs|extension|sampleAgent|tap/)|(\\.\\./)+log/(query/|(level|record|translator)$)|(\\.\\./)+runs/explorer/(wire/wireMessages|turns/turnMessages|page/(messages|pageState))$|(\\.\\./)+(runs/share/review/messages|timeline/toolTimes)$|preact(/hooks)?$|@vscode/codicons/)',
    'The page of the explorer runs in a webview: it imports the query language, types, and Preact.',
  ),
  floor(
    'src/sharedPage/**',
    '(\\./|\\.\\./(explorerPage|log|timeline)/|\\.\\./runs/(explorer/(?!regexWorker$|runQuery$)|share/shared(File|Run)$|(logGroup|runProblems|runView|timers)$)|preact(/hooks)?$|@vscode/codicons/)',
    'The page of a shared run has no Node: it imports the explorer, its page, and the types of shared runs.',
  ),
  {
    // Whatever an agent wrote is text there.
    files: ['src/explorerPage/**', 'src/sharedPage/**'],
    rules: {
      'no-restricted-properties': [
        'error',
        ...['innerHTML', 'outerHTML', 'insertAdjacentHTML', 'srcdoc'].map((property) => ({
          property,
          message: 'Agent text is shown by text nodes only.',
        })),
      ],
      'no-restricted-syntax': [
        'error',
        {
          selector: 'JSXAttribute[name.name=/^(dangerouslySetInnerHTML|innerHTML|style|href|src)$/]',
          message: 'No markup from data, no style attributes (the policy forbids them), no links.',
        },
      ],
    },
  },
  floor('src/sampleAgent/**', '(\\./|node:|zod|@agentclientprotocol/sdk$)', 'The sample agent stands apart.'),
  {
    // The types of the SDK only: its connection drops unknown updates, and would double the size of the extension.
    files: ['src/protocols/**', 'src/runs/**'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        { paths: [{ name: '@agentclientprotocol/sdk', allowTypeImports: true, message: 'Types only.' }] },
      ],
    },
  },
  {
    files: ['test/**', 'bench/**', 'scripts/**', '*.mjs'],
    rules: {
      'no-console': 'off',
      'max-lines-per-function': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
);
