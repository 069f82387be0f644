import assert from 'node:assert/strict';
import { bindNamedKeys, type UpstreamKeyUse } from '#editor/connections/gateway/namedKeys.ts';

describe('keys in settings of tools', () => {
	it('binds keys in env and headers to one server', () => {
		const keys = new Map<string, UpstreamKeyUse>();
		const server = { url: 'https://mcp.example/mcp', headers: { authorization: `Bearer \${key:DOCS}`, 'x-plain': 'v' } };
		assert.deepEqual(bindNamedKeys(server, 'https://mcp.example', keys), {
			...server,
			headers: { authorization: `Bearer \${key:DOCS@https://mcp.example}`, 'x-plain': 'v' },
		});
		assert.deepEqual(bindNamedKeys({ command: 'x', env: { A: `\${key:DOCS}\${key:B}` } }, 'mcp:x', keys), {
			command: 'x',
			env: { A: `\${key:DOCS@mcp:x}\${key:B@mcp:x}` },
		});
		assert.deepEqual([...keys.keys()], ['DOCS@https://mcp.example', 'DOCS@mcp:x', 'B@mcp:x']);
	});

	it('passes invalid settings to the gateway, which rejects them', () => {
		assert.equal(bindNamedKeys('npx', 'mcp:x', new Map()), 'npx');
		assert.deepEqual(bindNamedKeys({ env: 3, headers: { a: 1 } }, 'mcp:x', new Map()), { env: {}, headers: { a: 1 } });
	});
});
