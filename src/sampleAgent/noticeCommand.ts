import type { Command } from './command';

const notices = [
  { severity: 'info', title: 'A new version of the sample agent is there' },
  { severity: 'warning', title: 'The model was exchanged', description: 'sample-2 is busy; this turn uses sample-1.' },
  { severity: 'error', title: 'An MCP server could not be started', description: 'sample-server: ENOENT' },
];

export const noticeCommand: Command = {
  name: 'notice',
  description: 'Sends three notices (info, warning, error), or says them where the client does not show notices.',
  async run(turn) {
    if (!turn.session.link.notices) {
      for (const { title, description } of notices) {
        await turn.say(description === undefined ? `**${title}**\n` : `**${title}**: ${description}\n`);
      }
      return;
    }
    for (const notice of notices) await turn.session.update({ sessionUpdate: 'notice', ...notice });
    await turn.say(`Sent ${notices.length} notices.`);
  },
};
