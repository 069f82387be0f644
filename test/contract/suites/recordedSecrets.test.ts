import assert from 'node:assert/strict';
import fs from 'node:fs';
import type http from 'node:http';
import path from 'node:path';
import { ServiceClient } from '#client/client.ts';
import type { WorkflowFinishedEvent } from '#contract/events.ts';
import type { AskedRecordingMode } from '#contract/recordings/recordings.ts';
import type { RunData } from '#contract/workflows.ts';
import { FileRecording } from '#runs/recordings/fileRecording.ts';
import { createAgentText, createEndNode, createStartNode } from '../../unit/engine/run/engineFixture.ts';
import { cleanUpGateways, createTemporaryFolder, startGateway } from '../gateway/gatewayProcess.ts';
import { createJsonResponse, createStreamResponse, RecordingUpstream } from '../recordingUpstream.ts';

/** Secrets of the test, each with other characters that encodings change. */
const canaries = {
	upstreamKey: 'upstream/canary+1=="x"',
	environment: 'env secret/canary+2?&',
	pin: '4815162342',
	password: 'pass wörd/canary+3',
};

const request = (id: string, method: string, url: string, more: object = {}) => ({
	id,
	data: {
		type: 'http-request',
		method,
		url,
		headers: 'x-token: {{#env.TOKEN#}}\nauthorization: Bearer {{#env.TOKEN#}}',
		params: '',
		authorization: { type: 'no-auth', config: null },
		body: { type: 'none', data: [] },
		...more,
	},
});
const ask = (id: string, name: string, more: object = {}) => ({
	id,
	data: {
		type: 'llm',
		model: { provider: 'p', name, mode: 'chat', completion_params: {} },
		prompt_template: [
			{
				role: 'user',
				text: 'Token {{#env.TOKEN#}}, PIN {{#env.PIN#}}, password {{#start.password#}}. {{#start.more#}}',
			},
		],
		...more,
	},
});

/** Creates an agent that sends its secrets to services that repeat them in every form. */
function createAgent(baseUrl: string): string {
	const json = '{"password": "{{#start.password#}}", "pin": {{#env.PIN#}}, "nested": "{\\"token\\": \\"{{#env.TOKEN#}}\\"}"}';
	const body = { type: 'json', data: [{ type: 'text', key: '', value: json }] };
	const policy = { error_strategy: 'default-value', default_value: [{ key: 'text', type: 'string', value: 'none' }] };
	return createAgentText(
		[
			createStartNode('password', 'more'),
			request('echo', 'post', `${baseUrl}/echo?token={{#env.TOKEN#}}&q={{#start.password#}}&pin={{#env.PIN#}}`, { body }),
			request('large', 'get', `${baseUrl}/large`),
			request('binary', 'get', `${baseUrl}/binary`),
			ask('say', 'talkative'),
			ask('fail', 'failing', policy),
			createEndNode({ said: 'say.text', echo: 'echo.body', large: 'large.body', failed: 'fail.text', token: 'env.TOKEN' }),
		],
		['start > echo', 'echo > large', 'large > binary', 'binary > say', 'say > fail', 'fail > end'],
		{
			workflow: {
				environment_variables: [
					{ id: 't', name: 'TOKEN', value_type: 'secret', value: '$' + '{env:CANARY_TOKEN}' },
					{ id: 'p', name: 'PIN', value_type: 'secret', value: canaries.pin },
				],
			},
		},
	);
}

const toBase64 = (text: string, before: string) => Buffer.from(before + text).toString('base64');

/** Returns a text that repeats the secrets of a request as services do. */
function repeatSecrets({ url = '', headers }: Pick<http.IncomingMessage, 'url' | 'headers'>, body: string): string {
	const { environment, password, pin } = canaries;
	const forms = [environment, password].flatMap(each => [
		...['', 'a:', 'ab:'].map(before => toBase64(each, before)),
		encodeURIComponent(each),
		JSON.stringify(JSON.stringify({ each })),
	]);
	return JSON.stringify({ url, headers, body, forms, pin: Number(pin), [environment]: { [password]: [Number(pin)] } });
}

const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

/** Streams a text of a model in chunks of a few characters. */
function createModelResponse(text: string) {
	const chunks = Array.from({ length: Math.ceil(text.length / 5) }, (_, at) => text.slice(at * 5, at * 5 + 5));
	const events = chunks.map(content => ({ choices: [{ index: 0, delta: { content }, finish_reason: null }] }));
	const end = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage };
	return createStreamResponse(`${[...events, end].map(each => `data: ${JSON.stringify(each)}\n\n`).join('')}data: [DONE]\n\n`);
}

/** Returns a text with everything that it contains in an encoded form. */
function decodeText(text: string, depth = 3): string {
	if (depth === 0) {
		return text;
	}
	const base64 = Array.from(text.matchAll(/[\w+/-]{8,}/g), ([token]) =>
		[0, 1, 2, 3].map(start => Buffer.from(token.slice(start), 'base64').toString()).join(' '),
	).join('\n');
	const percent = text.replaceAll('+', ' ').replace(/(?:%[0-9a-f]{2})+/gi, each => Buffer.from(each.replaceAll('%', ''), 'hex').toString());
	const json = text.replace(/\\(?:u([0-9a-f]{4})|(.))/gi, (_, digits?: string, character = '') =>
		digits === undefined ? character : String.fromCharCode(Number.parseInt(digits, 16)),
	);
	return [text, ...[base64, percent, json].map(decoded => (decoded === text ? '' : decodeText(decoded, depth - 1)))].join('\n');
}

