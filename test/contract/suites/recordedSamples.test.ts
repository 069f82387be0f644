import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';
import { ServiceClient } from '#client/client.ts';
import type { AgentSummary } from '#contract/agents.ts';
import type { WorkflowRunRequest } from '#contract/workflows.ts';
import { FileRecording, type RecordingReport } from '#runs/recordings/fileRecording.ts';
import { readSuite } from '#suites/reading/readSuite.ts';
import type { CaseResult } from '#suites/results/caseResult.ts';
import { ConnectionPace } from '#suites/running/connectionPace.ts';
import { SuiteRunner } from '#suites/running/suiteRunner.ts';
import { toComparableEvents } from '../../support/comparableEvents.ts';
import { cleanUpGateways, createTemporaryFolder, type GatewayProcess, startGateway } from '../gateway/gatewayProcess.ts';

const samples = path.resolve(import.meta.dirname, '../../../samples');
const listSamples = (folder: string, ending: string) => fs.readdirSync(path.join(samples, folder)).filter(name => name.endsWith(ending));

describe('recordings of the samples', () => {
	let live: GatewayProcess;
	let closed: GatewayProcess;
	const clients: ServiceClient[] = [];
	let folder: string;
	const pace = new ConnectionPace();
	/** Connections, look-ups and processes of the gateway that only replays, one a line. */
	let connectionsFile: string;
	const listConnections = () => fs.readFileSync(connectionsFile, 'utf8').split('\n').filter(Boolean);
	const runner = new SuiteRunner({ checkThread: new URL('../../../dist/checkThread.js', import.meta.url) });
	/** Upstream of the models in the gateway that only replays. */
	const upstream = net.createServer(socket => socket.destroy());
	/** Names of the agents that were replayed. */
	const replayed = new Set<string>();
	let agents: readonly AgentSummary[];

	before(async () => {
		// not earlier: the tests before these remove their temporary folders
		folder = createTemporaryFolder();
		connectionsFile = path.join(folder, 'connections.txt');
		await once(upstream.listen(0, '127.0.0.1'), 'listening');
		const { port } = upstream.address() as net.AddressInfo;
		const flags = ['--agents', path.join(samples, 'agents')];
		const knowledge = { handbook: { folder: path.join(samples, 'handbook') } };
		live = await startGateway({ flags, config: { knowledge } });
		const routes = [{ model: 'claude-*', provider: 'anthropic', base_url: `http://127.0.0.1:${port}`, upstream_model: 'm' }];
		const preload = pathToFileURL(path.resolve(import.meta.dirname, '../../support/reportConnections.ts')).href;
		closed = await startGateway({
			flags,
			config: { routes, knowledge: { handbook: { folder: createTemporaryFolder() } } },
			env: { NODE_OPTIONS: `--import=${preload}`, CONNECTIONS_FILE: connectionsFile },
		});
		// without the look-up of its own address
		fs.writeFileSync(connectionsFile, '');
		for (const { baseUrl, apiKey: key } of [live, closed]) {
			clients.push(new ServiceClient({ baseUrl, kind: 'gateway', keys: { agent: key, messages: key, content: key } }));
		}
		agents = await clients[0]!.listAgents();
	});
	after(async () => {
		await runner.close();
		await Promise.all(clients.map(client => client.close()));
		upstream.close();
		await cleanUpGateways();
	});

	const openRecording = async (client: ServiceClient, name: string, mode: 'new' | 'all' | 'none') =>
		(await FileRecording.openRecording({
			client,
			file: path.join(folder, `${name}.recording.yaml`),
			mode,
			settings: {},
			creator: 'a test',
		}))!;

	async function runFile(client: ServiceClient, file: string, mode: 'new' | 'all' | 'none') {
		const request = JSON.parse(fs.readFileSync(path.join(samples, 'runs', file), 'utf8')) as WorkflowRunRequest;
		for (const [name, value] of Object.entries(request.inputs as Record<string, { $file?: string }>)) {
			request.inputs[name] = value.$file ? fs.readFileSync(path.join(samples, 'runs', value.$file), 'utf8') : value;
		}
		const recording = await openRecording(client, file, mode);
		const events: unknown[] = [];
		for await (const _ of collectEvents(client, events).streamDraft({ ...request, recording: recording.createUse({}, new Map()) })) {
			// collected
		}
		recording.completePlace({});
		return { events, report: await recording.finish() };
	}

	/** Returns a client whose streams of runs add their events, with the place of their case, to a list. */
	function collectEvents(client: ServiceClient, events: unknown[]): ServiceClient {
		const streams = ['streamDraft', 'streamWorkflow', 'streamChatMessage', 'followRun', 'followChatMessage'];
		return new Proxy(client, {
			get(target, name) {
				const method = Reflect.get(target, name) as (...args: unknown[]) => unknown;
				if (typeof method !== 'function' || !streams.includes(String(name))) {
					return typeof method === 'function' ? method.bind(target) : method;
				}
				return async function* (...args: unknown[]) {
					const { model, recording } = args[0] as Partial<WorkflowRunRequest>;
					replayed.add(String(model));
					const { id: _, ...place } = recording ?? { id: '' };
					for await (const event of method.apply(target, args) as AsyncIterable<object>) {
						events.push({ ...event, place });
						yield event;
					}
				};
			},
		});
	}

	async function runSuite(client: ServiceClient, name: string, mode: 'new' | 'none') {
		const file = path.join(samples, 'suites', name);
		const context = { connection: 'local', agents, takesMocks: true, root: samples, t: fillPlaceholders };
		const { suite } = await readSuite(fs.readFileSync(file, 'utf8'), file, context);
		const placeholders = { workspaceFolder: samples, askInput: async () => undefined, environment: undefined };
		const events: unknown[] = [];
		const service = {
			name: 'local',
			client: collectEvents(client, events),
			pace,
			agents,
			drafts: true,
			takesMocks: true,
			user: 'ci',
			placeholders,
			judgeModel: 'offline',
		};
		const resultFile = path.join(createTemporaryFolder(), 'results.jsonl');
		const recording = await openRecording(client, name, mode);
		const results: CaseResult[] = [];
		for await (const event of runner.run(suite!, service, { resultFile, recording })) {
			if (event.type === 'result') {
				results.push(event.result);
			}
		}
		const report: RecordingReport = await recording.finish();
		const comparable = results.map(({ ordinal, outcome, outputs, score }) => ({ ordinal, outcome, outputs, score }));
		return { results: comparable.sort((left, right) => left.ordinal - right.ordinal), events: toComparableEvents(events), report };
	}

	for (const file of listSamples('runs', '.run.json')) {
		it(`replays ${file} with the same events, and records it again without a change`, async () => {
			const [first, second] = clients as [ServiceClient, ServiceClient];
			const recorded = await runFile(first, file, 'new');
			const again = await runFile(second, file, 'none');
			assert.deepEqual(again.report.misses, []);
			assert.deepEqual(toComparableEvents(again.events), toComparableEvents(recorded.events));
			if (file !== 'assistant.run.json') {
				// its model gets the current time
				const { added, replaced, removed } = (await runFile(first, file, 'all')).report;
				assert.deepEqual([added, replaced, removed], [0, 0, 0]);
			}
		});
	}

	for (const name of listSamples('suites', '.suite.json')) {
		it(`replays ${name} with the same events and results`, async () => {
			const [first, second] = clients as [ServiceClient, ServiceClient];
			const recorded = await runSuite(first, name, 'new');
			const again = await runSuite(second, name, 'none');
			assert.deepEqual(again.report.misses, []);
			assert.deepEqual(again.results, recorded.results);
			assert.deepEqual(again.events, recorded.events);
			assert.ok(recorded.events.length > 0 || name === 'models.suite.json');
		});
	}

	it('replay every agent without a connection, a look-up or another process', async () => {
		assert.deepEqual([...replayed].sort(), agents.map(({ name }) => name).sort());
		assert.deepEqual(listConnections(), []);
		// the gateway reports a connection if there is one
		const request = { model: 'claude-x', max_tokens: 10, messages: [{ role: 'user', content: 'Hello' }] };
		await closed.send('POST', '/v1/messages', request, { 'anthropic-version': '2023-06-01' });
		assert.match(listConnections().join('\n'), /^connect /m);
	});
});
