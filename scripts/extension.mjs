// @ts-check
import { kernelInBundle } from './kernel.mjs';
import { inParts } from './parts.mjs';

/** Parts of libraries that aren't needed. */
export const alias = {
  '@modelcontextprotocol/client/_shims': './scripts/mcpShims.mjs',
  '@modelcontextprotocol/server/_shims': './scripts/mcpShims.mjs',
};

/**
 * How to bundle the extension and the command line, which shares parts with it.
 * @type {import('esbuild').BuildOptions}
 */
export const extension = {
  entryPoints: { extension: 'src/extension.ts', cli: 'src/cli/main.ts' },
  plugins: [
    inParts({
      main: 'extension',
      entry: 'src/extension.ts',
      others: [
        // Small, and needed as soon as the view shows a row.
        { name: 'treeRows', roots: ['src/ui/surfaces/tree/rows/rootRows.ts', 'src/mcpServers/watchMemory.ts'] },
        // What the first lines of journals say, once the view lists past runs.
        {
          name: 'pastRuns',
          leavesDynamic: true,
          roots: ['src/past/files/fileRunInfo.ts', 'src/wire/journal/journalPeek.ts'],
        },
        {
          name: 'runs',
          leavesDynamic: true,
          roots: [
            'src/live/run.ts',
            'src/past/files/fileRun.ts',
            'src/live/connection/publisherConnector.ts',
            'src/wire/journal/journalWriter.ts',
          ],
        },
        { name: 'core', ofBoth: true }, // reads logs and saved sessions
        { name: 'later' },
        { name: 'explorerHost', roots: ['src/ui/surfaces/explorer/explorers.ts', 'src/runs/farRuns.ts'] },
        {
          name: 'otlp',
          roots: ['otlp/otlpSender', 'otlp/engine/sendPastRuns', 'export/otlpTrace'].map(
            (module) => `src/${module}.ts`,
          ),
        },
        {
          name: 'export',
          roots: ['exportMatches', 'exportRun', 'exportTrace'].map((module) => `src/export/${module}.ts`),
        },
        {
          name: 'mcpCheck',
          roots: ['configuredServers', 'check/checkUp', 'check/preparedCheckUp', 'check/checkReport'].map(
            (module) => `src/mcpServers/${module}.ts`,
          ),
        },
        { name: 'mcpServers', roots: ['src/ui/services/mcp/watchServers.ts', 'src/ui/services/mcp/sessionMcp.ts'] },
        { name: 'languageClient', roots: ['src/ui/services/lsp/agentLanguageClient.ts'] },
        {
          name: 'mcp',
          // Client and server have most of the SDK in common.
          roots: [
            ...['http/mcpHttpConnection', 'mcpStdioConnection', 'login/mcpLogin'].map(
              (module) => `src/live/mcp/${module}.ts`,
            ),
            'src/answers/serveAnswers.ts',
          ],
        },
      ],
      second: {
        name: 'cli',
        entry: 'src/cli/main.ts',
        shares: ['treeRows', 'pastRuns', 'runs', 'core', 'later', 'otlp', 'mcp', 'mcpCheck'],
        banner: '#!/usr/bin/env node',
      },
    }),
  ],
  alias,
  define: kernelInBundle,
  mainFields: ['module', 'main'], // ES modules can be tree-shaken
  supported: { 'dynamic-import': false }, // VS Code's proxy settings apply to require('http'), not to import('http')
};
