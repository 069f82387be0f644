import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { ServiceClient } from '#client/client.ts';
import type { ChatEvent } from '#contract/chat.ts';
import type { WorkflowEvent } from '#contract/events.ts';
import { readChatSteps, readRunSteps } from '#editor/chat/endpoints/agentSteps.ts';
import { closeServers, getServerUrl, listenOnLoopback } from '../../support/services/loopback.ts';
import { findFixturesFolder } from '../../unit/client/streams/fixtures.ts';
import { words } from '../../unit/editor/chat/endpoints/words.ts';

/** An example response of Dify's documentation. */
interface Example {
	readonly name: string;
	/** Method and path, with names in braces. */
	readonly of: string;
	readonly status: number;
	readonly type: string;
	readonly value: unknown;
}

const who = { model: 'm', user: 'u' };
const run = { ...who, inputs: {} };
const chat = { ...run, query: 'Hi' };
const file = { name: 'a.mp3', data: Buffer.from('a'), type: 'audio/mpeg' };
const annotation = { question: 'q', answer: 'a' };

/** Calls the client for an example, by the example's method and path. Returns a stream if the example is one. */
const asked: Record<string, (client: ServiceClient, streams: boolean) => Promise<unknown> | AsyncIterable<ChatEvent | WorkflowEvent>> = {
	'POST /chat-messages': (c, streams) => (streams ? c.streamChatMessage(chat) : c.createChatMessage({ ...chat })),
	'POST /chat-messages/{task_id}/stop': c => c.stopChatMessage('t', who),
	'POST /files/upload': c => c.uploadFile(file, who),
	'GET /files/{file_id}/preview': c => c.app.fetchFile('f', who),
	'GET /conversations': c => c.listConversations(who),
	'GET /conversations/{conversation_id}/variables': c => c.app.iterateVariables('c', who).next(),
	'POST /conversations/{conversation_id}/name': c => c.renameConversation('c', { ...who, name: 'n' }),
	'PUT /conversations/{conversation_id}/variables/{variable_id}': c => c.app.setVariable('c', 'v', { ...who, value: 1 }),
	'DELETE /conversations/{conversation_id}': c => c.deleteConversation('c', who),
	'GET /messages': c => c.listChatMessages({ ...who, conversation_id: 'c' }),
	'POST /messages/{message_id}/feedbacks': c => c.app.rateMessage('m', { ...who, rating: 'like' }),
	'GET /app/feedbacks': c => c.app.listFeedback(),
	'GET /messages/{message_id}/suggested': c => c.app.getSuggestedQuestions('m', who),
	'POST /audio-to-text': c => c.app.transcribeAudio(file, who),
	'POST /text-to-audio': c => c.app.convertTextToSpeech({ ...who, text: 'Hi' }),
	'GET /end-users/{end_user_id}': c => c.app.getEndUser('e'),
	'GET /apps/annotations': c => c.app.iterateAnnotations().next(),
	'POST /apps/annotations': c => c.app.createAnnotation(annotation),
	'PUT /apps/annotations/{annotation_id}': c => c.app.updateAnnotation('a', annotation),
	'DELETE /apps/annotations/{annotation_id}': c => c.app.deleteAnnotation('a'),
	'GET /parameters': c => c.getAgentParameters(who),
	'GET /workflows/run/{workflow_run_id}': c => c.getRun('r', who),
	'GET /workflows/logs': c => c.listLogs(who),
	'GET /form/human_input/{form_token}': c => c.getForm('t', who),
	'POST /form/human_input/{form_token}': c => c.submitForm('t', { ...run, action: 'a' }),
	'GET /workflow/{workflow_run_id}/events': c => c.followRun('r', who),
	'POST /workflows/run': (c, streams) => (streams ? c.streamWorkflow(run) : c.runWorkflow(run)),
	'POST /workflows/tasks/{task_id}/stop': c => c.stopRun('t', who),
};

