import assert from 'node:assert/strict';
import type { ServiceClient } from '#client/client.ts';
import type { AgentParameters, AgentSummary, AgentVariable } from '#contract/agents.ts';
import { AgentEndpoint } from '#editor/chat/endpoints/agentEndpoint.ts';
import { type EndpointRequest, getAttachments, type ReplyStep } from '#editor/chat/endpoints/endpoint.ts';
import type { AttachedPart, Turn } from '#pages/chat/transcript/transcript.ts';
import { words } from './words.ts';

const createTurn = (role: Turn['role'], text: string): Turn => ({ id: text, parent: null, role, parts: [{ kind: 'text', text }], at: 0 });
const createVariable = (name: string, type = 'paragraph', required = true): AgentVariable => ({
	variable: name,
	label: name,
	type,
	required,
});
const createAgent = (mode: string, ...variables: AgentVariable[]) => ({ name: 'helper', mode, variables }) as unknown as AgentSummary;
const createTextRequest = (fields: Partial<EndpointRequest> = {}): EndpointRequest => ({
	model: 'helper',
	system: '',
	settings: {},
	turns: [createTurn('user', 'hi')],
	user: 'ana',
	...fields,
});
async function* iterateEvents(all: unknown[]): AsyncIterable<unknown> {
	yield* all;
}

async function collectItems<T>(all: AsyncIterable<T>): Promise<T[]> {
	const list: T[] = [];
	for await (const each of all) {
		list.push(each);
	}
	return list;
}

/** Returns the steps of a reply and the request body. */
async function requestReply(
	of: AgentSummary | undefined,
	sent: EndpointRequest,
	came: unknown[],
): Promise<{ steps: ReplyStep[]; body: Record<string, unknown> }> {
	let body: Record<string, unknown> = {};
	const recordBody = (b: Record<string, unknown>) => {
		body = b;
		return iterateEvents(came);
	};
	const client = { streamChatMessage: recordBody, streamWorkflow: recordBody } as unknown as ServiceClient;
	const steps = await collectItems(new AgentEndpoint(words, of).streamReply(client, sent, new AbortController().signal));
	return { steps, body };
}

const createFinishedEvent = (fields: object) => ({
	event: 'workflow_finished',
	task_id: 't',
	data: { status: 'succeeded', outputs: {}, total_tokens: 0, ...fields },
});

describe('a chat agent', () => {
	const came = [
		{ event: 'message', task_id: 't', conversation_id: 'conv', answer: 'Hel' },
		{ event: 'message', task_id: 't', conversation_id: 'conv', answer: 'lo' },
		{ event: 'message_end', task_id: 't', conversation_id: 'conv', metadata: { usage: { prompt_tokens: 3, completion_tokens: 2 } } },
	];

	it('streams its answer and the conversation ID', async () => {
		const { steps, body } = await requestReply(createAgent('advanced-chat'), createTextRequest(), came);
		assert.deepEqual(body, { model: 'helper', query: 'hi', inputs: {}, user: 'ana' });
		assert.deepEqual(
			steps.map(step => step.type),
			['conversation', 'part', 'text', 'text', 'usage', 'finish'],
		);
	});

	it('lists the source documents', async () => {
		const retriever_resources = [
			{ position: 1, document_name: 'leave.md', dataset_name: 'Handbook', score: 0.71, content: '28 days' },
			{ position: 2, document_name: 'leave.md', dataset_name: 'Handbook', score: 0.98, content: 'more' },
			{ position: 3, document_name: 'travel.md' },
			null,
		];
		const end = { event: 'message_end', task_id: 't', conversation_id: 'conv', metadata: { retriever_resources } };
		const { steps } = await requestReply(createAgent('advanced-chat'), createTextRequest(), [...came.slice(0, 2), end]);
		assert.deepEqual(
			steps.find(({ type }) => type === 'patch'),
			{
				type: 'patch',
				index: 0,
				fields: {
					citations: [{ title: 'leave.md', from: 'Handbook', score: 0.98, quote: '28 days\n\nmore' }, { title: 'travel.md' }],
				},
			},
		);
	});

	it('continues its conversation', async () => {
		const turns = [createTurn('user', 'hi'), createTurn('assistant', 'Hello'), createTurn('user', 'more')];
		const { body } = await requestReply(createAgent('chat'), createTextRequest({ turns, conversationId: 'conv' }), came);
		assert.equal(body['query'], 'more');
		assert.equal(body['conversation_id'], 'conv');
	});

	it('gets the earlier turns if it does not know them', async () => {
		const turns = [createTurn('user', 'hi'), createTurn('assistant', 'Hello'), createTurn('user', 'more')];
		const { body } = await requestReply(undefined, createTextRequest({ turns }), came);
		assert.equal(body['query'], 'User: hi\n\nAssistant: Hello\n\nUser: more');
	});

	it('replaces text that moderation changed', async () => {
		const { steps } = await requestReply(createAgent('chat'), createTextRequest(), [
			came[0],
			{ event: 'message_replace', answer: 'no' },
			came[2],
		]);
		assert.ok(steps.some(step => step.type === 'patch' && step.fields.text === 'no'));
	});
});

