import assert from 'node:assert/strict';
import { mcpSetups } from '../../src/editor/connections/useIn/mcpSetups.ts';
import { createGreetingAgent } from '../contract/gateway/agents.ts';
import { cleanUpGateways, type GatewayProcess, startGateway } from '../contract/gateway/gatewayProcess.ts';
import { findClientFile } from './support/install.ts';
import { runClient, useSession } from './support/session.ts';

const model = 'claude-sonnet-4-5-via-anthropic';
const tool = 'mcp__agent-workbench__greeter';

describe('Claude Code with agents as tools', () => {
	const session = useSession('claude-sonnet-4-5');
	let program: string;
	let gateway: GatewayProcess;

	before(async function () {
		const wrapper = findClientFile('@anthropic-ai/claude-code/cli-wrapper.cjs');
		const kind = `@anthropic-ai/claude-code-${process.platform}-${process.arch}`;
		if (wrapper === undefined || findClientFile(kind) === undefined) {
			console.log(`      skipped: Claude Code has no program for this machine (${kind} was not installed)`);
			this.skip();
		}
		program = wrapper;
		gateway = await startGateway({ agents: { greeter: createGreetingAgent() } });
	});
	after(cleanUpGateways);

	/** Returns the copied command line as shell arguments. */
	const parseCopiedCommand = (): string[] => {
		const line = mcpSetups.find(({ label }) => label === 'Claude Code')?.format(`${gateway.baseUrl}/mcp`, 'posix') ?? '';
		return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '').slice(1);
	};

	it('accepts the copied command line and calls an agent through it', async () => {
		const { services, gateway: text, home } = session();
		const env = {
			AGENT_WORKBENCH_KEY: gateway.apiKey,
			ANTHROPIC_BASE_URL: text.baseUrl,
			ANTHROPIC_AUTH_TOKEN: text.apiKey,
			ANTHROPIC_SMALL_FAST_MODEL: model,
			CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
			DISABLE_AUTOUPDATER: '1',
			ENABLE_TOOL_SEARCH: 'false',
		};
		await runClient(program, parseCopiedCommand(), home, env);
		services.say = ({ answersTool, tools }) =>
			tools.includes(tool) && !answersTool ? { tool, input: { name: 'Ada' } } : { text: 'Greeted.' };
		const args = ['-p', 'Greet Ada', '--model', model, '--output-format', 'json', '--allowedTools', tool];
		const out = JSON.parse(await runClient(program, args, home, env)) as { result: string; is_error: boolean };
		assert.deepEqual([out.result, out.is_error], ['Greeted.', false]);
		const turns = services.listToolRequests().at(-1)?.body['messages'] as object[];
		assert.match(JSON.stringify(turns.at(-1)), /Hello Ada!/);
		const { json } = await gateway.send('GET', '/v1/agent/workflows/logs?model=greeter');
		assert.equal(json.data[0].workflow_run.status, 'succeeded');
		assert.match(json.data[0].created_by_end_user?.session_id ?? '', /^mcp:claude-code/);
	});
});
