import { thresholds } from '../../text/level';
import { protocols } from '../../wire/protocol';

/** The JSON schema of an agent in `agentLogs.agents`. */
export const agentSchema = {
  type: 'object',
  properties: {
    protocol: {
      type: 'string',
      enum: protocols,
      enumDescriptions: protocols.map((name) => `%settings.agents.protocol.${name}%`),
      default: 'acp',
      description: '%settings.agents.protocol%',
    },
    command: {
      type: 'string',
      minLength: 1,
      markdownDescription: '%settings.agents.command%',
    },
    replay: {
      type: 'string',
      minLength: 1,
      markdownDescription: '%settings.agents.replay%',
    },
    args: {
      type: 'array',
      items: {
        type: 'string',
      },
      default: [],
      description: '%settings.agents.args%',
    },
    env: {
      type: 'object',
      additionalProperties: {
        type: ['string', 'null'],
      },
      default: {},
      description: '%settings.agents.env%',
    },
    cwd: {
      type: 'string',
      markdownDescription: '%settings.agents.cwd%',
    },
    url: {
      type: 'string',
      pattern: '^(https?://|\\$\\{)',
      patternErrorMessage: '%settings.agents.url.error%',
      markdownDescription: '%settings.agents.url%',
    },
    headers: {
      type: 'object',
      additionalProperties: {
        type: 'string',
      },
      default: {},
      markdownDescription: '%settings.agents.headers%',
    },
    oauth: {
      type: 'object',
      properties: {
        clientId: {
          type: 'string',
          markdownDescription: '%settings.agents.oauth.clientId%',
        },
        clientSecret: {
          type: 'string',
          markdownDescription: '%settings.agents.oauth.clientSecret%',
        },
        privateKey: {
          type: 'string',
          markdownDescription: '%settings.agents.oauth.privateKey%',
        },
        scope: {
          type: 'string',
          markdownDescription: '%settings.agents.oauth.scope%',
        },
        grant: {
          type: 'string',
          enum: ['authorization_code', 'client_credentials'],
          default: 'authorization_code',
          markdownDescription: '%settings.agents.oauth.grant%',
        },
      },
      markdownDescription: '%settings.agents.oauth%',
    },
    initializationOptions: {
      type: 'object',
      markdownDescription: '%settings.agents.initializationOptions%',
    },
    settings: {
      type: 'object',
      markdownDescription: '%settings.agents.settings%',
    },
    acpVersion: {
      type: 'number',
      enum: [1, 2],
      markdownDescription: '%settings.agents.acpVersion%',
    },
    mcpServers: {
      enum: [false, true, 'watch'],
      default: false,
      markdownDescription: '%settings.agents.mcpServers%',
    },
    level: {
      type: 'string',
      enum: thresholds,
      markdownDescription: '%settings.agents.level%',
    },
  },
  defaultSnippets: [
    {
      label: '%settings.agents.snippet.acp%',
      body: {
        command: '${1:my-agent}',
        args: ['${2:--acp}'],
      },
    },
    {
      label: '%settings.agents.snippet.mcp%',
      body: {
        protocol: 'mcp',
        command: '${1:npx}',
        args: ['-y', '${2:@modelcontextprotocol/server-everything}', 'stdio'],
      },
    },
    {
      label: '%settings.agents.snippet.lsp%',
      body: {
        protocol: 'lsp',
        command: '${1:copilot-language-server}',
        args: ['${2:--stdio}'],
      },
    },
    {
      label: '%settings.agents.snippet.mcp-http%',
      body: {
        protocol: 'mcp',
        url: '${1:http://127.0.0.1:3001/mcp}',
      },
    },
    {
      label: '%settings.agents.snippet.stream-json%',
      body: {
        protocol: 'stream-json',
        command: '${1:claude}',
        args: ['-p', '\\${input:prompt\\}', '--output-format', 'stream-json', '--verbose'],
      },
    },
  ],
  anyOf: [
    {
      required: ['command'],
    },
    {
      required: ['url'],
    },
    { required: ['replay'] },
  ],
};
