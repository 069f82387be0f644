import assert from 'node:assert/strict';
import {
	createFormAgent,
	createFormChat,
	createFormNode,
	createGraphFile,
	createSlowFormAgent,
	createTwoFormsAgent,
	startData,
} from './formAgents.ts';
import { cleanUpGateways, type GatewayProcess, type StreamedEvent, startGateway } from './gatewayProcess.ts';

const runs = '/v1/agent/workflows/run';

describe('forms of a paused run', () => {
	let gateway: GatewayProcess;
	before(async () => {
		const inputs = [
			{ type: 'select', output_variable_name: 'colour', option_source: { type: 'variable', selector: ['list', 'result'], value: [] } },
			{
				type: 'file',
				output_variable_name: 'paper',
				allowed_file_types: ['document', 'custom'],
				allowed_file_extensions: ['.xyz'],
				allowed_file_upload_methods: ['local_file'],
			},
			{ type: 'file-list', output_variable_name: 'papers', number_limits: 2 },
		];

		const filer = createGraphFile(
			'workflow',
			{
				start: startData,
				list: {
					type: 'code',
					code_language: 'javascript',
					code: 'function main() { return { result: ["red", "blue"] }; }',
					variables: [],
					outputs: { result: { type: 'array[string]' } },
				},
				ask: createFormNode({ form_content: '{{#$output.colour#}} {{#$output.paper#}} {{#$output.papers#}}', inputs }),
				end: {
					type: 'end',
					outputs: [
						{ variable: 'content', value_selector: ['ask', '__rendered_content'] },
						{ variable: 'paper', value_selector: ['ask', 'paper', 'name'] },
					],
				},
			},
			['start > list', 'list > ask', 'ask [ok] > end'],
		);

		gateway = await startGateway({
			agents: {
				asker: createFormAgent(),
				double: createTwoFormsAgent(),
				slow: createSlowFormAgent(400, 50),
				chat: createFormChat(),
				filer,
			},
		});
	});
	after(cleanUpGateways);

	const createRunRequest = (model: string, mode: string) => ({ model, inputs: { name: 'Ana' }, user: 'ana', response_mode: mode });
	const submitForm = (token: string, body: object) => gateway.send('POST', `/v1/agent/form/human_input/${token}`, body);
	const createApprovingAnswer = (note: string) => ({ inputs: { note }, action: 'ok', user: 'ana' });
	const listEventKinds = (events: readonly StreamedEvent[]) => events.map(({ event }) => event).filter(kind => kind !== 'ping');
	const followRun = async (id: string, model = 'asker', more = '') =>
		(await gateway.openFollowStream(`/v1/agent/workflow/${id}/events?model=${model}&user=ana${more}`)).readRemainingEvents();

	async function runUntilPause(
		model = 'asker',
	): Promise<{ id: string; taskId: string; events: readonly StreamedEvent[]; tokens: string[] }> {
		const events = await (await gateway.openStream(runs, createRunRequest(model, 'streaming'))).readRemainingEvents();
		const tokens = events.filter(({ event }) => event === 'human_input_required').map(({ data }) => data.form_token as string);
		return { id: events[0]?.['workflow_run_id'], taskId: events[0]?.['task_id'], events, tokens };
	}
	const fetchRunDetail = async (id: string, model = 'asker') => (await gateway.send('GET', `${runs}/${id}?model=${model}`)).json;

	it('end the stream with the pause and are available by their token', async () => {
		const { id, events, tokens } = await runUntilPause();
		assert.deepEqual(listEventKinds(events).slice(-3), ['node_started', 'human_input_required', 'workflow_paused']);
		const required = events.find(({ event }) => event === 'human_input_required')?.['data'];
		const paused = events.at(-1)?.['data'];
		assert.deepEqual([paused.status, paused.paused_nodes, paused.reasons[0].form_token], ['paused', ['ask'], tokens[0]]);
		const { status, json } = await gateway.send('GET', `/v1/agent/form/human_input/${tokens[0]}?model=asker`);
		assert.equal(status, 200);
		assert.deepEqual(json, {
			form_content: 'Is Ana right? {{#$output.note#}}',
			inputs: required.inputs,
			resolved_default_values: { note: 'Ana' },
			user_actions: required.actions,
			expiration_time: required.expiration_time,
		});
		const { status: state, finished_at, total_steps } = await fetchRunDetail(id);
		assert.deepEqual([state, finished_at, total_steps], ['paused', null, 2]);
	});

	it('are listed, counted and found as paused until the run resumes', async () => {
		const countRuns = async () => (await gateway.send('GET', '/v1/agent/workflows/logs?model=asker&status=paused')).json.total as number;
		const before = await countRuns();
		const { id, tokens } = await runUntilPause();
		assert.equal(await countRuns(), before + 1);
		const found = await gateway.send('GET', `/v1/agent/workflows/logs?model=asker&status=paused&keyword=${id}`);
		assert.equal(found.json.data[0].workflow_run.status, 'paused');
		const named = await gateway.send('GET', '/v1/agent/workflows/logs?model=asker&status=paused&keyword=Ana');
		assert.equal(named.json.total, before + 1);
		await submitForm(tokens[0] as string, createApprovingAnswer('fine'));
		await followRun(id);
		assert.equal(await countRuns(), before);
		const again = await gateway.send('GET', '/v1/agent/workflows/logs?model=asker&status=paused&keyword=Ana');
		assert.equal(again.json.total, before);
	});

	it('resume the run; followers get the events after the pause or all events', async () => {
		const { id, tokens } = await runUntilPause();
		const early = await gateway.openFollowStream(`/v1/agent/workflow/${id}/events?model=asker&user=ana`);
		const taken = await submitForm(tokens[0] as string, createApprovingAnswer('fine'));
		assert.deepEqual([taken.status, taken.json], [200, {}]);
		const events = await early.readRemainingEvents();
		const after = ['workflow_started', 'node_started', 'human_input_form_filled', 'node_finished'];
		assert.deepEqual(listEventKinds(events).slice(0, 3), after.slice(0, 3));
		assert.equal(events[0]?.['data'].reason, 'resumption');
		const filled = events.find(({ event }) => event === 'human_input_form_filled')?.['data'];
		assert.deepEqual(filled, {
			node_id: 'ask',
			node_title: 'ask',
			rendered_content: 'Is Ana right? fine',
			action_id: 'ok',
			action_text: 'Yes',
			submitted_data: { note: 'fine' },
		});
		assert.deepEqual(events.at(-1)?.['data'].outputs, { note: 'fine', action: 'Yes', content: 'Is Ana right? fine' });
		const late = listEventKinds(await followRun(id));
		assert.deepEqual(
			late,
			listEventKinds(events).filter(kind => kind !== 'text_chunk'),
		);
		const whole = listEventKinds(await followRun(id, 'asker', '&include_state_snapshot=true'));
		assert.equal(whole.filter(kind => kind === 'workflow_started').length, 2);
		assert.equal(whole.at(-1), 'workflow_finished');
		const fromStart = await (await gateway.openFollowStream(`${runs}/${id}/events?model=asker`)).readRemainingEvents();
		assert.deepEqual(listEventKinds(fromStart), whole);
		assert.equal((await fetchRunDetail(id)).status, 'succeeded');
	});

	it("aren't visible to other users", async () => {
		const { id, tokens } = await runUntilPause();
		for (const path of [`/v1/agent/workflow/${id}/events`, `${runs}/${id}/events`]) {
			assert.equal((await gateway.send('GET', `${path}?model=asker&user=bob`)).status, 404);
		}
		assert.equal((await gateway.send('GET', `/v1/agent/form/human_input/${tokens[0]}?model=double`)).status, 404);
		assert.equal((await gateway.send('GET', '/v1/agent/form/human_input/none')).status, 404);
	});

	it('accept one of two simultaneous answers', async () => {
		const { id, tokens } = await runUntilPause();
		const answers = await Promise.all(['a', 'b', 'c'].map(note => submitForm(tokens[0] as string, createApprovingAnswer(note))));
		assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 412, 412]);
		const refused = answers.find(({ status }) => status === 412);
		assert.equal(refused?.json.code, 'human_input_form_submitted');
		await followRun(id);
		assert.equal((await gateway.send('GET', `/v1/agent/form/human_input/${tokens[0]}`)).json.code, 'human_input_form_submitted');
	});

	it('wait for the other form, and keep the stream open for followers that ask for it', async () => {
		const { id, tokens } = await runUntilPause('double');
		assert.equal(tokens.length, 2);
		const across = await gateway.openFollowStream(`/v1/agent/workflow/${id}/events?model=double&user=ana&continue_on_pause=true`);
		await submitForm(tokens[0] as string, createApprovingAnswer('first'));
		const between = listEventKinds(await followRun(id, 'double'));
		assert.equal(between.at(-1), 'workflow_paused');
		await submitForm(tokens[1] as string, createApprovingAnswer('second'));
		const events = await across.readRemainingEvents();
		assert.equal(listEventKinds(events).filter(kind => kind === 'workflow_paused').length, 1);
		assert.equal(listEventKinds(events).filter(kind => kind === 'human_input_required').length, 0);
		assert.deepEqual(events.at(-1)?.['data'].outputs, { one: 'first', two: 'second' });
	});

	it('accept simultaneous answers to two forms', async () => {
		const { id, tokens } = await runUntilPause('double');
		await Promise.all(tokens.map((token, i) => submitForm(token, createApprovingAnswer(String(i)))));
		const events = await followRun(id, 'double', '&continue_on_pause=true');
		assert.deepEqual(events.at(-1)?.['data'].outputs, { one: '0', two: '1' });
	});

	it('end a blocking request with the form', async () => {
		const { json } = await gateway.send('POST', runs, createRunRequest('asker', 'blocking'));
		assert.deepEqual([json.data.status, json.data.paused_nodes, json.data.finished_at], ['paused', ['ask'], null]);
		const { form_token: token, TYPE } = json.data.reasons[0];
		assert.equal(TYPE, 'human_input_required');
		assert.equal((await submitForm(token, { inputs: {}, action: 'deny', user: 'ana' })).status, 200);
		assert.deepEqual((await followRun(json.workflow_run_id)).at(-1)?.['data'].outputs, { refused: 'deny' });
	});

	it('disappear when the run is stopped', async () => {
		const { id, taskId, tokens } = await runUntilPause();
		const stop = (user: string) => gateway.send('POST', `/v1/agent/workflows/tasks/${taskId}/stop`, { model: 'asker', user });
		assert.equal((await stop('bob')).status, 403);
		const following = followRun(id);
		assert.equal((await stop('ana')).status, 200);
		assert.equal((await following).at(-1)?.['data'].status, 'stopped');
		assert.equal((await submitForm(tokens[0] as string, createApprovingAnswer('x'))).status, 404);
		assert.equal((await fetchRunDetail(id)).status, 'stopped');
		assert.equal((await stop('ana')).status, 200);
	});

	it('allow a stop after the run resumes', async () => {
		const { id, taskId, tokens } = await runUntilPause('slow');
		const stream = await gateway.openFollowStream(`/v1/agent/workflow/${id}/events?model=slow&user=ana`);
		await submitForm(tokens[0] as string, createApprovingAnswer('x'));
		await stream.waitForEvent('text_chunk');
		assert.equal((await gateway.send('POST', `/v1/agent/workflows/tasks/${taskId}/stop`, { model: 'slow', user: 'ana' })).status, 200);
		assert.equal((await stream.readRemainingEvents()).at(-1)?.['data'].status, 'stopped');
	});

	it('refuse invalid values and explain why', async () => {
		const uploadFile = async (name: string) => {
			const body = new FormData();
			body.set('user', 'ana');
			body.set('file', new Blob(['text']), name);
			const headers = { authorization: `Bearer ${gateway.apiKey}` };
			const answer = await fetch(`${gateway.baseUrl}/v1/agent/files/upload`, { method: 'POST', headers, body });
			return ((await answer.json()) as { id: string }).id;
		};
		const [text, odd] = [await uploadFile('a.txt'), await uploadFile('a.xyz')];
		const createLocalFile = (type: string, id: string) => ({ type, transfer_method: 'local_file', upload_file_id: id });
		const { id, tokens } = await runUntilPause('filer');
		const shown = await gateway.send('GET', `/v1/agent/form/human_input/${tokens[0]}`);
		assert.deepEqual(shown.json.inputs[0].option_source.value, ['red', 'blue']);
		const good = {
			colour: 'red',
			paper: createLocalFile('custom', odd),
			papers: [createLocalFile('document', text), createLocalFile('document', text)],
		};
		const wrong: readonly (readonly [RegExp, object, string?])[] = [
			[/^Invalid action: maybe\. Expected one of "ok", "deny"/, good, 'maybe'],
			[/^Missing required inputs: colour, paper, papers/, {}],
			[/input colour: expected one of "red", "blue"/, { ...good, colour: 'green' }],
			[/input colour/, { ...good, colour: ['red'] }],
			[/input paper: expected one of the file types document, custom/, { ...good, paper: createLocalFile('image', odd) }],
			[/input paper: expected one of the file extensions .xyz/, { ...good, paper: createLocalFile('custom', text) }],
			[/input paper: upload_file_id isn't the ID/, { ...good, paper: createLocalFile('document', 'none') }],
			[
				/transfer methods local_file/,
				{ ...good, paper: { type: 'document', transfer_method: 'remote_url', url: 'https://example.com/a.pdf' } },
			],
			[/input paper: expected a file/, { ...good, paper: 'a.txt' }],
			[/input papers: expected a list/, { ...good, papers: createLocalFile('document', text) }],
			[/input papers: expected at most 2 files, got 3/, { ...good, papers: Array(3).fill(createLocalFile('document', text)) }],
		];
		for (const [message, inputs, action = 'ok'] of wrong) {
			const { status, json } = await submitForm(tokens[0] as string, { inputs, action, user: 'ana' });
			assert.deepEqual([status, json.code], [400, 'invalid_form_data'], String(message));
			assert.match(json.message, message);
		}
		assert.equal((await submitForm(tokens[0] as string, { inputs: good, action: 'ok', user: 'ana' })).status, 200);
		const events = await followRun(id, 'filer');
		assert.deepEqual(events.at(-1)?.['data'].outputs, { content: 'red [file] [2 files]', paper: 'a.xyz' });
	});

	it('pause a chat turn and resume it with its variables', async () => {
		const turn = { model: 'chat', query: 'tea', inputs: {}, user: 'ana', response_mode: 'streaming' };
		const events = await (await gateway.openStream('/v1/agent/chat-messages', turn)).readRemainingEvents();
		assert.equal(events.at(-1)?.event, 'workflow_paused');
		assert.equal(events.find(({ event }) => event === 'message')?.['answer'], 'Wait. ');
		const { conversation_id: conversation, message_id: message, workflow_run_id: id } = events[0] as StreamedEvent;
		const token = events.find(({ event }) => event === 'human_input_required')?.['data'].form_token;
		const listMessages = async () =>
			(await gateway.send('GET', `/v1/agent/messages?model=chat&user=ana&conversation_id=${conversation}`)).json.data;
		const [waiting] = await listMessages();
		assert.deepEqual([waiting.status, waiting.answer], ['paused', 'Wait. ']);
		const stream = await gateway.openFollowStream(`/v1/agent/workflow/${id}/events?model=chat&user=ana`);
		await submitForm(token, createApprovingAnswer('milk'));
		const rest = await stream.readRemainingEvents();
		assert.ok(rest.filter(({ event }) => event !== 'ping').every(event => event['message_id'] === message));
		assert.deepEqual(
			rest.filter(({ event }) => event === 'message').map(({ answer }) => answer),
			['Noted ', 'milk', ' of ', 'tea', '.'].filter(part => rest.some(({ answer }) => answer === part)),
		);
		assert.equal(rest.at(-1)?.event, 'message_end');
		const [done] = await listMessages();
		assert.deepEqual([done.status, done.answer], ['normal', 'Wait. Noted milk of tea.']);
		const late = await followRun(id, 'chat');
		assert.equal(late.find(({ event }) => event === 'message_replace')?.['answer'], 'Wait. Noted milk of tea.');
		assert.equal(late.at(-1)?.event, 'message_end');
	});

	it('end a blocking turn, and are deleted with its conversation', async () => {
		const turn = { model: 'chat', query: 'tea', inputs: {}, user: 'ana', response_mode: 'blocking' };
		const { json } = await gateway.send('POST', '/v1/agent/chat-messages', turn);
		assert.deepEqual([json.event, json.answer, json.data.status, json.data.paused_nodes], ['workflow_paused', 'Wait. ', 'paused', ['ask']]);
		const path = `/v1/agent/conversations/${json.conversation_id}`;
		assert.equal((await gateway.send('DELETE', path, { model: 'chat', user: 'ana' })).status, 200);
		assert.equal((await submitForm(json.data.reasons[0].form_token, createApprovingAnswer('x'))).status, 404);
		assert.equal((await gateway.send('GET', `${runs}/${json.workflow_run_id}?model=chat`)).status, 404);
	});

	it('allow a stop of a run started in blocking mode', async () => {
		const { json } = await gateway.send('POST', runs, createRunRequest('slow', 'blocking'));
		assert.equal(json.data.status, 'paused');
		const stream = await gateway.openFollowStream(`/v1/agent/workflow/${json.workflow_run_id}/events?model=slow&user=ana`);
		await submitForm(json.data.reasons[0].form_token, createApprovingAnswer('x'));
		await stream.waitForEvent('text_chunk');
		const stopped = await gateway.send('POST', `/v1/agent/workflows/tasks/${json.task_id}/stop`, { model: 'slow', user: 'ana' });
		assert.deepEqual([stopped.status, stopped.json], [200, { result: 'success' }]);
		assert.equal((await stream.readRemainingEvents()).at(-1)?.['data'].status, 'stopped');
	});

	it("don't keep an idle gateway alive", async () => {
		const idle = await startGateway({ agents: { asker: createFormAgent() }, flags: ['--exit-when-idle', '1'] });
		const { json } = await idle.send('POST', runs, createRunRequest('asker', 'blocking'));
		assert.equal(json.data.status, 'paused');
		while (!idle.getLog().includes('"reason":"idle"')) {
			await new Promise(resolve => setTimeout(resolve, 50));
		}
	});

	it("work with Dify's clients at Dify's paths", async () => {
		const headers = { authorization: `Bearer ${gateway.apiKey}` };
		const { id, tokens } = await runUntilPause();
		const form = await gateway.send('GET', `/dify/asker/v1/form/human_input/${tokens[0]}`);
		assert.equal(form.status, 200);
		const sent = await gateway.send('POST', `/dify/asker/v1/form/human_input/${tokens[0]}`, createApprovingAnswer('x'), headers);
		assert.equal(sent.status, 200);
		const events = await (await gateway.openFollowStream(`/dify/asker/v1/workflow/${id}/events?user=ana`)).readRemainingEvents();
		assert.equal(events.at(-1)?.event, 'workflow_finished');
	});
});