/** Returns the texts of all files of a folder, by path. */
function readFolder(folder: string): ReadonlyMap<string, string> {
	const files = fs.readdirSync(folder, { recursive: true, withFileTypes: true }).filter(each => each.isFile());
	return new Map(
		files.map(({ parentPath, name }) => [path.join(parentPath, name), fs.readFileSync(path.join(parentPath, name), 'latin1')]),
	);
}

describe('recordings of runs with secrets', () => {
	let upstream: RecordingUpstream;
	let client: ServiceClient;
	let folder: string;

	before(async () => {
		upstream = await new RecordingUpstream().start();
		upstream.answer = (request, response) => {
			const text = repeatSecrets(request, request.body.toString());
			response.setHeader('set-cookie', `session=${encodeURIComponent(canaries.environment)}`);
			response.setHeader('x-echo', String(request.headers['x-token']));
			if (request.url.includes('chat/completions')) {
				const { model, stream } = JSON.parse(request.body.toString()) as { readonly model: string; readonly stream?: boolean };
				const key = request.headers.authorization ?? '';
				if (model === 'failing') {
					response.writeHead(401, { 'content-type': 'application/json' });
					response.end(JSON.stringify({ error: { message: `Wrong key: ${key}, ${toBase64(key, 'a')}. ${text}` } }));
					return;
				}
				const content = `The key is ${key}, ${encodeURIComponent(key)}. ${text}`;
				if (!stream) {
					return createJsonResponse({ choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }], usage })(
						request,
						response,
					);
				}
				return createModelResponse(content)(request, response);
			}
			response.setHeader('content-type', 'application/json');
			if (request.url.startsWith('/large')) {
				const filler = 'The gauge at the north pier reads 2.41 m. '.repeat(1_000);
				response.end(JSON.stringify([text, filler, text, filler, text]));
			} else if (request.url.startsWith('/binary')) {
				response.setHeader('content-type', 'application/octet-stream');
				response.end(
					Buffer.concat([
						Buffer.from([0xff, 0xfe, 0xfd]),
						Buffer.from(Object.values(canaries).slice(1).join(' and ')),
						Buffer.from([0xff]),
					]),
				);
			} else {
				response.end(text);
			}
		};
		const gateway = await startGateway({
			agents: { leaky: createAgent(upstream.baseUrl) },
			config: {
				engine: { allow_private_network: true, environment: ['CANARY_TOKEN'] },
				routes: ['talkative', 'failing'].map(model => ({
					model,
					provider: 'openai-compatible',
					base_url: upstream.baseUrl,
					key: 'UPSTREAM',
				})),
			},
			keys: { UPSTREAM: canaries.upstreamKey },
			env: { CANARY_TOKEN: canaries.environment },
		});
		const key = gateway.apiKey;
		client = new ServiceClient({ baseUrl: gateway.baseUrl, kind: 'gateway', keys: { agent: key, messages: key } });
		folder = createTemporaryFolder();
	});
	after(async () => {
		await client.close();
		await upstream.close();
		await cleanUpGateways();
	});

	/** Runs the agent, and grades its secrets like a judge that gets its outputs. Returns how it ended, and everything that the recording reports. */
	async function run(name: string, mode: AskedRecordingMode, more = '') {
		const file = path.join(folder, `${name}.recording.yaml`);
		const recording = (await FileRecording.openRecording({ client, file, mode, settings: {}, creator: 'a test' }))!;
		const use = recording.createUse({}, new Map([[canaries.password, '$' + '{input:password}']]));
		const inputs = { password: canaries.password, more };
		let data: Partial<RunData> = {};
		for await (const event of client.streamDraft({ model: 'leaky', inputs, user: 'ana', recording: use })) {
			data = event.event === 'workflow_finished' ? (event as WorkflowFinishedEvent).data : data;
		}
		const messages = [{ role: 'user' as const, content: `Grade this: ${data.outputs?.['token']}, ${canaries.password}` }];
		const grade = await client.createMessage({ model: 'talkative', max_tokens: 100, messages }, { recording: use }).catch(String);
		recording.completePlace({});
		const { status, outputs, error } = data;
		return { ended: { status, outputs, error, grade }, report: await recording.finish() };
	}

	function assertNoCanary(name: string, text: string): void {
		const decoded = decodeText(text);
		for (const [canary, value] of Object.entries(canaries)) {
			const parts = [value, Buffer.from(value).toString('latin1'), value.slice(0, 12), value.slice(-9)];
			const found = parts.map(part => decoded.indexOf(part)).find(at => at !== -1);
			assert.equal(found, undefined, `${canary} in ${name}: …${decoded.slice((found ?? 0) - 100, (found ?? 0) + 30)}…`);
		}
	}

	it('contain no secret in any mode and form', async () => {
		for (const mode of ['new', 'once', 'all'] as const) {
			const first = await run(mode, mode);
			assert.equal(first.ended.status, 'partial-succeeded', String(first.ended.error));
			assert.equal(first.report.added, 6);
			for (const again of ['once', 'none', 'drift', 'all'] as const) {
				const { ended, report } = await run(mode, again);
				assert.equal(report.replayed, again === 'all' ? 0 : 6);
				assert.equal(ended.status, first.ended.status);
				assertNoCanary(`the report of '${again}'`, JSON.stringify(report));
			}
		}
		const missed = await run('new', 'none', 'More.');
		assert.match(String(missed.report.misses[0]?.message), /The nearest entry is at line/);
		assertNoCanary('the report of a miss', JSON.stringify([missed.report, missed.ended.error]));
		const files = readFolder(folder);
		assert.ok(files.size > 6, [...files.keys()].join(', '));
		for (const [file, text] of files) {
			assertNoCanary(path.basename(file), text);
			assert.ok(!text.includes('cookie'), file);
		}
	});
});
