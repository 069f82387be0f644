import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { createGreetingAgent, createWaitingAgent } from './agents.ts';
import { cleanUpGateways, createAgentsFolder, createTemporaryFolder, launchGateway, runGateway, startGateway } from './gatewayProcess.ts';

/** Seconds after which an idle gateway exits. A test must send its first request in that time, and busy machines are slow. */
const idleSeconds = '3';
/** Milliseconds that requests may take to finish at shutdown (src/gateway/gateway.ts). */
const stopGraceMs = 5_000;

/** Writes a text to a file with this mode in a new folder. */
function createKeyFile(name: string, text: string, mode = 0o600): string {
	const full = path.join(createTemporaryFolder(), name);
	fs.writeFileSync(full, text, { mode });
	return full;
}

describe('the gateway as a process', () => {
	afterEach(cleanUpGateways);

	it('explains an invalid flag on one line and exits with code 2', async () => {
		// each flag needs a separate process
		const data = createTemporaryFolder();
		const cases: readonly (readonly [readonly string[], RegExp])[] = [
			[[], /^--data is required\. Expected a folder\.$/],
			[['--data', data, '--port', 'http'], /^--port: 'http' isn't a valid number\. Expected a whole number from 0 to 65535\.$/],
			[['--data', data, '--log', 'xml'], /^--log: 'xml' isn't a valid format\. Expected json or text\.$/],
			[['--data', data, '--max-concurrent-runs', '0'], /^--max-concurrent-runs: '0' isn't a valid number\. Expected a whole number from 1/],
			[['--data', data, '--colour'], /^Unknown option '--colour'\. Use --help to see all flags\.$/],
			[['--data', createKeyFile('data', '')], /^--data: Couldn't create the folder '.*' \(EEXIST\)\.$/],
			[['--data', data, '--host', '0.0.0.0'], /^--host 0\.0\.0\.0 is reachable from other machines\. Use --api-key-file or a key on stdin/],
			[
				['--data', data, '--api-key-file', createKeyFile('key', 'secret', 0o644)],
				/key can be read by other users \(mode 644\)\. Expected mode 600\.$/,
			],
			[['--data', data, '--key-file', createKeyFile('keys.json', '{"a": 1}')], /keys\.json:1: a: .*expected string/],
			[
				['--data', data, '--config', createKeyFile('config.json', '{\n  "routes": [\n    {"model": "x"}\n  ]\n}')],
				/config\.json:3: routes\.0\.provider: /,
			],
			[['--data', data, '--config', createKeyFile('config.json', '{\n  "routes": [,]\n}')], /config\.json:2: not valid JSON/],
			[['--data', data, '--config', createKeyFile('config.json', '{"router": []}')], /config\.json:1: .*router/],
			[
				['--data', data, '--config', createKeyFile('config.json', '{"network": {"proxy": "ftp://me:sesame@host"}}')],
				/^network\.proxy: expected an http:\/\/, https:\/\/ or socks5:\/\/ URL\.$/,
			],
			[['--data', data, '--config', path.join(data, 'none.json')], /Couldn't read .*none\.json \(ENOENT\)\.$/],
		];
		for (const [args, expected] of cases) {
			const { code, stderr, stdout } = await runGateway(args);
			assert.equal(code, 2, `${args.join(' ')}: ${stderr}`);
			assert.equal(stderr.trim().split('\n').length, 1, stderr);
			assert.match(stderr.trim(), expected);
			assert.equal(stdout, '');
		}
		const help = await runGateway(['--help']);
		assert.equal(help.code, 0);
		assert.match(help.stdout, /--max-concurrent-runs/);
	});

	it('reads keys from stdin and keeps them out of the ready line and the log', async () => {
		const data = createTemporaryFolder();
		const { code, stderr } = await runGateway(['--data', data, '--stdin-keys'], 'no json\n');
		assert.equal(code, 2);
		assert.match(stderr, /^stdin: expected a first line/);
		const key = 'key-that-nobody-may-see';
		const { stdout } = await runGateway(
			['--data', data, '--stdin-keys', '--ready-json', '--exit-when-idle', '0'],
			`${JSON.stringify({ api_key: key, keys: { UP: 'upstream-key-hidden' } })}\n`,
		);
		assert.deepEqual(Object.keys(JSON.parse(stdout)).sort(), ['base_url', 'ready']);
		assert.ok(!fs.existsSync(path.join(data, 'gateway.key')));
	});

	it('reports a key from a file in the ready line only', async () => {
		const data = createTemporaryFolder();
		const key = 'key-from-a-file-of-its-own';
		const { code, stdout, stderr } = await runGateway([
			...['--data', data, '--api-key-file', createKeyFile('api.key', `${key}\n`)],
			...['--ready-json', '--exit-when-idle', '0'],
		]);
		assert.equal(code, 0, stderr);
		assert.equal(JSON.parse(stdout).api_key, key);
		assert.ok(!stderr.includes(key));
		assert.ok(!fs.existsSync(path.join(data, 'gateway.key')));
	});

	it('redacts credentials in its log', async () => {
		const gateway = await startGateway();
		await fetch(`${gateway.baseUrl}/v1beta/models?key=${gateway.apiKey}`);
		await fetch(`${gateway.baseUrl}/v1beta/models?pageSize=1&key=some-other-key`);
		await gateway.endProcess();
		assert.match(gateway.getLog(), /v1beta\/models\?key=\[redacted\]/);
		assert.ok(!gateway.getLog().includes(gateway.apiKey) && !gateway.getLog().includes('some-other-key'));
	});

	it('locks a data folder and takes it over from a dead gateway', async () => {
		const first = await startGateway({ agents: { greeter: createGreetingAgent() } });
		const lock = JSON.parse(fs.readFileSync(path.join(first.data, 'gateway.lock'), 'utf8'));
		assert.equal(lock.pid, first.pid);
		assert.equal(first.baseUrl, `http://127.0.0.1:${lock.port}`);
		const health = (await (await fetch(`${first.baseUrl}/healthz`)).json()) as { instance: string };
		assert.match(lock.instance, /^[0-9a-f-]{36}$/);
		assert.equal(health.instance, lock.instance, 'the instance identifies the gateway without the key');
		const second = await runGateway(['--data', first.data, '--ready-json']);
		assert.equal(second.code, 3);
		assert.equal(second.stdout, '');
		assert.match(
			second.stderr.trim(),
			new RegExp(`^The data folder '.*' is in use by the gateway with process ID ${first.pid} on port ${lock.port}\\.$`),
		);
		await first.endProcess('SIGKILL');
		assert.ok(fs.existsSync(path.join(first.data, 'gateway.lock')));
		const third = await startGateway({ data: first.data });
		const now = JSON.parse(fs.readFileSync(path.join(first.data, 'gateway.lock'), 'utf8'));
		assert.notEqual(now.instance, lock.instance, 'each start is another instance');
		assert.equal(third.apiKey, first.apiKey, 'a gateway keeps its own key');
		await third.endProcess();
		assert.ok(!fs.existsSync(path.join(first.data, 'gateway.lock')));
	});

	it('starts once if many start at the same moment', async () => {
		const data = createTemporaryFolder();
		const starts = Array.from({ length: 6 }, () => launchGateway(['--data', data, '--ready-json']));
		// only one gateway reports that it's ready, and it runs until all others have given up
		const ready = Promise.race(starts.map(async start => once(start.child.stdout, 'data').then(() => start)));
		const others = new Set(starts.map(({ ended }) => ended));
		const serving = await ready;
		others.delete(serving.ended);
		const refused = await Promise.all(others);
		assert.deepEqual(
			refused.map(({ code, stdout }) => [code, stdout]),
			refused.map(() => [3, '']),
			refused.map(({ stderr }) => stderr).join(''),
		);
		serving.child.kill('SIGTERM');
		const { code, stderr } = await serving.ended;
		assert.equal(code, 0, stderr);
	});

	it('stops and saves runs at shutdown', async () => {
		const gateway = await startGateway({ agents: { waiter: createWaitingAgent() } });
		const stream = await gateway.openStream('/v1/agent/workflows/run', {
			model: 'waiter',
			inputs: {},
			user: 'ana',
			response_mode: 'streaming',
		});
		const { workflow_run_id: id } = await stream.waitForEvent('workflow_started');
		assert.equal(await gateway.endProcess(), 0);
		assert.equal((await stream.readRemainingEvents()).at(-1)?.['data'].status, 'stopped');
		const next = await startGateway({ data: gateway.data });
		const { json } = await next.send('GET', `/v1/agent/workflows/run/${id}?model=waiter`);
		assert.equal(json.status, 'stopped');
	});

	it('serves the folders of attached windows, notifies them of changes and exits after the last detaches', async () => {
		const gateway = await startGateway({ flags: ['--exit-when-idle', idleSeconds] });
		const folder = createAgentsFolder({ greeter: createGreetingAgent() });
		const first = await attachWindow(gateway.baseUrl, gateway.apiKey, [folder]);
		const second = await attachWindow(gateway.baseUrl, gateway.apiKey, [folder, path.join(folder, 'not-there-yet')]);
		const listNames = async () => (await gateway.send('GET', '/v1/agent/agents')).json.data.map((agent: { name: string }) => agent.name);
		assert.deepEqual(await listNames(), ['greeter']);
		fs.writeFileSync(path.join(folder, 'other.yml'), createGreetingAgent());
		while ((await listNames()).length === 1) {
			await first.next('agents_changed');
		}
		assert.deepEqual(await listNames(), ['greeter', 'other']);
		second.close();
		assert.deepEqual(await listNames(), ['greeter', 'other']);
		const run = await gateway.openStream('/v1/agent/workflows/run', {
			model: 'greeter',
			inputs: { name: 'x' },
			user: 'ana',
			response_mode: 'streaming',
		});
		await run.readRemainingEvents();
		first.close();
		const left = Date.now();
		while (isProcessAlive(gateway.pid)) {
			await new Promise(resolve => setTimeout(resolve, 50));
		}
		assert.ok(Date.now() - left > Number(idleSeconds) * 1000 - 100);
	});

	it("doesn't wait for attached windows at shutdown", async () => {
		// waiting would delay every attempt, while a busy machine delays only some
		let quickest = Number.POSITIVE_INFINITY;
		for (let i = 0; i < 3 && quickest >= stopGraceMs; i++) {
			const gateway = await startGateway();
			await attachWindow(gateway.baseUrl, gateway.apiKey, []);
			await attachWindow(gateway.baseUrl, gateway.apiKey, []);
			const signaledAt = performance.now();
			assert.equal(await gateway.endProcess('SIGTERM'), 0);
			quickest = Math.min(quickest, performance.now() - signaledAt);
		}
		assert.ok(quickest < stopGraceMs, 'it waited for them as long as requests may take');
	});

	it('outlives attached windows while a run is active', async () => {
		const gateway = await startGateway({ flags: ['--exit-when-idle', idleSeconds], agents: { slow: createWaitingAgent(100, 40) } });
		const stream = await gateway.openStream('/v1/agent/workflows/run', {
			model: 'slow',
			inputs: {},
			user: 'ana',
			response_mode: 'streaming',
		});
		assert.equal((await stream.readRemainingEvents()).at(-1)?.['data'].status, 'succeeded');
	});

	it('publishes a file with its first run, but not while it is written, listed or read', async () => {
		const gateway = await startGateway({ agents: { greeter: createGreetingAgent('Hell') } });
		const [first] = (await gateway.send('GET', '/v1/agent/agents')).json.data;
		assert.deepEqual([first.published, first.draft, first.variables[0].variable], [false, true, 'name']);
		for (const path of ['parameters?model=greeter', 'info?model=greeter', 'workflows/logs?model=greeter', 'agents/greeter/published']) {
			assert.equal((await gateway.send('GET', `/v1/agent/${path}`)).status, 200, path);
		}
		assert.equal((await gateway.send('GET', '/v1/agent/agents/greeter/published')).json.source, null);
		fs.writeFileSync(first.file, createGreetingAgent('Hello'));
		const run = { model: 'greeter', inputs: { name: 'Ana' }, user: 'ana', response_mode: 'blocking' };
		assert.equal((await gateway.send('POST', '/v1/agent/workflows/run', run)).json.data.outputs.greeting, 'Hello Ana!');
		const [after] = (await gateway.send('GET', '/v1/agent/agents')).json.data;
		assert.deepEqual([after.published, after.draft], [true, false]);
	});

	it("doesn't publish a file that was unpublished before its first run", async () => {
		const gateway = await startGateway({ agents: { greeter: createGreetingAgent() } });
		await gateway.send('POST', '/v1/agent/agents/greeter/unpublish', {});
		const run = { model: 'greeter', inputs: { name: 'Ana' }, user: 'ana', response_mode: 'blocking' };
		assert.equal((await gateway.send('POST', '/v1/agent/workflows/run', run)).status, 400);
	});

	it('keeps edits of a published file as its draft', async () => {
		const gateway = await startGateway({ agents: { greeter: createGreetingAgent() } });
		const fetchAgentSummary = async () => (await gateway.send('GET', '/v1/agent/agents')).json.data[0];
		const runGreeting = async (target: string) =>
			(
				await gateway.send('POST', `/v1/agent/workflows/${target}`, {
					model: 'greeter',
					inputs: { name: 'Ana' },
					user: 'ana',
					response_mode: 'blocking',
				})
			).json;
		assert.equal((await gateway.send('POST', '/v1/agent/agents/greeter/publish', {})).status, 200);
		const before = await fetchAgentSummary();
		assert.equal(before.published, true);
		assert.equal(before.draft, false);
		assert.deepEqual(before.variables[0].variable, 'name');
		fs.writeFileSync(before.file, createGreetingAgent('Good morning'));
		while (!(await fetchAgentSummary()).draft) {
			await new Promise(resolve => setTimeout(resolve, 20));
		}
		assert.equal((await runGreeting('run')).data.outputs.greeting, 'Hello Ana!');
		const draft = await runGreeting('draft/run');
		assert.equal(draft.data.outputs.greeting, 'Good morning Ana!');
		const unsaved = await gateway.send('POST', '/v1/agent/workflows/draft/run', {
			model: 'greeter',
			inputs: { name: 'Ana' },
			user: 'ana',
			response_mode: 'blocking',
			source: createGreetingAgent('Unsaved'),
		});
		assert.equal(unsaved.json.data.outputs.greeting, 'Unsaved Ana!');
		const published = await gateway.send('POST', '/v1/agent/agents/greeter/publish', {});
		assert.equal(published.json.draft, false);
		assert.notEqual(published.json.workflow_id, before.workflow_id);
		assert.equal((await runGreeting('run')).data.outputs.greeting, 'Good morning Ana!');
		assert.equal((await gateway.send('POST', '/v1/agent/agents/greeter/unpublish', {})).json.published, false);
		const refused = await runGreeting('run');
		assert.deepEqual([refused.status, refused.code, refused.message], [400, 'invalid_param', 'Workflow not published']);
		const logs = await gateway.send('GET', '/v1/agent/workflows/logs?model=greeter');
		assert.equal(logs.json.total, 2, 'runs of drafts are not listed');
		assert.equal((await gateway.send('GET', `/v1/agent/workflows/run/${draft.workflow_run_id}?model=greeter`)).json.status, 'succeeded');
		fs.writeFileSync(before.file, 'version: 0.6.0\nkind: app\napp: {name: x, mode: workflow}\nworkflow: 3\n');
		while (!(await fetchAgentSummary()).error) {
			await new Promise(resolve => setTimeout(resolve, 20));
		}
		assert.match((await fetchAgentSummary()).error, /greeter\.yml:4: workflow/);
		const broken = await gateway.send('POST', '/v1/agent/agents/greeter/publish', {});
		assert.deepEqual([broken.status, broken.json.code], [400, 'app_unavailable']);
	});
});

function isProcessAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		return false;
	}
}

/** Attaches like a window; resolves once it is attached. */
async function attachWindow(baseUrl: string, key: string, agents: readonly string[]) {
	const request = http.request(`${baseUrl}/v1/agent/attach`, {
		method: 'POST',
		agent: false,
		headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
	});
	request.end(JSON.stringify({ agents }));
	const [response] = (await once(request, 'response')) as [http.IncomingMessage];
	let text = '';
	response.setEncoding('utf8').on('data', (chunk: string) => {
		text += chunk;
	});
	response.on('error', () => {});
	request.on('error', () => {});
	const next = async (name: string) => {
		while (!text.includes(`"${name}":true`)) {
			await once(response, 'data');
		}
		text = '';
	};
	await next('attached');
	return { next, close: () => request.destroy() };
}
