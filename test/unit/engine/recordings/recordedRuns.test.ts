import assert from 'node:assert/strict';
import * as z from 'zod';
import type { WorkflowEvent } from '#contract/events.ts';
import type { RecordingUse } from '#contract/recordings/recordings.ts';
import { formatEntry, parseEntry } from '#engine/recordings/entryText.ts';
import type { RecordingSession } from '#engine/recordings/recordingSession.ts';
import { RunRecording } from '#engine/recordings/runRecording.ts';
import type { EngineServices, ModelPart, RunOptions } from '#engine/run/engineTypes.ts';
import { Timeline } from '#runs/events/timeline.ts';
import { createEndNode, createStartNode, createTestAgent, createTestServices, runTestAgent, type TestRun } from '../run/engineFixture.ts';
import { openSession, writeCalls } from './recordingFixture.ts';

/** Runs an agent with a recording. */
async function runRecorded(
	session: RecordingSession,
	agent: ReturnType<typeof createTestAgent>,
	services: EngineServices,
	options: Partial<RunOptions> & { readonly use?: Partial<RecordingUse> } = {},
): Promise<TestRun> {
	const { use, ...rest } = options;
	return runTestAgent(agent, { ...rest, recording: { run: new RunRecording(session, { id: 'r', ...use }), path: '' } }, services);
}

const prompt = (text: string, more: object = {}) => ({
	id: 'ask',
	data: {
		type: 'llm',
		model: { provider: 'p', name: 'small', mode: 'chat', completion_params: {} },
		prompt_template: [{ role: 'user', text }],
		...more,
	},
});

const createAsking = (text: string, more: object = {}, workflow: object = {}) =>
	createTestAgent([createStartNode('word'), prompt(text, more), createEndNode({ said: 'ask.text' })], ['start > ask', 'ask > end'], {
		workflow,
	});

/** Creates a model that says these texts one after another. */
function createSpeaker(...texts: readonly string[]) {
	let calls = 0;
	const services = createTestServices(async function* (): AsyncGenerator<ModelPart> {
		yield { type: 'text', text: texts[Math.min(calls++, texts.length - 1)]! };
		yield { type: 'finish', finishReason: 'stop', usage: { promptTokens: 1, completionTokens: 1 } };
	});
	return { services, countCalls: () => calls };
}

