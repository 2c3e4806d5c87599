import { savers } from '../../agents/agents';
import { keepAges, keepSizes } from '../../past/saved/kept/keepSetting';

/** The JSON schema of `agentLogs.savedSessions.keep`. */
export const keepSchema = {
  additionalProperties: false,
  defaultSnippets: [{ label: '%settings.savedSessions.keep.snippet%', body: { agents: ['claude'] } }],
  properties: {
    agents: {
      type: 'array',
      items: { enum: savers.map(({ id }) => id) },
      description: '%settings.savedSessions.keep.agents%',
    },
    age: {
      type: 'number',
      minimum: keepAges.min,
      maximum: keepAges.max,
      description: '%settings.savedSessions.keep.age%',
    },
    maxSize: {
      type: 'number',
      minimum: keepSizes.min,
      maximum: keepSizes.max,
      default: keepSizes.default,
      description: '%settings.savedSessions.keep.maxSize%',
    },
  },
} as const;
