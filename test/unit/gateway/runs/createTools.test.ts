import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { EngineTool } from '#engine/tools/engineTool.ts';
import { createTools } from '#gateway/runs/createTools.ts';
import { getServerUrl, listenOnLoopback } from '../../../support/services/loopback.ts';

const key = 'sk-0123456789-abcdefghijklmnopqrstuvwxyz';

describe('tools of services that echo their key', () => {
	/** Number of characters before the key in the services' responses. */
	let charactersBefore = 0;
	const service = http.createServer((request, response) => {
		response.writeHead(request.url?.startsWith('/search') ? 200 : 400, { 'content-type': 'text/plain' });
		response.end(`${'x'.repeat(charactersBefore)}${key} and more`);
	});
	const folder = mkdtempSync(path.join(tmpdir(), 'tools-test-'));
	const schema = path.join(folder, 'api.json');
	let tools: ReturnType<typeof createTools>;
	after(async () => {
		await tools.close();
		service.close();
		rmSync(folder, { recursive: true });
	});

	async function runTool(tool: EngineTool | undefined): Promise<string> {
		const context = { services: { settings: { network: {}, allowPrivateNetwork: true } }, signal: new AbortController().signal };
		try {
			return (await (tool as EngineTool).use({ query: 'q' }, context as never)).text;
		} catch (error) {
			return (error as Error).message;
		}
	}

	it('reveal no part of it where the text is cut', async () => {
		await listenOnLoopback(service);
		writeFileSync(schema, JSON.stringify({ openapi: '3.0.0', paths: { '/call': { get: { operationId: 'call' } } } }));
		// biome-ignore lint/suspicious/noTemplateCurlyInString: the form of keys in the configuration
		const headers = { authorization: 'Bearer ${key:K}' };
		tools = createTools({
			config: {
				mcp_servers: {},
				api_tools: { api: { schema, base_url: getServerUrl(service), headers } },
				search: { url: `${getServerUrl(service)}/search?q={query}`, headers },
			},
			keys: new Map([['K', key]]),
			fetch,
			agents: {} as never,
			log: {} as never,
		});
		const { search, apis } = tools.sources;
		charactersBefore = 49_980;
		assert.ok(!(await runTool(search)).includes('sk-0'));
		charactersBefore = 480;
		assert.ok(!(await runTool(await apis?.findTool('api', 'call'))).includes('sk-0'));
	});
});
