import assert from 'node:assert/strict';
import { answerDialogs } from '../../support/editor/answers.ts';
import { PlayedPanel } from '../../support/editor/playedPanel.ts';
import { WindowUnderTest } from '../../support/editor/windowUnderTest.ts';
import { EventWriter, play, sendJson } from '../../support/services/faultService.ts';

const form = {
	form_id: 'f1',
	node_id: 'ask',
	node_title: 'Approve the draft',
	form_content: 'Shall **it** go out?\n\n{{#$output.comment#}}',
	inputs: [
		{ type: 'paragraph', output_variable_name: 'comment', default: { type: 'constant', value: 'fine' } },
		{ type: 'select', output_variable_name: 'level', option_source: { type: 'constant', value: ['low', 'high'] } },
	],
	actions: [
		{ id: 'yes', title: 'Approve', button_style: 'primary' },
		{ id: 'no', title: 'Reject', button_style: 'ghost' },
	],
	form_token: 'tok',
	resolved_default_values: {},
	expiration_time: 4_000_000_000,
};
const createFirstEvents = (token: string | null = 'tok') => [
	play.started,
	play.nodeStarted(1),
	play.nodeFinished(1),
	{ event: 'human_input_required', ...play.ids, data: { ...form, form_token: token } },
	{
		event: 'workflow_paused',
		...play.ids,
		data: { workflow_run_id: play.ids.workflow_run_id, paused_nodes: ['ask'], reasons: [], status: 'paused' },
	},
];
const rest = [
	{ ...play.started, data: { ...play.started.data, reason: 'resumption' } },
	{
		event: 'human_input_form_filled',
		...play.ids,
		data: { node_id: 'ask', node_title: 'Approve the draft', action_id: 'yes', action_text: 'Approve' },
	},
	play.nodeStarted(2),
	play.nodeFinished(2),
	play.finished('succeeded', { text: 'sent' }),
];

