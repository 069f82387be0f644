import assert from 'node:assert/strict';
import type { WorkflowEvent } from '#contract/events.ts';
import { RunsChannel } from '#editor/runs/output/runsChannel.ts';
import { ChannelLines, type ChannelText } from '#runs/channel/channelLines.ts';
import { formatValue } from '#runs/channel/lineFormat.ts';
import type { RunRecord } from '#runs/runTypes.ts';

const at = new Date(2026, 10, 21, 10, 32, 5, 120).getTime();
const ids = { task_id: 't', workflow_run_id: '0190-aaaa-8f21c0de' };

function formatLines(events: object[], end: Partial<RunRecord> = {}): string[] {
	let record: RunRecord = {
		key: 'k',
		connectionId: 'c',
		agent: 'summarize',
		user: 'ana',
		mode: 'streaming',
		startedAt: at,
		status: 'running',
		runId: ids.workflow_run_id,
	};
	const writer = new ChannelLines(() => record, { connection: 'Built-in gateway', file: 'annual-report.run.json' });
	const texts: ChannelText[] = events.flatMap(event => writer.formatEntry({ at, event: { ...ids, ...event } as WorkflowEvent }));
	record = { ...record, ...end };
	return [...texts, ...(end.status ? writer.formatRunEnd(at) : [])].map(item => ('line' in item ? item.line : item.lead + item.text));
}

const createNode = (name: string, type: string, more: object = {}) => ({
	id: `e-${name}`,
	node_id: name,
	node_type: type,
	title: name,
	index: 1,
	predecessor_node_id: null,
	inputs: null,
	created_at: 1,
	...more,
});
const createFinishedNode = (name: string, type: string, more: object = {}) =>
	createNode(name, type, {
		process_data: null,
		outputs: null,
		status: 'succeeded',
		error: null,
		elapsed_time: 0.0041,
		execution_metadata: null,
		...more,
	});

