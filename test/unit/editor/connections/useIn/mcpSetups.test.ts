import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mcpSetups } from '#editor/connections/useIn/mcpSetups.ts';

const url = 'http://127.0.0.1:4711/mcp';
const getText = (label: string): string => mcpSetups.find(each => each.label === label)?.format(url, 'posix') ?? '';

describe('configurations of programs that use agents as tools', () => {
	it('let Claude Code read the key from its environment', function () {
		if (process.platform === 'win32') {
			this.skip();
		}
		const lines = `claude() { for each in "$@"; do echo "[$each]"; done; }\n${getText('Claude Code')}`;
		const { stdout } = spawnSync('sh', ['-c', lines], { encoding: 'utf8', env: { AGENT_WORKBENCH_KEY: 'k-secret' } });
		assert.equal(
			stdout,
			`[mcp]\n[add]\n[--transport]\n[http]\n[agent-workbench]\n[${url}]\n[--header]\n[Authorization: Bearer \${AGENT_WORKBENCH_KEY}]\n`,
		);
	});

	it("are JSON in each editor's format, with a reference to the key", () => {
		assert.deepEqual(JSON.parse(getText('Cursor')), {
			mcpServers: { 'agent-workbench': { url, headers: { Authorization: `Bearer \${env:AGENT_WORKBENCH_KEY}` } } },
		});
		assert.deepEqual(JSON.parse(getText('Gemini CLI')), {
			mcpServers: { 'agent-workbench': { httpUrl: url, headers: { Authorization: `Bearer \${AGENT_WORKBENCH_KEY}` } } },
		});
		assert.deepEqual(JSON.parse(getText('Windsurf')), {
			mcpServers: { 'agent-workbench': { serverUrl: url, headers: { Authorization: `Bearer \${env:AGENT_WORKBENCH_KEY}` } } },
		});
		assert.equal(getText('Codex'), `[mcp_servers.agent-workbench]\nurl = "${url}"\nbearer_token_env_var = "AGENT_WORKBENCH_KEY"\n`);
		const { inputs, servers } = JSON.parse(getText('VS Code')) as { inputs: { id: string; password: boolean }[]; servers: object };
		assert.deepEqual(
			inputs.map(({ id, password }) => [id, password]),
			[['agent-workbench-key', true]],
		);
		assert.deepEqual(servers, {
			'agent-workbench': { type: 'http', url, headers: { Authorization: `Bearer \${input:agent-workbench-key}` } },
		});
		assert.deepEqual(JSON.parse(getText('Claude Code: project file')), {
			mcpServers: { 'agent-workbench': { type: 'http', url, headers: { Authorization: `Bearer \${AGENT_WORKBENCH_KEY}` } } },
		});
	});
});