describe("examples of Dify's documentation", () => {
	let served: Example | undefined;
	let client: ServiceClient;
	const server = http.createServer((request, response) => {
		request.resume().on('end', () => {
			response.writeHead(served?.status ?? 500, { ...(served?.type && { 'content-type': served.type }) }).end(getExampleBody(served));
		});
	});
	before(async () => {
		await listenOnLoopback(server);
		client = new ServiceClient({ baseUrl: `${getServerUrl(server)}/v1`, kind: 'dify', keys: { agent: 'k' }, network: { environment: {} } });
	});
	after(async () => {
		await client.close();
		await closeServers(server);
	});

	it("parse as responses, streams or refusals (skipped: shared/fixtures isn't next to this checkout)", async function () {
		const folder = findFixturesFolder();
		if (!folder || !fs.existsSync(path.join(folder, 'dify-api'))) {
			return this.skip();
		}
		const examples = readExamples(path.join(folder, 'dify-api'));
		const counted = { answers: 0, streams: 0, refusals: 0 };
		for (const example of examples) {
			const ask = asked[example.of];
			// the client retries temporary refusals
			if (!ask || example.status === 429 || example.status >= 500) {
				continue;
			}
			served = example;
			const answer = ask(client, example.type === 'text/event-stream');
			if (example.status >= 400) {
				const { code } = example.value as { code: string };
				await assert.rejects(collectResponse(answer), { name: 'ServiceError', status: example.status, code }, example.name);
				counted.refusals += 1;
			} else if (example.type === 'text/event-stream') {
				await assertExampleStream(example, await collectItems(answer as AsyncIterable<ChatEvent>));
				counted.streams += 1;
			} else {
				await assert.doesNotReject(collectResponse(answer), example.name);
				counted.answers += 1;
			}
		}
		assert.deepEqual(
			Object.entries(counted).filter(([, count]) => count < 6),
			[],
			JSON.stringify(counted),
		);
	});
});

/** Asserts that every event is emitted in order, and that the chat turns the events into a finished or paused reply. */
async function assertExampleStream({ name, of, value }: Example, events: readonly ChatEvent[]): Promise<void> {
	assert.deepEqual(
		events.map(({ event }) => event),
		collectEvents(value).map(text => (JSON.parse(text) as ChatEvent).event),
		name,
	);
	const isChat = events.some(({ event }) => /^(agent_)?message/.test(event)) || 'message_id' in (events[0] ?? {});
	const played = (async function* () {
		yield* events;
	})();
	const steps = await collectItems(isChat ? readChatSteps(played, words) : readRunSteps(played as AsyncIterable<WorkflowEvent>, words));
	// an example that follows a run after its form ends before the run does
	assert.ok(/events$/.test(of) || steps.some(({ type }) => type === 'finish'), name);
}

function getExampleBody(example: Example | undefined): string {
	if (example?.type === 'text/event-stream') {
		return collectEvents(example.value)
			.map(text => `data: ${text}\n\n`)
			.join('');
	}
	return example?.status === 204 || example?.value === undefined || example.value === null
		? ''
		: typeof example.value === 'string'
			? example.value
			: JSON.stringify(example.value);
}

/** Returns the events of a stream. The documentation writes them all on one line. */
function collectEvents(value: unknown): string[] {
	return String(value)
		.split(/(?:^|\s+)data: (?=\{)/)
		.map(text => text.trim())
		.filter(Boolean);
}

/** Returns the extracted examples, and for paths without any the examples in the OpenAPI description. */
function readExamples(folder: string): Example[] {
	const readJsonFile = (name: string): unknown => JSON.parse(fs.readFileSync(path.join(folder, name), 'utf8'));
	const listed = readJsonFile('dify_examples.json') as {
		method: string;
		path: string;
		status: string;
		content_type: string;
		example: string;
		value: unknown;
	}[];
	const examples = listed.map(({ method, path: at, status, content_type: type, example, value }) => ({
		name: `${method} ${at} ${status} ${example}`,
		of: `${method} ${at}`,
		status: Number(status),
		type,
		value,
	}));
	const known = new Set(examples.map(({ of }) => of));
	const { paths } = readJsonFile('dify_openapi_service_en.json') as {
		paths: Record<string, Record<string, { responses?: Record<string, { content?: Record<string, { examples?: object }> }> }>>;
	};
	for (const [at, methods] of Object.entries(paths)) {
		for (const [method, { responses = {} }] of Object.entries(methods)) {
			const of = `${method.toUpperCase()} ${at}`;
			for (const [status, { content = {} }] of Object.entries(known.has(of) ? {} : responses)) {
				for (const [type, { examples: values = {} }] of Object.entries(content)) {
					for (const [name, { value }] of Object.entries(values) as [string, { value: unknown }][]) {
						examples.push({ name: `${of} ${status} ${name}`, of, status: Number(status), type, value });
					}
				}
			}
		}
	}
	return examples;
}

async function collectResponse(answer: Promise<unknown> | AsyncIterable<unknown>): Promise<unknown> {
	return answer instanceof Promise ? answer : collectItems(answer);
}

async function collectItems<T>(items: AsyncIterable<T>): Promise<T[]> {
	const found: T[] = [];
	for await (const item of items) {
		found.push(item);
	}
	return found;
}