describe('a workflow agent', () => {
	it('gets the message in its only text variable, and replies with its only text output', async () => {
		const { steps, body } = await requestReply(
			createAgent('workflow', createVariable('text'), createVariable('count', 'number', false)),
			createTextRequest(),
			[createFinishedEvent({ outputs: { result: 'done' } })],
		);
		assert.deepEqual(body['inputs'], { text: 'hi' });
		assert.deepEqual(steps[0], { type: 'part', part: { kind: 'text', text: 'done' } });
	});

	it('names missing inputs before anything is sent', async () => {
		const reply = requestReply(
			createAgent('workflow', createVariable('text'), createVariable('language', 'select')),
			createTextRequest(),
			[],
		);
		await assert.rejects(
			reply,
			/'helper' needs values for language\. Enter them above the message, or as 'inputs' in the chat's settings\./,
		);
		const { body } = await requestReply(
			createAgent('workflow', createVariable('text'), createVariable('language', 'select')),
			createTextRequest({ settings: { inputs: { language: 'de' } } }),
			[createFinishedEvent({})],
		);
		assert.deepEqual(body['inputs'], { language: 'de', text: 'hi' });
	});

	it('refuses a message without a text input', async () => {
		await assert.rejects(requestReply(createAgent('workflow'), createTextRequest(), []), /has no text input/);
	});

	it('streams text chunks, and shows several outputs under their names', async () => {
		const chunk = { event: 'text_chunk', task_id: 't', data: { text: 'a' } };
		const streamed = await requestReply(createAgent('workflow', createVariable('text')), createTextRequest(), [
			chunk,
			chunk,
			createFinishedEvent({ outputs: { text: 'aa' } }),
		]);
		assert.equal(streamed.steps.filter(step => step.type === 'text').length, 2);
		const outputs = { queue: 'first line', count: 2, text: 'One\nTwo', rows: [1] };
		const labelled = '**queue:** first line\n\n**count:** 2\n\n**text:**\n\nOne\nTwo\n\n**rows:**\n\n```json\n[\n  1\n]\n```';
		const whole = await requestReply(createAgent('workflow', createVariable('text')), createTextRequest(), [
			createFinishedEvent({ outputs }),
		]);
		assert.deepEqual(whole.steps[0], { type: 'part', part: { kind: 'text', text: labelled } });
		const createChunkOf = (name: string) => ({ ...chunk, data: { text: name, from_variable_selector: ['n', name] } });
		const glued = await requestReply(createAgent('workflow', createVariable('text')), createTextRequest(), [
			createChunkOf('a'),
			createChunkOf('a'),
			createChunkOf('b'),
			createFinishedEvent({ outputs }),
		]);
		assert.deepEqual(
			glued.steps.flatMap(step => (step.type === 'text' ? [step.text] : [])),
			['a', 'a', '\n\nb'],
		);
		assert.ok(glued.steps.some(step => step.type === 'patch' && step.fields.text === labelled));
	});

	it('reports why the run failed', async () => {
		await assert.rejects(
			requestReply(createAgent('workflow', createVariable('text')), createTextRequest(), [
				createFinishedEvent({ status: 'failed', error: 'no such file' }),
			]),
			/The run failed: no such file/,
		);
	});

	it('is stopped by the task ID of its first event', async () => {
		const stop = new AbortController();
		const reported: unknown[] = [];
		const client = {
			async *streamWorkflow() {
				yield { event: 'workflow_started', task_id: 'task-1' };
				stop.abort();
				yield createFinishedEvent({ status: 'stopped', outputs: null });
			},
			stopRun: async (...args: unknown[]) => void reported.push(args),
		} as unknown as ServiceClient;
		const steps = await collectItems(
			new AgentEndpoint(words, createAgent('workflow', createVariable('text'))).streamReply(client, createTextRequest(), stop.signal),
		);
		assert.deepEqual(reported, [['task-1', { model: 'helper', user: 'ana' }]]);
		assert.equal(steps.at(-1)?.type, 'finish');
	});

	it('is not shown as stopped if its service refuses the stop', async () => {
		const stop = new AbortController();
		const client = {
			async *streamWorkflow(_body: unknown, { signal }: { signal: AbortSignal }) {
				yield { event: 'workflow_started', task_id: 'task-1' };
				stop.abort();
				await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
			},
			stopRun: async () => Promise.reject(new Error('403: not yours.')),
		} as unknown as ServiceClient;
		const reply = new AgentEndpoint(words, createAgent('workflow', createVariable('text'))).streamReply(
			client,
			createTextRequest(),
			stop.signal,
		);
		await assert.rejects(collectItems(reply), {
			reason: 'stop-refused',
			message: /couldn't be stopped\. 403: not yours\.$/,
		});
	});
});

