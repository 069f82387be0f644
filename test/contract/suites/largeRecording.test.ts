import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { ServiceClient } from '#client/client.ts';
import type { WorkflowFinishedEvent } from '#contract/events.ts';
import type { AskedRecordingMode } from '#contract/recordings/recordings.ts';
import { FileRecording } from '#runs/recordings/fileRecording.ts';
import { createAgentText, createEndNode, createStartNode } from '../../unit/engine/run/engineFixture.ts';
import { cleanUpGateways, createTemporaryFolder, startGateway } from '../gateway/gatewayProcess.ts';
import { createStreamResponse, RecordingUpstream } from '../recordingUpstream.ts';

const agent = createAgentText(
	[
		createStartNode('word'),
		{
			id: 'ask',
			data: {
				type: 'llm',
				model: { provider: 'p', name: 'long', mode: 'chat', completion_params: {} },
				prompt_template: [{ role: 'user', text: 'Write about {{#start.word#}}.' }],
			},
		},
		createEndNode({ said: 'ask.text' }),
	],
	['start > ask', 'ask > end'],
);

const chunk = (content: string) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`;
const end = {
	choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
	usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
};
const sentence = 'The gauge at the north pier reads 2.41 m, which is 12 cm above the forecast. '.repeat(6);

describe('a recording with 50 MB of streams', () => {
	let upstream: RecordingUpstream;
	let client: ServiceClient;
	let file: string;

	before(async () => {
		upstream = await new RecordingUpstream().start();
		upstream.answer = (request, response) => {
			const chunks = chunk(`${upstream.requests.length} `) + chunk(sentence).repeat(5_000_000 / sentence.length);
			return createStreamResponse(`${chunks}data: ${JSON.stringify(end)}\n\ndata: [DONE]\n\n`, 1_000_000)(request, response);
		};
		const routes = [{ model: 'long', provider: 'openai-compatible', base_url: upstream.baseUrl }];
		const gateway = await startGateway({ agents: { long: agent }, config: { routes } });
		client = new ServiceClient({ baseUrl: gateway.baseUrl, kind: 'gateway', keys: { agent: gateway.apiKey } });
		file = path.join(createTemporaryFolder(), 'long.suite.recording.yaml');
	});
	after(async () => {
		await client.close();
		await upstream.close();
		await cleanUpGateways();
	});

	/** Runs ten cases, and returns their texts in short form. */
	async function runCases(mode: AskedRecordingMode) {
		const recording = (await FileRecording.openRecording({ client, file, mode, settings: {}, creator: 'a test' }))!;
		const texts: string[] = [];
		for (let at = 0; at < 10; at++) {
			const use = recording.createUse({ case: `case ${at}` }, new Map());
			const body = { model: 'long', inputs: { word: `tide ${at}` }, user: 'ana', recording: use };
			let chunks = 0;
			for await (const event of client.streamDraft(body)) {
				chunks += Number(event.event === 'text_chunk');
				if (event.event === 'workflow_finished') {
					const { error, outputs } = (event as WorkflowFinishedEvent).data;
					assert.equal(error, null);
					const said = String(outputs?.['said']);
					texts.push(`${said.slice(0, 20)} ${said.length} in ${chunks}`);
				}
			}
		}
		return { texts, report: await recording.finish() };
	}

	it('opens and replays with the same chunks, and is small itself', async function () {
		this.timeout(120_000);
		const recorded = await runCases('new');
		assert.equal(recorded.report.added, 10);
		const folder = file.replace(/\.yaml$/, '');
		const sizes = fs.readdirSync(folder).map(name => fs.statSync(path.join(folder, name)).size);
		assert.ok(sizes.reduce((sum, size) => sum + size, 0) > 49_000_000);
		assert.ok(fs.statSync(file).size < 20_000);
		const { texts, report } = await runCases('none');
		assert.deepEqual(texts, recorded.texts);
		assert.deepEqual([report.replayed, report.misses], [10, []]);
		assert.equal(upstream.requests.length, 10);
	});
});
