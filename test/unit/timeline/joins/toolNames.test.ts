import assert from 'node:assert/strict';
import { matchName } from '../../../../src/timeline/joins/toolNames';

describe('matchName', () => {
  const long = 'a_tool_with_a_very_long_name_that_does_not_fit';
  const names: readonly (readonly [name: string, server: string, tool: string, match: string | undefined])[] = [
    ['mcp__everything__echo', 'everything', 'echo', 'server'],
    ['mcp__my-server__get.file', 'my-server', 'get.file', 'server'],
    ['mcp__my_server__get_file', 'my-server', 'get.file', 'server'],
    ['mcp__plugin_tools_memory__read_graph', 'memory', 'read_graph', 'server'],
    ['everything_echo', 'everything', 'echo', 'server'],
    ['everything-echo', 'everything', 'echo', 'server'],
    ['everything.echo', 'everything', 'echo', 'server'],
    ['mcp_everything_echo', 'everything', 'echo', 'server'],
    ['Tool: everything/echo', 'everything', 'echo', 'server'],
    ['echo (everything MCP Server)', 'everything', 'echo', 'server'],
    ['echo', 'everything', 'echo', 'tool'],
    ['mcp__other__echo', 'everything', 'echo', undefined],
    ['mcp__everything__echo2', 'everything', 'echo', undefined],
    ['mcp__everything__ech', 'everything', 'echo', undefined],
    ['Read', 'filesystem', 'read_file', undefined],
    // VS Code cuts the server's name, Gemini the middle, the others the end.
    ['mcp_a-server-with_read_graph', 'a-server-with-a-long-name', 'read_graph', 'cut'],
    ['mcp_files_a_tool_with_a_very_l...t_does_not_fit', 'files', long, 'cut'],
    ['mcp__files__a_tool_with_a_very_long_name_that_does_no_3f9a01bc', 'files', long, 'cut'],
    ['files-a_tool_with_a_very_long_name_that_does_no', 'files', long, 'cut'],
    ['mcp__files__a_tool_with_a_very_long_name_for_something_else', 'files', long, undefined],
    ['', 'files', '', undefined],
  ];
  for (const [name, server, tool, match] of names) {
    it(`${match ?? 'refuses'}: ${name} for ${server} ${tool}`, () =>
      assert.equal(matchName(name, server, tool), match));
  }
});
