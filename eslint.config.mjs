// @ts-check
// Typed lint, and the doors between the rooms of `src` (scripts/rooms.mjs).
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';
import { door } from './scripts/rooms.mjs';

export default defineConfig(
  globalIgnores([
    'dist/',
    'out/',
    'node_modules/',
    '.vscode-test/',
    '.agents/',
    'screenshots/',
    'test/otherExtension/',
    'src/kernel/assembly/',
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
  {
    files: ['src/**'],
    plugins: { rooms: { rules: { door } } },
    rules: { 'rooms/door': 'error' },
  },
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
  {
    // The types of the SDK only: its connection drops unknown updates, and would double the size of the extension.
    files: ['src/protocols/**', 'src/diagnosis/**', 'src/live/**'],
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