const rejectNotFound = () => Promise.reject(Object.assign(new Error('404'), { reason: 'not-found' }));

function createService(parameters: AgentParameters | undefined) {
	const uploads: unknown[] = [];
	const bodies: Record<string, unknown>[] = [];
	const answer = (body: Record<string, unknown>) => {
		bodies.push(body);
		return iterateEvents([createFinishedEvent({}), { event: 'message_end', task_id: 't', conversation_id: 'c', metadata: {} }]);
	};
	const client = {
		getAgentParameters: async () => parameters ?? rejectNotFound(),
		uploadFile: async (...args: unknown[]) => {
			uploads.push(args.slice(0, 2));
			return { id: 'up-1' };
		},
		streamChatMessage: answer,
		streamWorkflow: answer,
	} as unknown as ServiceClient;
	return { client, uploads, bodies };
}
const { signal } = new AbortController();

describe('an image for an agent', () => {
	const image = { kind: 'image', name: 'shots/dot', mimeType: 'image/png', data: 'AAAA' } as const;
	const createTurnWithImage = (text = 'what is this'): Turn => ({ ...createTurn('user', text), parts: [image, { kind: 'text', text }] });
	const upload = { enabled: true, allowed_file_types: ['image'], allowed_file_upload_methods: ['local_file'], number_limits: 2 };
	const file = { type: 'image', transfer_method: 'local_file', upload_file_id: 'up-1' };

	it('is uploaded with its type and sent as a file of the message', async () => {
		const { client, uploads, bodies } = createService({ file_upload: upload });
		await collectItems(
			new AgentEndpoint(words, createAgent('advanced-chat')).streamReply(
				client,
				createTextRequest({ turns: [createTurnWithImage()] }),
				signal,
			),
		);
		assert.deepEqual(uploads, [
			[
				{ name: 'dot.png', data: Buffer.alloc(3), type: 'image/png' },
				{ user: 'ana', model: 'helper' },
			],
		]);
		assert.deepEqual(bodies, [{ model: 'helper', query: 'what is this', inputs: {}, user: 'ana', files: [file] }]);
	});

	it('is named in the message if there is no text', async () => {
		const { client, bodies } = createService({ file_upload: upload });
		await collectItems(
			new AgentEndpoint(words, undefined).streamReply(client, createTextRequest({ turns: [createTurnWithImage('')] }), signal),
		);
		assert.equal(bodies[0]?.['query'], '(image shots/dot)');
	});

	it("fills a workflow's free file variable", async () => {
		const form = [
			{ paragraph: { variable: 'text' } },
			{ 'file-list': { variable: 'pictures', allowed_file_types: ['image'], max_length: 3 } },
		];
		const { client, bodies } = createService({ file_upload: { enabled: false }, user_input_form: form });
		const workflow = new AgentEndpoint(words, createAgent('workflow', createVariable('text'), createVariable('pictures', 'file-list')));
		await collectItems(workflow.streamReply(client, createTextRequest({ turns: [createTurnWithImage()] }), signal));
		assert.deepEqual(bodies[0]?.['inputs'], { text: 'what is this', pictures: [file] });
		assert.equal(bodies[0]?.['files'], undefined);
	});

	for (const [name, parameters, sentence] of [
		['accepts no files', { file_upload: { enabled: false } }, /'helper' doesn't accept images/],
		['accepts only documents', { file_upload: { ...upload, allowed_file_types: ['document'] } }, /'helper' doesn't accept images/],
		['accepts only URLs', { file_upload: { ...upload, allowed_file_upload_methods: ['remote_url'] } }, /'helper' doesn't accept images/],
		['accepts fewer', { file_upload: { ...upload, number_limits: 1 } }, /accepts 1 image per message, but this message has 2/],
		[
			'has a lower size limit',
			{ file_upload: upload, system_parameters: { image_file_size_limit: 1 } },
			/'shots\/dot' is too large \(2\.0 MB\)\. The limit for 'helper' is 1\.0 MB/,
		],
	] as const satisfies readonly (readonly [string, AgentParameters, RegExp])[]) {
		it(`is refused before sending if the agent ${name}`, async () => {
			const { client } = createService(parameters);
			const images = getAttachments([{ ...image, data: 'A'.repeat(2_796_204) }, image]);
			assert.match((await new AgentEndpoint(words, undefined).checkAttachments(client, createTextRequest(), images)) ?? '', sentence);
		});
	}

	it('is accepted by current and older parameters, and by services without parameters', async () => {
		const old = { image: { enabled: true, number_limits: 3, transfer_methods: ['remote_url', 'local_file'] } };
		for (const parameters of [{ file_upload: upload }, { file_upload: old }, undefined]) {
			const { client } = createService(parameters);
			assert.equal(
				await new AgentEndpoint(words, undefined).checkAttachments(client, createTextRequest(), getAttachments([image])),
				undefined,
			);
		}
	});

	it('causes an error if the service does not support uploads', async () => {
		const { client } = createService(undefined);
		const without = { ...client, uploadFile: rejectNotFound } as unknown as ServiceClient;
		const reply = collectItems(
			new AgentEndpoint(words, undefined).streamReply(without, createTextRequest({ turns: [createTurnWithImage()] }), signal),
		);
		await assert.rejects(reply, { reason: 'attachment', message: "Couldn't send 'shots/dot': this service doesn't accept files." });
	});
});

describe('a document for an agent', () => {
	const document = { kind: 'document', name: 'docs/plan.docx', mimeType: 'application/vnd.x', data: 'AAAA', text: 'The plan.' } as const;
	const locked = { ...document, text: '', problem: 'plan.docx is locked.' };
	const image = { kind: 'image', name: 'dot', mimeType: 'image/png', data: 'AAAA' } as const;
	const createRequest = (...parts: Turn['parts']): EndpointRequest =>
		createTextRequest({ turns: [{ ...createTurn('user', 'sum up'), parts }] });
	const text = { kind: 'text', text: 'sum up' } as const;
	const upload = {
		enabled: true,
		allowed_file_types: ['document', 'image'],
		allowed_file_upload_methods: ['local_file'],
		number_limits: 2,
	};
	const createSentFile = (type: string) => ({ type, transfer_method: 'local_file', upload_file_id: 'up-1' });
	const converse = new AgentEndpoint(words, undefined);

	it('is uploaded if the agent accepts documents, also with images, and named if there is no text', async () => {
		const { client, uploads, bodies } = createService({ file_upload: upload });
		await collectItems(converse.streamReply(client, createRequest(document, image, text), signal));
		await collectItems(converse.streamReply(client, createRequest(document), signal));
		assert.deepEqual(uploads[0], [
			{ name: 'plan.docx', data: Buffer.alloc(3), type: 'application/vnd.x' },
			{ user: 'ana', model: 'helper' },
		]);
		assert.deepEqual(
			bodies.map(({ query, files }) => [query, files]),
			[
				['sum up', [createSentFile('document'), createSentFile('image')]],
				['(document docs/plan.docx)', [createSentFile('document')]],
			],
		);
	});

	it('is uploaded by its file extension into the matching variable', async () => {
		const form = [
			{ file: { variable: 'picture', allowed_file_types: ['image'] } },
			{ 'file-list': { variable: 'papers', allowed_file_types: ['custom'], allowed_file_extensions: ['.PDF', 'docx'], max_length: 2 } },
			{ paragraph: { variable: 'text' } },
		];
		const { client, bodies } = createService({ user_input_form: form });
		const workflow = new AgentEndpoint(words, createAgent('workflow', createVariable('text')));
		await collectItems(workflow.streamReply(client, createRequest(document, image, document, text), signal));
		assert.deepEqual(bodies[0]?.['inputs'], {
			text: 'sum up',
			picture: createSentFile('image'),
			papers: [createSentFile('custom'), createSentFile('custom')],
		});
	});

	it('is sent as text if the agent accepts no documents', async () => {
		const { client, uploads, bodies } = createService({ file_upload: { ...upload, allowed_file_types: ['image'] } });
		assert.equal(await converse.checkAttachments(client, createTextRequest(), [document, image]), undefined);
		await collectItems(converse.streamReply(client, createRequest(document, text), signal));
		assert.equal(bodies[0]?.['query'], 'docs/plan.docx\n```\nThe plan.\n```\n\nsum up');
		assert.deepEqual(uploads, []);
	});

	for (const [name, parameters, parts, sentence] of [
		['accepts none and it has no text', {}, [locked], /'helper' doesn't accept this kind of document\. plan\.docx is locked\./],
		[
			'accepts fewer files',
			{ file_upload: upload },
			[document, image, document],
			/accepts up to 2 files per message, but this message has 3/,
		],
		[
			'has a lower size limit',
			{ file_upload: upload, system_parameters: { file_size_limit: 1 } },
			[{ ...document, data: 'A'.repeat(2_796_204) }],
			/plan\.docx' is too large \(2\.0 MB\)\. The limit for 'helper' is 1\.0 MB/,
		],
	] as const satisfies readonly (readonly [string, AgentParameters, readonly AttachedPart[], RegExp])[]) {
		it(`is refused before sending if the agent ${name}`, async () => {
			assert.match((await converse.checkAttachments(createService(parameters).client, createTextRequest(), parts)) ?? '', sentence);
		});
	}

	it('is uploaded even if it is locked', async () => {
		assert.equal(await converse.checkAttachments(createService({ file_upload: upload }).client, createTextRequest(), [locked]), undefined);
	});
});
