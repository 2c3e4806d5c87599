/** The JSON schema of an alert in `agentLogs.alerts`. */
export const alertSchema = {
  type: 'object',
  required: ['when'],
  defaultSnippets: [
    {
      label: '%settings.alerts.snippet.query%',
      body: {
        when: '${1:level:error}',
        notify: true,
      },
    },
    {
      label: '%settings.alerts.snippet.costPerTurn%',
      body: {
        when: {
          costPerTurn: 2,
        },
        notify: true,
      },
    },
    {
      label: '%settings.alerts.snippet.costPerDay%',
      body: {
        when: {
          costPerDay: 20,
        },
        notify: true,
      },
    },
    {
      label: '%settings.alerts.snippet.context%',
      body: {
        when: {
          context: 90,
        },
        notify: true,
      },
    },
    {
      label: '%settings.alerts.snippet.turnMinutes%',
      body: {
        when: {
          turnMinutes: 30,
        },
        notify: true,
      },
    },
    {
      label: '%settings.alerts.snippet.limit%',
      body: {
        when: {
          limit: 80,
        },
        notify: true,
      },
    },
  ],
  properties: {
    when: {
      markdownDescription: '%settings.alerts.when%',
      anyOf: [
        {
          type: 'string',
          minLength: 1,
        },
        {
          type: 'object',
          properties: {
            costPerTurn: {
              type: 'number',
              exclusiveMinimum: 0,
              description: '%settings.alerts.costPerTurn%',
            },
            costPerDay: {
              type: 'number',
              exclusiveMinimum: 0,
              description: '%settings.alerts.costPerDay%',
            },
            context: {
              type: 'number',
              exclusiveMinimum: 0,
              maximum: 100,
              description: '%settings.alerts.context%',
            },
            turnMinutes: {
              type: 'number',
              exclusiveMinimum: 0,
              description: '%settings.alerts.turnMinutes%',
            },
            limit: {
              type: 'number',
              exclusiveMinimum: 0,
              maximum: 100,
              description: '%settings.alerts.limit%',
            },
          },
        },
      ],
      examples: [
        'level:error',
        'is:problem session:*deploy*',
        'logger:deploy "rolled back"',
        {
          costPerTurn: 2,
        },
        {
          context: 90,
        },
      ],
    },
    message: {
      type: 'string',
      maxLength: 500,
      description: '%settings.alerts.message%',
    },
    notify: {
      type: 'boolean',
      default: false,
      description: '%settings.alerts.notify%',
    },
  },
};
