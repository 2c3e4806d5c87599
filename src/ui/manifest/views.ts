import { commandIds } from './commands';
import { contextKeys } from './contextKeys';
import { agentServerProvider, editorViewType, viewId } from './names';

// What the manifest says of views and editors.

export const viewsContainers = {
  activitybar: [
    {
      id: 'agentLogs',
      title: '%views.container%',
      icon: 'media/activity.svg',
    },
  ],
};

export const views = {
  agentLogs: [
    {
      id: viewId,
      name: '%views.sessions%',
      icon: 'media/activity.svg',
    },
  ],
};

export const viewsWelcome = [
  {
    view: viewId,
    contents: '%welcome.untrusted%',
    when: '!isWorkspaceTrusted',
  },
  {
    view: viewId,
    contents: '%welcome.noAgents%',
    when: `isWorkspaceTrusted && !${contextKeys.hasAgents} && !${contextKeys.hasRuns}`,
  },
];

export const walkthroughs = [
  {
    id: 'start',
    title: '%walkthrough.title%',
    description: '%walkthrough.description%',
    steps: [
      {
        id: 'sample',
        title: '%walkthrough.sample.title%',
        description: '%walkthrough.sample.description%',
        media: {
          image: 'media/walkthrough/sample.webp',
          altText: '%walkthrough.sample.picture%',
        },
        completionEvents: [`onCommand:${commandIds.startSampleAgent}`],
      },
      {
        id: 'addAgent',
        title: '%walkthrough.addAgent.title%',
        description: '%walkthrough.addAgent.description%',
        media: {
          image: 'media/walkthrough/addAgent.webp',
          altText: '%walkthrough.addAgent.picture%',
        },
        completionEvents: [`onCommand:${commandIds.addAgent}`],
      },
      {
        id: 'level',
        title: '%walkthrough.level.title%',
        description: '%walkthrough.level.description%',
        media: {
          image: 'media/walkthrough/level.webp',
          altText: '%walkthrough.level.picture%',
        },
        completionEvents: [`onCommand:${commandIds.setLevel}`, `onCommand:${commandIds.setLevelFromTitle}`],
      },
      {
        id: 'problems',
        title: '%walkthrough.problems.title%',
        description: '%walkthrough.problems.description%',
        media: {
          image: 'media/walkthrough/problems.webp',
          altText: '%walkthrough.problems.picture%',
        },
        completionEvents: [
          `onCommand:${commandIds.nextProblem}`,
          `onCommand:${commandIds.openPastRun}`,
          `onCommand:${commandIds.copyReport}`,
          `onCommand:${commandIds.export}`,
          `onCommand:${commandIds.showTermination}`,
        ],
      },
    ],
  },
];

export const jsonValidation = [
  {
    fileMatch: ['agent-logs.checks.json', '*.agent-logs.checks.json'],
    url: './schemas/checks.schema.json',
  },
];

export const customEditors = [
  {
    viewType: editorViewType,
    displayName: 'Agent Logs',
    selector: [
      {
        filenamePattern: '*.ndjson',
      },
      {
        filenamePattern: '*.jsonl',
      },
    ],
    priority: 'option',
  },
];

export const mcpServerDefinitionProviders = [{ id: agentServerProvider, label: 'Agent Logs' }];