describe('a run waiting for input', () => {
	let window: WindowUnderTest;
	let answered: Record<string, unknown>[];
	/** Current status of the run at the service. */
	let status: string;

	const streamEvents = (events: readonly object[]) => async (response: ConstructorParameters<typeof EventWriter>[0]) => {
		const writer = new EventWriter(response);
		await writer.sendEvents(...events);
		writer.endStream();
	};

	beforeEach(async () => {
		window = new WindowUnderTest();
		await window.start();
		answered = [];
		status = 'paused';
		window.service.behaviour = {
			run: streamEvents(createFirstEvents()),
			detail: response => sendJson(response, play.detail(status)),
			follow: response => streamEvents(status === 'paused' ? createFirstEvents() : [...createFirstEvents(), ...rest])(response),
			form: (response, body) => {
				answered.push(body);
				status = 'succeeded';
				sendJson(response, {});
			},
		};
	});
	afterEach(() => window.dispose());

	it('is reported, keeps its form when the window reloads, and continues after an answer in the inspector', async () => {
		const shown = await answerDialogs({}, async () => {
			assert.equal((await window.runFile())?.status, 'paused');
		});
		assert.deepEqual(shown.infos, ["'played' is waiting for input: Approve the draft"]);
		window.reopenWindow();
		const { latest } = window;
		assert.equal(latest.status, 'paused');
		assert.deepEqual(latest.forms, [{ id: 'f1', title: 'Approve the draft', answerable: true, expiresAt: 4_000_000_000_000 }]);
		const page = new PlayedPanel();
		(await window.runs.inspectors()).fillPanel(page.panel, { key: latest.key, kept: false });
		const forms = page.waitForMessage('forms');
		const { head, rows } = await page.requestSnapshot();
		assert.deepEqual([head.status, head.live, head.waits], ['paused', false, true]);
		assert.ok(rows.every(row => row.status !== 'unfinished'));
		assert.equal((await forms).forms[0]?.content, form.form_content);
		const gone = page.waitForMessage('forms', message => message.forms.length === 0);
		const outputs = page.waitForMessage('outputs');
		page.sendFromPage({ type: 'answerForm', form: 'f1', action: 'yes', values: { comment: 'do', level: 'high' } });
		await gone;
		assert.deepEqual(answered, [{ model: 'played', inputs: { comment: 'do', level: 'high' }, action: 'yes', user: 'ana' }]);
		assert.deepEqual((await outputs).outputs, [{ name: 'text', text: 'sent', isText: true, cut: false }]);
		assert.equal(window.latest.status, 'succeeded');
		const lines = window.channel.text.split('\n').filter(line => line.includes('human-input') || line.includes('Node 2'));
		assert.match(
			lines.join('\n'),
			/‖ human-input .*waiting for input: Approve \| Reject[\s\S]*✎ human-input .*answered: Approve\n.*✔ code +Node 2/,
		);
		const notes = (await window.runs.reader.readStory(latest.key)).nodes;
		assert.deepEqual(notes, []);
	});

	it('is answered by quick picks, which show the typed values again if the answer is refused', async () => {
		await window.runFile();
		let refused = false;
		const { form: take } = window.service.behaviour;
		window.service.behaviour.form = (response, body) => {
			if (!refused) {
				refused = true;
				return sendJson(response, { code: 'invalid_form_data', message: 'level is wrong', status: 400 }, 400);
			}
			return take?.(response, body);
		};
		const shown = await answerDialogs(
			{ texts: ['good', 'better'], picks: ['low', 'Approve', 'high', 'Reject'], button: 'Answer again' },
			async () => {
				await window.executeCommand('agentWorkbench.run.answer', window.latest.key);
			},
		);
		assert.match(shown.errors[0] ?? '', /^Your answer wasn't accepted, but the form still contains it\. .*level is wrong/);
		assert.deepEqual(answered, [{ model: 'played', inputs: { comment: 'better', level: 'high' }, action: 'no', user: 'ana' }]);
		await window.waitForRun(run => run.status === 'succeeded');
	});

	it('shows on the page why an answer was refused, and refreshes if it was answered elsewhere', async () => {
		await window.runFile();
		window.service.behaviour.form = response => {
			status = 'succeeded';
			sendJson(response, { code: 'human_input_form_submitted', message: 'taken', status: 412 }, 412);
		};
		const page = new PlayedPanel();
		(await window.runs.inspectors()).fillPanel(page.panel, { key: window.latest.key, kept: false });
		await page.requestSnapshot();
		const problem = page.waitForMessage('formProblem');
		page.sendFromPage({ type: 'answerForm', form: 'f1', action: 'yes', values: {} });
		assert.deepEqual(await problem, {
			type: 'formProblem',
			form: 'f1',
			problem: 'This form has already been answered. The run continues with that answer.',
			closed: true,
		});
		await window.waitForRun(run => run.status === 'succeeded');
	});

	it('is followed to its end if it was answered elsewhere while the window was closed', async () => {
		await window.runFile();
		status = 'succeeded';
		window.reopenWindow();
		const { outputs, forms } = await window.waitForRun(run => run.status === 'succeeded');
		assert.deepEqual([outputs, forms], [{ text: 'sent' }, undefined]);
		assert.ok(!window.service.requests.some(request => request.includes('/form/')));
	});

	it('shows a message instead of a form if the form has no token', async () => {
		window.service.behaviour.run = streamEvents(createFirstEvents(null));
		const shown = await answerDialogs({}, async () => {
			await window.runFile();
		});
		assert.match(shown.infos[0] ?? '', /^'played' is waiting\. 'Approve the draft' can't be answered here/);
		await assert.rejects(
			Promise.resolve(window.executeCommand('agentWorkbench.run.answer', window.latest.key)),
			/'Approve the draft' can't be answered here/,
		);
		assert.deepEqual(answered, []);
	});
});