describe('lines of the output channel', () => {
	it("can't be forged by line breaks in any text of a service", () => {
		const forged = 'x\r\n10:32:05.120  8f21c0de  ■ succeeded';
		const written = formatLines(
			[
				{ event: 'workflow_started', data: { id: '1', workflow_id: forged, created_at: 1 } },
				{ event: 'node_started', data: createNode(forged, forged) },
				{ event: 'node_finished', data: createFinishedNode(forged, forged, { status: forged, error: forged }) },
				{ event: 'human_input_required', data: { form_id: forged, node_id: forged, node_title: forged, inputs: [], actions: [] } },
				{ event: 'error', status: 400, code: forged, message: forged },
				{ event: forged, data: forged },
			],
			{ status: forged as 'failed', error: forged, agent: forged, outputs: { [forged]: forged } },
		);
		assert.ok(written.length >= 6);
		for (const line of written) {
			assert.doesNotMatch(line, /[\r\n]/);
		}
	});

	it('show forms, their outcomes, and reasoning', () => {
		const form = {
			form_id: 'f',
			node_id: 'Ask',
			node_title: 'Ask',
			form_content: 'Well?',
			inputs: [],
			actions: [
				{ id: 'y', title: 'Yes' },
				{ id: 'n', title: 'No' },
			],
			expiration_time: 1_800_000_000,
		};
		const written = formatLines(
			[
				{ event: 'workflow_started', data: { id: '1', workflow_id: 'w', created_at: 1 } },
				{ event: 'node_started', data: createNode('Ask', 'human-input') },
				{ event: 'human_input_required', data: { ...form, form_token: 'secret-token' } },
				{ event: 'human_input_required', data: { ...form, form_token: null } },
				{ event: 'workflow_paused', data: { paused_nodes: ['Ask'], reasons: [], outputs: {} } },
				{ event: 'human_input_form_filled', data: { node_id: 'Ask', node_title: 'Ask', action_id: 'y', action_text: 'Yes' } },
				{ event: 'human_input_form_timeout', data: { node_id: 'Ask', node_title: 'Ask' } },
				{ event: 'reasoning_chunk', data: { node_id: 'Ask', reasoning: 'so', is_final: false } },
			],
			{ status: 'paused', elapsedSeconds: 1 },
		).map(line => line.slice(14).trimEnd());
		assert.deepEqual(written.slice(2), [
			'│ ‖ human-input         Ask                         waiting for input: Yes | No  until 2027-01-15 08:00 UTC',
			"│ ‖ human-input         Ask                         waiting for input: Yes | No  (can't be answered here)  until 2027-01-15 08:00 UTC",
			'│ ✎ human-input         Ask                         answered: Yes',
			'│ ⚠ human-input         Ask                         timed out',
			'│ ∴ so',
			'‖ paused  1.00 s',
		]);
	});

	it('are aligned, one per event, with the time; the first one has the end of the run ID', () => {
		assert.deepEqual(
			formatLines(
				[
					{ event: 'workflow_started', data: { id: '1', workflow_id: 'w', created_at: 1 } },
					{ event: 'node_started', data: createNode('Start', 'start') },
					{ event: 'node_finished', data: createFinishedNode('Start', 'start', { elapsed_time: 0.0004 }) },
					{
						event: 'node_finished',
						data: createFinishedNode('Write', 'llm', {
							elapsed_time: 2.34,
							execution_metadata: { total_tokens: 1412, total_price: '0.0012', currency: 'USD' },
						}),
					},
					{
						event: 'node_finished',
						data: createFinishedNode('Post', 'http-request', {
							status: 'exception',
							error: '404\nNot Found',
							elapsed_time: 0.01,
							execution_metadata: { error_strategy: 'fail-branch' },
						}),
					},
				],
				{ status: 'succeeded', elapsedSeconds: 2.38, totalTokens: 1412, totalSteps: 5, outputs: { summary: 'x'.repeat(2310), n: 3 } },
			),
			[
				'10:32:05.120  ▷ summarize  run 8f21c0de  annual-report.run.json  Built-in gateway · streaming · user ana',
				'10:32:05.120  │ ▸ start               Start',
				'10:32:05.120  │ ✔ start               Start                         0.4 ms',
				'10:32:05.120  │ ✔ llm                 Write                         2.34 s   1,412 tokens   $0.0012',
				'10:32:05.120  │ ⚠ http-request        Post                           10 ms   404 ⏎ Not Found   (fail-branch taken)',
				'10:32:05.120  ■ succeeded  2.38 s  1,412 tokens  5 steps',
				`10:32:05.120    summary: "${'x'.repeat(98)}… (2,310 characters: open)`,
				'10:32:05.120    n: 3',
			],
		);
	});

	it('say if a recording answered the calls of a node', () => {
		const lines = formatLines([{ event: 'node_finished', data: createFinishedNode('ask', 'llm', { replayed: true }) }]);
		assert.match(lines.at(-1)!, /from a recording$/);
	});

	it('are nested like iterations and loops', () => {
		const createInnerNode = (name: string, index?: number) =>
			createFinishedNode(name, 'code', {
				iteration_id: 'each',
				execution_metadata: index === undefined ? null : { iteration_index: index },
			});
		assert.deepEqual(
			formatLines([
				{ event: 'iteration_started', data: { ...createNode('each', 'iteration'), metadata: { iteration_length: 2 } } },
				{ event: 'iteration_next', data: { ...createNode('each', 'iteration'), index: 0 } },
				{ event: 'node_finished', data: createInnerNode('Rank', 0) },
				{ event: 'loop_started', data: { ...createNode('again', 'loop', { iteration_id: 'each' }), metadata: { loop_length: 3 } } },
				{ event: 'node_finished', data: createFinishedNode('Try', 'code', { loop_id: 'again' }) },
				{ event: 'loop_completed', data: { ...createFinishedNode('again', 'loop'), iteration_id: 'each' } },
				{ event: 'iteration_next', data: { ...createNode('each', 'iteration'), index: 1 } },
				{ event: 'node_started', data: createNode('Rank', 'code', { iteration_id: 'each' }) },
				{ event: 'iteration_completed', data: { ...createFinishedNode('each', 'iteration'), status: 'failed', error: 'no' } },
			])
				.slice(1)
				.map(line => line.slice(14)),
			[
				'│ ↻ iteration           each                        2 items',
				'│ │ 1/2 →',
				'│ │ 1/2 ✔ code                Rank                    4.1 ms',
				'│ │ ↻ loop                again                     limit: 3 iterations',
				'│ │ │ 1/3 ✔ code                Try                   4.1 ms',
				'│ │ ✔ loop                again                       4.1 ms',
				'│ │ 2/2 →',
				'│ │ 2/2 ▸ code                Rank',
				'│ ✖ iteration           each                          4.1 ms   no',
			],
		);
	});

	it('indent parallel branches, and return to the left margin when only one is active', () => {
		const createNodeStarted = (name: string, predecessor: string) => ({
			event: 'node_started',
			data: createNode(name, 'code', { predecessor_node_id: predecessor }),
		});
		const createNodeFinished = (name: string) => ({ event: 'node_finished', data: createFinishedNode(name, 'code') });
		assert.deepEqual(
			formatLines([
				{ event: 'node_started', data: createNode('Start', 'start') },
				{ event: 'node_finished', data: createFinishedNode('Start', 'start') },
				createNodeStarted('A', 'Start'),
				createNodeStarted('B', 'Start'),
				{ event: 'iteration_started', data: { ...createNode('each', 'iteration'), metadata: { iteration_length: 2 } } },
				createNodeFinished('A'),
				{ event: 'node_retry', data: { ...createFinishedNode('B', 'code', { status: 'retry' }), retry_index: 1 } },
				{ event: 'node_started', data: createNode('Rank', 'code', { id: 'r1', iteration_id: 'each', iteration_index: 0 }) },
				{ event: 'node_started', data: createNode('Rank', 'code', { id: 'r2', iteration_id: 'each', iteration_index: 1 }) },
				createNodeStarted('A2', 'A'),
				createNodeFinished('B'),
				{ event: 'node_finished', data: createFinishedNode('Rank', 'code', { id: 'r2', iteration_id: 'each', iteration_index: 1 }) },
				{ event: 'iteration_completed', data: createFinishedNode('each', 'iteration') },
				createNodeFinished('A2'),
				createNodeStarted('Join', 'each'),
				createNodeFinished('Join'),
			])
				.slice(3)
				.map(line => line.slice(14).replace(/ {2,}/g, '  ')),
			[
				'│ ▸ code  A',
				'│ ┆ ▸ code  B',
				'│ ┆ ┆ ↻ iteration  each  2 items',
				'│ ✔ code  A  4.1 ms',
				'│ ┆ ↺ code  B  4.1 ms  retry 1',
				'│ ┆ ┆ │ 1/2 ▸ code  Rank',
				'│ ┆ ┆ │ 2/2 ▸ code  Rank',
				'│ ▸ code  A2',
				'│ ┆ ✔ code  B  4.1 ms',
				'│ ┆ ┆ │ 2/2 ✔ code  Rank  4.1 ms',
				'│ ┆ ┆ ✔ iteration  each  4.1 ms',
				'│ ✔ code  A2  4.1 ms',
				'│ ▸ code  Join',
				'│ ✔ code  Join  4.1 ms',
			],
		);
	});

	it('stay narrow with thousands of parallel or nested nodes', () => {
		const nodes = Array.from({ length: 2000 }, (_, n) => `n${n}`);
		const siblings = nodes.map(name => ({ event: 'node_started', data: createNode(name, 'llm') }));
		const nested = nodes.map((name, n) => ({ event: 'loop_started', data: createNode(name, 'loop', { loop_id: `n${n - 1}` }) }));
		const widest = Math.max(...[...formatLines(siblings), ...formatLines(nested)].map(({ length }) => length));
		assert.ok(widest < 300, String(widest));
	});

	it('show each round of an agent when it starts, and each call when it ends', () => {
		const createAgentLog = (id: string, label: string, status: string, more: object = {}): WorkflowEvent => ({
			event: 'agent_log',
			data: { id, label, status, ...more },
		});
		assert.deepEqual(
			formatLines([
				createAgentLog('r', 'ROUND 1', 'start'),
				createAgentLog('c', 'CALL clock', 'start', { parent_id: 'r' }),
				createAgentLog('c', 'CALL clock', 'success', { parent_id: 'r', metadata: { elapsed_time: 0.0041 } }),
				createAgentLog('d', 'CALL map', 'error', { parent_id: 'r', error: 'no such city', metadata: { elapsed_time: 1 } }),
				createAgentLog('r', 'ROUND 1', 'success'),
			])
				.slice(1)
				.map(line => line.slice(14).replace(/ {3,}/g, '  ')),
			['│ ▸ agent_log  ROUND 1', '│ ✔ agent_log  CALL clock  4.1 ms', '│ ✖ agent_log  CALL map  1.00 s  no such city'],
		);
	});

	it('show unknown events and errors, but no pings', () => {
		assert.deepEqual(
			formatLines([
				{ event: 'ping' },
				{ event: 'agent_log', data: { label: 'thinking' } },
				{ event: 'node_started' } as WorkflowEvent,
				{ event: 'error', status: 500, code: 'unknown', message: 'a\nb' },
				{ event: 'node_retry', data: { ...createFinishedNode('Post', 'http-request', { status: 'retry', error: '500' }), retry_index: 1 } },
				{ event: 'text_chunk', data: { text: 'Hel\nlo' } },
			])
				.slice(1)
				.map(line => line.slice(14)),
			[
				'│ ? agent_log           {"label":"thinking"}',
				'│ ? node_started        {"task_id":"t","workflow_run_id":"0190-aaaa-8f21c0de","event":"node_started"}',
				'│ ✖ error               500 unknown: a ⏎ b',
				'│ ↺ http-request        Post                          4.1 ms   retry 1   500',
				'│ ❯ Hel\nlo',
			],
		);
	});

	it('shorten a value without splitting a surrogate pair', () => {
		const text = formatValue('\u{1F600}'.repeat(200));
		assert.ok(!/[\ud800-\udbff](?![\udc00-\udfff])/.test(text), text);
		assert.equal(formatValue({ a: [1, null] }), '{"a":[1,null]}');
	});

	it('name the source of streamed text, with one line per value', () => {
		let written = '';
		const channel = new RunsChannel({
			append: (text: string) => {
				written += text;
			},
		} as never);
		const record = { key: 'k', agent: 'a', runId: 'r', mode: 'streaming', user: 'ana' } as RunRecord;
		const writer = new ChannelLines(() => record, { connection: 'c', file: undefined });
		const writeEvent = (event: object) => channel.write('k', writer.formatEntry({ at, event: { ...ids, ...event } as WorkflowEvent }));
		const createChunk = (text: string, ...from: string[]) =>
			writeEvent({ event: 'text_chunk', data: { text, ...(from.length > 0 && { from_variable_selector: from }) } });
		writeEvent({ event: 'node_started', data: { ...createNode('n1', 'llm'), title: 'Write summary' } });
		createChunk('Two ', 'n1', 'text');
		createChunk('words\nand more', 'n1', 'text');
		createChunk('3', 'n1', 'count');
		createChunk('\n', 'end', 'answer');
		createChunk('first line', 'n2', 'queue');
		createChunk('plain');
		channel.flushLines();
		channel.dispose();
		assert.deepEqual(
			written
				.split('\n')
				.slice(1)
				.map(line => line.trimStart().replace(/^[\d:.]+ {2}/, '')),
			['│ ❯ Write summary: Two words', '│ ❯ and more', '│ ❯ Write summary: 3', '│ ❯ first lineplain'],
		);
	});

	it('are separated by an empty line from those of other runs, and have an ID only if another run has started since', () => {
		const written: string[] = [];
		const channel = new RunsChannel({ append: (text: string) => written.push(text) } as never);
		const time = '10:32:05.120';
		channel.write('a', [{ line: `${time}  ▷ a  run 1`, head: '1' }]);
		channel.write('a', [{ text: 'text of a', lead: `${time}  │ ❯ ` }]);
		channel.write('b', [{ line: `${time}  ▷ b  run 2`, head: '2' }, { line: `${time}  │ ✔ of b` }]);
		channel.write('a', [{ line: `${time}  ■ end of a` }]);
		channel.dispose();
		assert.equal(
			written.join('').replaceAll(time, 'T'),
			'T  ▷ a  run 1\nT  │ ❯ text of a\n\nT  ▷ b  run 2\nT  │ ✔ of b\nT  1  ■ end of a\n',
		);
	});

	it('show an error only once if it ends the run', () => {
		const failed = { event: 'node_finished', data: createFinishedNode('Post', 'code', { status: 'failed', error: 'no such city' }) };
		assert.equal(
			formatLines([failed], { status: 'failed', error: 'no such city' })
				.join('\n')
				.match(/no such city/g)?.length,
			1,
		);
		assert.equal(formatLines([failed], { status: 'failed', error: 'stopped early' }).at(-1)?.slice(14), '■ failed  stopped early');
	});
});
