import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { cleanUpGateways, type GatewayProcess, startGateway } from '../contract/gateway/gatewayProcess.ts';
import { createAgentNodeAgent, createToolNodeAgent } from '../contract/gateway/tools/toolAgents.ts';
import { patienceMs } from './support/patience.ts';

const program = path.join(import.meta.dirname, 'mcpAttacker.ts');
const marker = `mcp-attack-${process.pid}`;
const kinds = [
	'hang',
	'silent',
	'die',
	'flood',
	'rubbish',
	'half-json',
	'long-line',
	'stderr',
	'huge',
	'asks-back',
	'wrong-shape',
	'endless-pages',
	'stubborn',
];
/** Kinds whose calls end only by a timeout. All other kinds get a long timeout, because processes start slowly on a busy machine. */
const neverAnswer = new Set(['hang', 'silent', 'flood', 'rubbish', 'half-json', 'long-line']);

describe('a hostile MCP server', () => {
	let gateway: GatewayProcess;
	before(async () => {
		const servers = kinds.map(
			kind => [kind, { command: process.execPath, args: [program, kind, marker], timeout: neverAnswer.has(kind) ? 1 : 60 }] as const,
		);
		const users = kinds.map(kind => [kind, createToolNodeAgent({ type: 'mcp', provider: kind, name: 'use' })] as const);
		gateway = await startGateway({
			agents: {
				...Object.fromEntries(users),
				agent: createAgentNodeAgent([
					{ type: 'mcp', provider: 'huge', name: 'use' },
					{ type: 'mcp', provider: 'wrong-shape', name: 'use' },
				]),
			},
			config: { mcp_servers: Object.fromEntries(servers) },
		});
	});
	after(cleanUpGateways);

	const runAttack = async (model: string) =>
		(
			await gateway.send('POST', '/v1/agent/workflows/run', {
				model,
				inputs: { name: 'use harm' },
				user: 'ana',
				response_mode: 'blocking',
			})
		).json.data;

	/** Measures the slowest health check during `work`, in milliseconds. */
	async function measureHealth<T>(work: Promise<T>): Promise<{ readonly result: T; readonly longest: number }> {
		let over = false;
		let longest = 0;
		const watch = (async () => {
			while (!over) {
				const from = performance.now();
				await fetch(`${gateway.baseUrl}/healthz`);
				longest = Math.max(longest, performance.now() - from);
				await new Promise(resolve => setTimeout(resolve, 20));
			}
		})();
		const result = await work.finally(() => {
			over = true;
		});
		await watch;
		return { result, longest };
	}

	it('that hangs, stays silent or floods only fails its node with a message, and others are answered meanwhile', async () => {
		const { result, longest } = await measureHealth(Promise.all(['hang', 'silent', 'flood'].map(runAttack)));
		assert.deepEqual(
			result.map(({ error }) => /^the MCP server '(\w+)' isn't available: it didn't respond within [12] seconds/.exec(error)?.[1] ?? error),
			['hang', 'silent', 'flood'],
		);
		assert.ok(longest < patienceMs, `a health check took ${longest} ms`);
	});

	for (const [kind, reason] of [
		['die', /'die' isn't available: .*[Cc]onnection closed/],
		['rubbish', /'rubbish' isn't available/],
		['half-json', /'half-json' isn't available/],
		['long-line', /'long-line' isn't available/],
		['wrong-shape', /'wrong-shape' isn't available/],
	] as const) {
		it(`fails its node with a message while others are answered: ${kind}`, async () => {
			const { result, longest } = await measureHealth(runAttack(kind));
			assert.equal(result.status, 'failed');
			assert.match(result.error, reason);
			assert.ok(longest < patienceMs, `a health check took ${longest} ms`);
		});
	}

	for (const [kind, text] of [
		['stderr', /^quiet$/],
		['huge', /^y{4000000}$/],
		['asks-back', /^asked$/],
		['endless-pages', /^used$/],
		['stubborn', /^used$/],
	] as const) {
		it(`gives its node a result while others are answered: ${kind}`, async () => {
			const { result, longest } = await measureHealth(runAttack(kind));
			assert.match(String(result.outputs?.text ?? result.error), text);
			assert.ok(longest < patienceMs, `a health check took ${longest} ms`);
		});
	}

	it('is restarted after it died, with a longer delay each time', async () => {
		assert.match((await runAttack('die')).error, /[Cc]onnection closed/);
		assert.match((await runAttack('die')).error, /Retrying in \d+ s/);
	});

	it('costs an agent no more than a failed call or a truncated result', async () => {
		const { status, outputs } = await runAttack('agent');
		assert.equal(status, 'succeeded');
		assert.match(outputs.text, /offline model/);
	});

	it("doesn't fill a log", () => assert.ok(gateway.getLog().length < 1_000_000));

	it('ends with the gateway, including its child processes', async () => {
		await gateway.endProcess();
		const left = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
			.split('\n')
			.filter(line => line.includes(marker) && !line.startsWith('ps'));
		assert.deepEqual(left, []);
	});
});