describe('recorded runs', () => {
	it('fail if the recording has no reply, with the nearest entry and the first difference', async () => {
		const session = openSession({ mode: 'new' });
		await runRecorded(session, createAsking('Hello {{#start.word#}}, how are you?'), createSpeaker('Fine').services, {
			inputs: { word: 'Ana' },
		});
		const replay = openSession({ mode: 'none', text: writeCalls(session.takeCalls().calls) });
		const { services, countCalls } = createSpeaker('never');
		// neither retries nor error strategies hide that the recording doesn't fit
		const policy = { error_strategy: 'fail-branch', retry_config: { retry_enabled: true, max_retries: 5, retry_interval: 60_000 } };
		const { data } = await runRecorded(replay, createAsking('Hello {{#start.word#}}, how is it?', policy), services, {
			inputs: { word: 'Ana' },
		});
		assert.equal(data.status, 'failed');
		assert.match(
			String(data.error),
			/^No recorded reply for this model request\. The nearest entry is at line 6 \(node 'ask'\)\. First difference, at 'messages\[0\]\.content': recorded 'Hello Ana, how are you\?', now 'Hello Ana, how is it\?'\./,
		);
		assert.equal(countCalls(), 0);
		assert.deepEqual(
			replay.takeCalls().misses.map(({ node }) => node),
			['ask'],
		);
	});

	describe('that are compared with live replies', () => {
		const agent = createAsking('Hello {{#start.word#}}');
		const record = async (...said: readonly string[]) => {
			const session = openSession({ mode: 'new' });
			for (const word of said) {
				await runRecorded(session, agent, createSpeaker(`Dear ${word}, I am fine.`).services, { inputs: { word } });
			}
			return writeCalls(session.takeCalls().calls);
		};

		it('replay the recorded reply, and say how the live one differs', async () => {
			const text = await record('Ana');
			for (const [reply, outcome, message] of [
				['Dear Ana, I am fine!', 'same', /^$/],
				['No.', 'changed', /^Similarity 0\.\d\d: recorded 'Dear Ana, I am fine\.', now 'No\.'\.$/],
			] as const) {
				const session = openSession({ mode: 'drift', text });
				const { data } = await runRecorded(session, agent, createSpeaker(reply).services, { inputs: { word: 'Ana' } });
				assert.deepEqual(data.outputs, { said: 'Dear Ana, I am fine.' });
				const { drift, calls } = session.takeCalls();
				assert.deepEqual(calls, []);
				assert.deepEqual(
					drift.map(each => [each.node, each.line, each.outcome]),
					[['ask', 6, outcome]],
				);
				assert.match(drift[0]!.message, message);
			}
		});

		it('make at most as many calls as asked for, and none for requests without an entry', async () => {
			const session = openSession({ mode: 'drift', drift: 1, text: await record('Ana', 'Bo') });
			const { services, countCalls } = createSpeaker('Dear Ana, I am fine.');
			for (const word of ['Ana', 'Ana', 'Bo', 'Cleo']) {
				await runRecorded(session, agent, services, { inputs: { word } });
			}
			assert.equal(countCalls(), 1);
			const { drift, misses } = session.takeCalls();
			assert.deepEqual([drift.length, misses.length], [1, 1]);
		});

		it('report a failing call without failing', async () => {
			const session = openSession({ mode: 'drift', text: await record('Ana') });
			const services = createTestServices(async function* (): AsyncGenerator<ModelPart> {
				yield { type: 'text', text: 'Dear' };
				throw new Error('The model no longer exists.');
			});
			const { data } = await runRecorded(session, agent, services, { inputs: { word: 'Ana' } });
			assert.equal(data.status, 'succeeded');
			assert.deepEqual(
				session.takeCalls().drift.map(({ outcome, message }) => [outcome, message]),
				[['failed', 'The model no longer exists.']],
			);
		});
	});

	it('say which nodes a recording answered', async () => {
		const agent = createAsking('Hello {{#start.word#}}');
		const listStandIns = (events: readonly WorkflowEvent[]) => {
			const timeline = new Timeline();
			for (const event of events) {
				timeline.addEntry({ at: 0, event });
			}
			return timeline.rows.map(({ nodeId, standIn }) => [nodeId, standIn]);
		};
		const session = openSession({ mode: 'new' });
		const { events } = await runRecorded(session, agent, createSpeaker('Fine').services, { inputs: { word: 'Ana' } });
		const live = ['start', 'ask', 'end'].map(node => [node, undefined]);
		assert.deepEqual(listStandIns(events), live);
		const replay = openSession({ mode: 'none', text: writeCalls(session.takeCalls().calls) });
		const replayed = await runRecorded(replay, agent, createSpeaker('live').services, { inputs: { word: 'Ana' } });
		assert.deepEqual(listStandIns(replayed.events), [
			['start', undefined],
			['ask', 'replayed'],
			['end', undefined],
		]);
	});

	it('replay equal requests in order and repeat the last reply', async () => {
		const loop = (items: readonly string[]) => ({ inputs: { word: 'x', items } });
		const agent = createTestAgent(
			[
				{
					...createStartNode('word'),
					data: { type: 'start', variables: [{ variable: 'items', type: 'json_object', label: 'i', required: true }] },
				},
				{
					id: 'each',
					data: {
						type: 'iteration',
						start_node_id: 'each_start',
						iterator_selector: ['start', 'items'],
						output_selector: ['ask', 'text'],
						output_type: 'array[string]',
					},
				},
				{ id: 'each_start', parentId: 'each', data: { type: 'iteration-start' } },
				{ ...prompt('the same'), parentId: 'each' },
				createEndNode({ all: 'each.output' }),
			],
			['start > each', 'each > end', 'each_start > ask'],
		);
		const session = openSession({ mode: 'new' });
		await runRecorded(session, agent, createSpeaker('one', 'two').services, loop(['a', 'b']));
		const text = writeCalls(session.takeCalls().calls);
		const { data } = await runRecorded(openSession({ mode: 'none', text }), agent, createSpeaker('live').services, loop(['a', 'b']));
		assert.deepEqual(data.outputs, { all: ['one', 'two'] });
	});

	it('record only what is missing with the mode new, and everything with the mode all', async () => {
		const session = openSession({ mode: 'new' });
		const agent = createAsking('Hello {{#start.word#}}');
		await runRecorded(session, agent, createSpeaker('one').services, { inputs: { word: 'Ana' } });
		const text = writeCalls(session.takeCalls().calls);
		const { services, countCalls } = createSpeaker('two');
		const more = openSession({ mode: 'new', text });
		assert.deepEqual((await runRecorded(more, agent, services, { inputs: { word: 'Ana' } })).data.outputs, { said: 'one' });
		assert.equal(countCalls(), 0);
		assert.deepEqual((await runRecorded(more, agent, createSpeaker('two').services, { inputs: { word: 'Bo' } })).data.outputs, {
			said: 'two',
		});
		const taken = more.takeCalls();
		assert.deepEqual([taken.calls.length, taken.used], [1, [0]]);
		const again = openSession({ mode: 'all', text });
		await runRecorded(again, agent, createSpeaker('one').services, { inputs: { word: 'Ana' } });
		// an unchanged reply leaves the file as it is
		assert.deepEqual(
			again.takeCalls().calls.map(({ same }) => same),
			[0],
		);
	});

	it('contain no secret in any form, and fill in new values', async () => {
		const declare = (value: string) => ({ environment_variables: [{ name: 'API', value_type: 'secret', value, id: 'e' }] });
		const text = 'Key {{#env.API#}}, password {{#start.word#}}';
		const [canary, password] = ['agent/secret canary', 'pass word-canary'];
		const { services } = createSpeaker(
			`You sent ${canary}, ${encodeURIComponent(password)}, ${Buffer.from(canary).toString('base64')} and gateway-key-canary`,
		);
		const session = openSession({ mode: 'all' });
		await runRecorded(session, createAsking(text, {}, declare(canary)), services, {
			inputs: { word: password },
			use: { secrets: { ['$' + '{input:pw:password}']: password } },
		});
		const file = writeCalls(session.takeCalls().calls);
		for (const form of [canary, password, encodeURIComponent(password), Buffer.from(canary).toString('base64'), 'canary']) {
			assert.ok(!file.includes(form), `${form}\n${file}`);
		}
		const { data } = await runRecorded(
			openSession({ mode: 'none', text: file }),
			createAsking(text, {}, declare('another secret')),
			services,
			{
				inputs: { word: 'new password' },
				use: { secrets: { ['$' + '{input:pw:password}']: 'new password' } },
			},
		);
		assert.deepEqual(data.outputs, {
			said: `You sent another secret, new%20password, ${Buffer.from('another secret').toString('base64')} and ***`,
		});
	});

	it('give runs their own IDs', async () => {
		const agent = createAsking('{{#sys.workflow_run_id#}}');
		const session = openSession({ mode: 'new' });
		await runRecorded(session, agent, createSpeaker('this is run-00000001').services, { runId: 'run-00000001' });
		const text = writeCalls(session.takeCalls().calls);
		const { data } = await runRecorded(openSession({ mode: 'none', text }), agent, createSpeaker('live').services, {
			runId: 'run-00000002',
		});
		assert.deepEqual(data.outputs, { said: 'this is run-00000002' });
	});

	it('compare no values at ignored paths', async () => {
		const session = openSession({ mode: 'new', ignore: ['messages[0].content'] });
		await runRecorded(session, createAsking('one'), createSpeaker('said').services);
		const text = writeCalls(session.takeCalls().calls);
		const replay = openSession({ mode: 'none', text, ignore: ['messages[0].content'] });
		assert.deepEqual((await runRecorded(replay, createAsking('two'), createSpeaker('live').services)).data.outputs, { said: 'said' });
	});

	it('keep the pace that was asked for, and can be stopped meanwhile', async () => {
		const session = openSession({ mode: 'new' });
		const agent = createAsking('Hello');
		const speaker = createTestServices(async function* (): AsyncGenerator<ModelPart> {
			yield { type: 'text', text: 'Fine, ' };
			yield { type: 'text', text: 'and you?' };
		});
		await runRecorded(session, agent, speaker);
		const text = writeCalls(session.takeCalls().calls);
		const replay = async (timing: 'none' | 'recorded' | number, ms: number, signal = new AbortController().signal) => {
			const changed = text.replace(/chunks: .*/, `chunks: [[${ms}, 6], [${ms}, 8]]`);
			const started = performance.now();
			const { data, events } = await runRecorded(openSession({ mode: 'none', text: changed, timing }), agent, createSpeaker().services, {
				signal,
			});
			const chunks = events.filter(({ event }) => event === 'text_chunk').length;
			return { status: data.status, chunks, ms: performance.now() - started };
		};
		assert.equal((await replay('none', 100_000)).chunks, 2);
		for (const [timing, recorded] of [
			['recorded', 30],
			[30, 0],
		] as const) {
			const paced = await replay(timing, recorded);
			// timers can be a millisecond early
			assert.ok(paced.ms > 57, String(paced.ms));
		}
		const stop = new AbortController();
		setImmediate(() => stop.abort());
		assert.equal((await replay('recorded', 1e12, stop.signal)).status, 'stopped');
	});

	it('replay at the same time from one recording, each in the recorded order', async () => {
		const agent = createTestAgent(
			[
				createStartNode(),
				...['one', 'two'].map(id => ({ ...prompt('the same'), id })),
				createEndNode({ first: 'one.text', second: 'two.text' }),
			],
			['start > one', 'one > two', 'two > end'],
		);
		const session = openSession({ mode: 'new' });
		await runRecorded(session, agent, createSpeaker('one', 'two').services);
		const text = writeCalls(session.takeCalls().calls);
		const shared = openSession({ mode: 'none', text });
		const sessions = [shared, shared, shared, openSession({ mode: 'none', text })];
		const runs = await Promise.all(sessions.map(each => runRecorded(each, agent, createSpeaker('live').services)));
		for (const { data } of runs) {
			assert.deepEqual(data.outputs, { first: 'one', second: 'two' });
		}
	});

	it('tell apart equal requests in containers inside each other', async () => {
		const container = (id: string, output: string) => ({
			type: 'iteration',
			start_node_id: `${id}_start`,
			iterator_selector: ['start', 'items'],
			output_selector: output.split('.'),
			output_type: 'array[string]',
			is_parallel: true,
			flatten_output: false,
		});
		const agent = createTestAgent(
			[
				{ id: 'start', data: { type: 'start', variables: [{ variable: 'items', type: 'json_object', label: 'i', required: true }] } },
				{ id: 'outer', data: container('outer', 'inner.output') },
				{ id: 'outer_start', parentId: 'outer', data: { type: 'iteration-start' } },
				{ id: 'inner', parentId: 'outer', data: container('inner', 'ask.text') },
				{ id: 'inner_start', parentId: 'inner', data: { type: 'iteration-start' } },
				{ ...prompt('the same'), parentId: 'inner' },
				createEndNode({ all: 'outer.output' }),
			],
			['start > outer', 'outer > end', 'outer_start > inner', 'inner_start > ask'],
		);
		const inputs = { items: ['a', 'b', 'c'] };
		const session = openSession({ mode: 'new' });
		let calls = 0;
		// the replies come in another order than the requests
		const services = createTestServices(async function* (): AsyncGenerator<ModelPart> {
			const call = ++calls;
			await new Promise(resolve => setTimeout(resolve, 20 - 2 * call));
			yield { type: 'text', text: `reply ${call}` };
		});
		const live = await runRecorded(session, agent, services, { inputs });
		const recorded = session.takeCalls().calls;
		assert.equal(recorded.find(({ node }) => node === 'outer#2/inner#1/ask')?.call, 1);
		const replay = openSession({ mode: 'none', text: writeCalls(recorded) });
		const { data } = await runRecorded(replay, agent, createSpeaker('live').services, { inputs });
		assert.deepEqual(data.outputs, live.data.outputs);
	});

	describe('with a damaged recording', () => {
		let text: string;
		beforeEach(async () => {
			const session = openSession({ mode: 'new' });
			await runRecorded(session, createAsking('Hello'), createSpeaker('Fine, and you?').services);
			text = writeCalls(session.takeCalls().calls);
		});
		const replay = async (changed: string) =>
			(await runRecorded(openSession({ mode: 'none', text: changed }), createAsking('Hello'), createSpeaker('live').services)).data;

		it('replay an edited text as one chunk', async () => {
			assert.deepEqual((await replay(text.replace('Fine, and you?', 'Edited by hand'))).outputs, { said: 'Edited by hand' });
		});

		it('name the field of a reply with another type, and hide it with no error strategy', async () => {
			const agent = createAsking('Hello', {
				error_strategy: 'default-value',
				default_value: [{ key: 'text', type: 'string', value: 'none' }],
			});
			for (const [reply, message] of [
				['reply: { text: 42 }', /^The entry at line 6 isn't valid at 'reply\.text': expected a string, got a number\.$/],
				['reply: 5', /^The entry at line 6 isn't valid at 'reply': expected an object, got a number\.$/],
				['error: { message: [] }', /^The entry at line 6 isn't valid at 'error\.message': expected a string, got a list\.$/],
			] as const) {
				const damaged = openSession({ mode: 'none', text: text.replace(/reply:[\s\S]*/, `${reply}\n`) });
				const { data } = await runRecorded(damaged, agent, createSpeaker('live').services);
				assert.equal(data.status, 'failed');
				assert.match(String(data.error), message);
			}
		});

		it('name the line of a truncated entry', async () => {
			assert.match(
				String((await replay(text.slice(0, text.indexOf('reply:')))).error),
				/^The entry at line 6 has no 'reply'\. The file may be truncated\.$/,
			);
		});

		it('refuse a newer version and other files', () => {
			assert.throws(
				() => openSession({ mode: 'none', text: text.replace('recording: 1', 'recording: 7') }),
				/format 7, which a newer version/,
			);
			assert.throws(() => openSession({ mode: 'none', text: 'name: x\n' }), /Line 1 isn't the start of a recording/);
			assert.throws(() => openSession({ mode: 'none', text: `${text}---\nnode: x\n` }), /Line \d+: the entry has no key/);
		});

		it('neither expand aliases nor read files that their names lead to', async () => {
			const bomb = text.replace(/reply:[\s\S]*/, 'x: &a [1, 2]\nreply: { text: *a }\n');
			assert.match(String((await replay(bomb)).error), /^The entry at line 6 isn't valid YAML/);
			const path = text.replace(/reply:[\s\S]*/, 'reply: { text: { $part: ../../etc/passwd } }\n');
			assert.match(String((await replay(path)).error), /isn't a valid file name/);
			const missing = text.replace(/reply:[\s\S]*/, `reply: { text: { $part: ${'0'.repeat(32)}.txt } }\n`);
			assert.match(String((await replay(missing)).error), /needs the file '0+\.txt', which can't be read/);
		});
	});

	it('are refused if an entry names one file very often', () => {
		for (const length of [20_000, 1_000_000]) {
			const formatted = formatEntry({ key: 'model:1', node: 'ask', call: 1 }, { request: {}, reply: { text: 'x'.repeat(length) } });
			const [part] = formatted.parts;
			const named = Array(10_000).fill(`{ $part: ${part?.name} }`).join(', ');
			const text = formatted.text.replace(/reply:[\s\S]*/, () => `reply: { texts: [${named}] }\n`);
			let reads = 0;
			const readPart = () => {
				reads++;
				return part?.content ?? '';
			};
			assert.throws(() => parseEntry(text, 3, readPart), /The files that the entry at line 3 names are longer than/);
			assert.ok(reads < 5_000, String(reads));
		}
	});

	it('read a file once that many entries name', async () => {
		const entries = Array.from({ length: 20 }, (_, at) => {
			const head = { key: 'model:0000000000aa', case: `c${at}`, node: 'ask', call: 1 };
			return { ...head, ...formatEntry(head, { request: {}, reply: { text: 'x'.repeat(20_000) } }) };
		});
		let reads = 0;
		const session = openSession({ mode: 'none', text: writeCalls(entries) }, () => {
			reads++;
			return entries[0]?.parts[0]?.content ?? '';
		});
		for (const { key, case: name, node } of entries) {
			for (const entry of session.findEntries(key, { case: name }, node)) {
				session.useEntry(entry, z.unknown(), content => content);
			}
		}
		assert.equal(reads, 1);
	});

	it('with 50 MB of streams keep large texts in separate files', async () => {
		const large = 'tide gauge '.repeat(450_000);
		const agent = createAsking('Hello {{#start.word#}}');
		const session = openSession({ mode: 'new' });
		await runRecorded(session, agent, createSpeaker(`7 ${large}`).services, { inputs: { word: '7' }, use: { case: '7' } });
		const { calls } = session.takeCalls();
		for (let at = 10; at < 19; at++) {
			const head = { key: `model:0000000000${at}`, case: `other ${at}`, node: 'ask', call: 1 };
			calls.push({ ...head, ...formatEntry(head, { request: {}, reply: { text: `${at} ${large}`, chunks: [] } }) });
		}
		const text = writeCalls(calls);
		assert.ok(text.length < 20_000, String(text.length));
		const parts = new Map(calls.flatMap(call => call.parts.map(({ name, content }) => [name, content] as const)));
		assert.ok([...parts.values()].reduce((sum, { length }) => sum + length, 0) > 49_000_000);
		const replay = openSession({ mode: 'none', text }, name => parts.get(name)!);
		const { data } = await runRecorded(replay, agent, createSpeaker('live').services, { inputs: { word: '7' } });
		assert.equal(data.outputs?.['said'], `7 ${large}`);
	});
});
